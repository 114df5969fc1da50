//! A new outbox: made whole under another name, then given its own.
//!
//! # What order holds
//! Whatever stands under the outbox's own name is whole: the link comes after the last sync, and never replaces a
//! file. The folder is synced whenever an outbox is opened, before a command is kept, so that the file can't vanish
//! with its name: not even one whose maker was killed between the link and the sync.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::format::{
    COMMANDS, FORMAT, FORMAT_NUMBER, IDENTITY, NUMBERS, TABLE, builder, disk, opening,
};
use crate::error::OutboxError;
use crate::values::TableName;

/// Behind the name while the file is not whole, after the number of the process that makes it: two of them don't
/// write one file.
const UNFINISHED: &str = ".new";
/// What a file system says that has no links.
const NO_LINKS: [ErrorKind; 2] = [ErrorKind::Unsupported, ErrorKind::PermissionDenied];

/// Makes the outbox of this table. One that somebody else made in the meantime is left as it is.
pub(super) fn create(path: &Path, table: &TableName) -> Result<(), OutboxError> {
    let unfinished = beside(path);
    let failed = |error| disk(path, error);
    tidy(path).map_err(failed)?;
    fill(&unfinished, table)?;
    match fs::hard_link(&unfinished, path) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) if NO_LINKS.contains(&error.kind()) => {
            return fs::rename(&unfinished, path).map_err(failed);
        }
        Err(error) => return Err(failed(error)),
    }
    remove(&unfinished).map_err(failed)
}

fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(format!(".{}{UNFINISHED}", std::process::id()));
    name.into()
}

/// Removes what was left behind where somebody was cut off before the file was whole. A program that is just making
/// one for the same table then fails: one at a time plays for it.
fn tidy(path: &Path) -> io::Result<()> {
    let own = path.file_name().unwrap_or_default();
    for entry in fs::read_dir(folder(path))? {
        let entry = entry?;
        if is_unfinished(&entry.file_name(), own) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Whether a file of this name was to become the outbox of that one. The process was not always in it.
fn is_unfinished(found: &OsStr, own: &OsStr) -> bool {
    let rest = found
        .as_encoded_bytes()
        .strip_prefix(own.as_encoded_bytes());
    let process = rest.and_then(|it| it.strip_suffix(UNFINISHED.as_bytes()));
    let is_number = |it: &[u8]| it.iter().all(u8::is_ascii_digit);
    process.is_some_and(|it| it.is_empty() || it.strip_prefix(b".").is_some_and(is_number))
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

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Makes the name durable.
pub(super) fn sync(path: &Path) -> io::Result<()> {
    File::open(folder(path))?.sync_all()
}

fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}
