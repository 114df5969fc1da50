//! The file format of an outbox: its tables, its settings, and the errors of a file that can't be used.

use std::fmt::Display;
use std::path::Path;

use redb::{Builder, DatabaseError, StorageError, TableDefinition};

use crate::error::OutboxError;

/// Size of the page cache. The file is small.
const CACHE_BYTES: usize = 1 << 20;
/// The version of the format.
pub(super) const FORMAT: u64 = 1;

/// The table that identifies the file.
pub(super) const IDENTITY: TableDefinition<'_, &str, &str> =
    TableDefinition::new("meterhouse.outbox.identity");
/// The table of numbers.
pub(super) const NUMBERS: TableDefinition<'_, &str, u64> =
    TableDefinition::new("meterhouse.outbox.numbers");
/// The table of commands, by number.
pub(super) const COMMANDS: TableDefinition<'_, u64, &[u8]> =
    TableDefinition::new("meterhouse.outbox.commands");
/// Key of the table's name.
pub(super) const TABLE: &str = "table";
/// Key of the newest seal. Absent until the server has sent one.
pub(super) const SEAL: &str = "seal";
/// Key of the format's version.
pub(super) const FORMAT_NUMBER: &str = "format";
/// Key of the number that the next command gets. Absent until the server has reported the first number.
pub(super) const NEXT: &str = "next";

/// Returns the settings with which the file is opened and created.
pub(super) fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

/// Returns the error for a failure of the file system.
pub(super) fn disk_error(path: &Path, what: impl Display) -> OutboxError {
    OutboxError::Disk {
        path: path.to_owned(),
        what: what.to_string(),
    }
}

/// Returns the error for a file that is not an outbox, or is damaged.
pub(super) fn damaged_error(path: &Path, what: impl Display) -> OutboxError {
    OutboxError::Damaged {
        path: path.to_owned(),
        what: what.to_string(),
    }
}

/// Returns the error for a file that can't be opened.
pub(super) fn open_error(path: &Path, error: DatabaseError) -> OutboxError {
    match error {
        DatabaseError::DatabaseAlreadyOpen | DatabaseError::LockProtocolMismatch => {
            OutboxError::InUse {
                path: path.to_owned(),
            }
        }
        DatabaseError::Storage(StorageError::Io(error))
            if error.kind() != std::io::ErrorKind::InvalidData =>
        {
            disk_error(path, error)
        }
        error => damaged_error(path, error),
    }
}
