//! The error of a copy or a proof.

use std::io;

use meterhouse_journal::file_parts::FileError;
use meterhouse_store::StoreError;

/// The reason that a month could not be copied or proven.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The database can't be queried.
    #[error("the journal can't be read")]
    Store(#[from] StoreError),
    /// The file can't be written.
    #[error("the file can't be written")]
    File(#[from] io::Error),
    /// The file has other bytes than were written.
    #[error("the file is damaged, {0}")]
    Damaged(#[from] FileError),
    /// The file, or the database, differs.
    #[error("{0}")]
    Differs(String),
}
