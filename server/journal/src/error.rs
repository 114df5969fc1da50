//! Reasons why bytes or rows are not in the form that this server writes.

use crate::codec::DecodeError;

/// A row or a snapshot that is not in the form that this server writes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// No event has this kind.
    #[error("no event has the kind {0}")]
    UnknownKind(u8),
    /// A required column is empty.
    #[error("column {column} of an event of kind {kind} is empty")]
    ColumnMissing {
        /// Kind of the event, by number.
        kind: u8,
        /// Name of the column in the database.
        column: &'static str,
    },
    /// A column differs from the form in which the event would be written.
    #[error("column {column} is not as an event of kind {kind} is written")]
    ColumnDiffers {
        /// Kind of the event, by number.
        kind: u8,
        /// Name of the column in the database.
        column: &'static str,
    },
    /// The record's bytes are not canonical.
    #[error("the record of an event of kind {kind} can't be read")]
    Record {
        /// Kind of the event, by number.
        kind: u8,
        /// Offset and reason of the refusal.
        source: DecodeError,
    },
    /// A snapshot's bytes don't match the hash at their end.
    #[error("the snapshot is damaged: its bytes don't have the hash that it ends in")]
    SnapshotDamaged,
    /// A snapshot of an unsupported format; the caller reads the journal instead.
    #[error("snapshots of format {0} can't be read")]
    SnapshotFormat(u16),
    /// A snapshot's hash matches its bytes, but the bytes are not canonical.
    #[error("the snapshot can't be read")]
    Snapshot(#[source] DecodeError),
}
