//! A new outbox: made whole under another name, then given its own.
//!
//! # What order holds
//! Whatever stands under the outbox's own name is whole: the link comes after the last sync, and never replaces a
//! file. The folder is synced before the first command is kept, so that the file can't vanish with its name.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{COMMANDS, FORMAT, FORMAT_NUMBER, IDENTITY, NUMBERS, TABLE, builder, disk, opening};
use crate::error::OutboxError;
use crate::values::TableName;

/// Behind the name while the file is not whole.
const UNFINISHED: &str = ".new";

/// Makes the outbox of this table. One that somebody else made in the meantime is left as it is.
pub(super) fn create(path: &Path, table: &TableName) -> Result<(), OutboxError> {
    let unfinished = beside(path);
    let failed = |error| disk(path, error);
    remove(&unfinished).map_err(failed)?;
    fill(&unfinished, table)?;
    match fs::hard_link(&unfinished, path) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        // A file system without links.
        Err(_) => {
            return fs::rename(&unfinished, path)
                .and_then(|()| sync(path))
                .map_err(failed);
        }
    }
    remove(&unfinished).map_err(failed)?;
    sync(path).map_err(failed)
}

fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(UNFINISHED);
    name.into()
}

fn fill(path: &Path, table: &TableName) -> Result<(), OutboxError> {
    let database = builder().create(path).map_err(|it| opening(path, it))?;
    let fault = |error: redb::Error| disk(path, error);
    let mut write = database.begin_write().map_err(|it| fault(it.into()))?;
    write.set_two_phase_commit(true);
    {
        let mut identity = write.open_table(IDENTITY).map_err(|it| fault(it.into()))?;
        let inserted = identity.insert(TABLE, table.as_str());
        drop(inserted.map_err(|it| fault(it.into()))?);
        let mut numbers = write.open_table(NUMBERS).map_err(|it| fault(it.into()))?;
        let inserted = numbers.insert(FORMAT_NUMBER, FORMAT);
        drop(inserted.map_err(|it| fault(it.into()))?);
        drop(write.open_table(COMMANDS).map_err(|it| fault(it.into()))?);
    }
    write.commit().map_err(|it| fault(it.into()))?;
    database.close().map_err(|it| opening(path, it))
}

fn remove(path: &Path) -> std::io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Makes the name durable.
fn sync(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
