//! The file of an outbox: its tables, how it is opened, and what is said where it can't be used.

use std::fmt::Display;
use std::path::Path;

use redb::{Builder, DatabaseError, StorageError, TableDefinition};

use crate::error::OutboxError;

/// Memory for pages of the file, which is small.
const CACHE_BYTES: usize = 1 << 20;
/// The form of what is kept.
pub(super) const FORMAT: u64 = 1;

/// What the file is.
pub(super) const IDENTITY: TableDefinition<'_, &str, &str> =
    TableDefinition::new("meterhouse.outbox.identity");
/// Numbers of the file.
pub(super) const NUMBERS: TableDefinition<'_, &str, u64> =
    TableDefinition::new("meterhouse.outbox.numbers");
/// Commands by number.
pub(super) const COMMANDS: TableDefinition<'_, u64, &[u8]> =
    TableDefinition::new("meterhouse.outbox.commands");
/// Whose file it is.
pub(super) const TABLE: &str = "table";
/// Which form it has.
pub(super) const FORMAT_NUMBER: &str = "format";
/// The number that the next command gets; absent until the server has said where to begin.
pub(super) const NEXT: &str = "next";

/// Returns how the file is opened and made.
pub(super) fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

/// Returns the error of a file that the file system refuses.
pub(super) fn disk(path: &Path, what: impl Display) -> OutboxError {
    OutboxError::Disk {
        path: path.to_owned(),
        what: what.to_string(),
    }
}

/// Returns the error of a file that is no outbox, or no whole one.
pub(super) fn damaged(path: &Path, what: impl Display) -> OutboxError {
    OutboxError::Damaged {
        path: path.to_owned(),
        what: what.to_string(),
    }
}

/// Returns the error of a file that can't be opened.
pub(super) fn opening(path: &Path, error: DatabaseError) -> OutboxError {
    match error {
        DatabaseError::DatabaseAlreadyOpen | DatabaseError::LockProtocolMismatch => {
            OutboxError::InUse {
                path: path.to_owned(),
            }
        }
        DatabaseError::Storage(StorageError::Io(error))
            if error.kind() != std::io::ErrorKind::InvalidData =>
        {
            disk(path, error)
        }
        error => damaged(path, error),
    }
}
