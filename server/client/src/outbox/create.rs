//! The creation of an outbox: written under another name, then linked to its own.
//!
//! # Order
//! A file under the outbox's own name is complete: the link follows the last sync, and never replaces a file. The
//! folder is synced whenever an outbox is opened, before a command is stored. So the file can't vanish with its name,
//! even if its creator was killed between the link and the sync.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::format::{
    COMMANDS, FORMAT, FORMAT_NUMBER, IDENTITY, NUMBERS, TABLE, builder, disk_error, open_error,
};
use crate::error::OutboxError;
use crate::values::TableName;

/// Suffix of an unfinished file, after the number of its process. Two processes therefore don't write one file.
const UNFINISHED_SUFFIX: &str = ".new";
/// Errors of a file system without hard links.
const HARD_LINK_UNSUPPORTED: [ErrorKind; 2] = [ErrorKind::Unsupported, ErrorKind::PermissionDenied];

/// Creates the outbox of this table. An outbox that another process created in the meantime is left unchanged.
pub(super) fn create(path: &Path, table: &TableName) -> Result<(), OutboxError> {
    let unfinished = unfinished_path(path);
    let failed = |error| disk_error(path, error);
    remove_unfinished(path).map_err(failed)?;
    write_empty(&unfinished, table)?;
    match fs::hard_link(&unfinished, path) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) if HARD_LINK_UNSUPPORTED.contains(&error.kind()) => {
            return fs::rename(&unfinished, path).map_err(failed);
        }
        Err(error) => return Err(failed(error)),
    }
    remove(&unfinished).map_err(failed)
}

fn unfinished_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(format!(".{}{UNFINISHED_SUFFIX}", std::process::id()));
    name.into()
}

/// Removes the unfinished files of earlier attempts. A program that is creating one for the same table then fails: only
/// one program may play for a table.
fn remove_unfinished(path: &Path) -> io::Result<()> {
    let own = path.file_name().unwrap_or_default();
    for entry in fs::read_dir(folder(path))? {
        let entry = entry?;
        if is_unfinished(&entry.file_name(), own) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Returns `true` if this name is that of an unfinished file of the outbox. Names of earlier releases have no process
/// number.
fn is_unfinished(found: &OsStr, own: &OsStr) -> bool {
    let rest = found
        .as_encoded_bytes()
        .strip_prefix(own.as_encoded_bytes());
    let process = rest.and_then(|rest| rest.strip_suffix(UNFINISHED_SUFFIX.as_bytes()));
    let is_number = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
    process.is_some_and(|process| {
        process.is_empty() || process.strip_prefix(b".").is_some_and(is_number)
    })
}

fn write_empty(path: &Path, table: &TableName) -> Result<(), OutboxError> {
    let database = builder()
        .create(path)
        .map_err(|error| open_error(path, error))?;
    let write_error = |error: redb::Error| disk_error(path, error);
    let mut write = database
        .begin_write()
        .map_err(|error| write_error(error.into()))?;
    write.set_two_phase_commit(true);
    {
        let mut identity = write
            .open_table(IDENTITY)
            .map_err(|error| write_error(error.into()))?;
        let inserted = identity.insert(TABLE, table.as_str());
        drop(inserted.map_err(|error| write_error(error.into()))?);
        let mut numbers = write
            .open_table(NUMBERS)
            .map_err(|error| write_error(error.into()))?;
        let inserted = numbers.insert(FORMAT_NUMBER, FORMAT);
        drop(inserted.map_err(|error| write_error(error.into()))?);
        drop(
            write
                .open_table(COMMANDS)
                .map_err(|error| write_error(error.into()))?,
        );
    }
    write.commit().map_err(|error| write_error(error.into()))?;
    database.close().map_err(|error| open_error(path, error))
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Syncs the folder, so that the name is durable.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(folder(path))?.sync_all()
}

fn folder(path: &Path) -> &Path {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}
