//! Why bytes or rows are not what this server wrote.

use crate::codec::DecodeError;

/// A row or a snapshot is not what this server wrote.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// No event has this kind.
    #[error("no event has the kind {0}")]
    UnknownKind(u8),
    /// A column is empty that never is.
    #[error("column {column} of an event of kind {kind} is empty")]
    ColumnMissing {
        /// The kind of the event.
        kind: u8,
        /// The column.
        column: &'static str,
    },
    /// A column holds something else than what the event would be written as.
    #[error("column {column} is not as an event of kind {kind} is written")]
    ColumnDiffers {
        /// The kind of the event.
        kind: u8,
        /// The column.
        column: &'static str,
    },
    /// The record's bytes are not canonical.
    #[error("the record of an event of kind {kind} can't be read")]
    Record {
        /// The kind of the event.
        kind: u8,
        /// Where and why.
        source: DecodeError,
    },
    /// A snapshot's bytes don't have the hash that they end in.
    #[error("the snapshot is damaged: its bytes don't have the hash that it ends in")]
    SnapshotDamaged,
    /// A snapshot of another format; the journal is read instead.
    #[error("snapshots of format {0} can't be read")]
    SnapshotFormat(u16),
    /// A snapshot's bytes have the right hash and are not canonical.
    #[error("the snapshot can't be read")]
    Snapshot(#[source] DecodeError),
}
