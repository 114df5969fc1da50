//! Entries of the journal, and pages of lists.

use meterhouse_domain::event::Recorded;
use meterhouse_domain::ids::{TableName, Timestamp};
use meterhouse_journal::position::Position;

/// A page of a list.
#[derive(Clone, Debug)]
pub struct Page<T, C> {
    /// The entries.
    pub items: Vec<T>,
    /// The cursor of the next page, if there is one.
    pub next: Option<C>,
}

/// One entry of the journal.
#[derive(Clone, Debug)]
pub struct JournalEntry {
    /// The position of the entry.
    pub position: Position,
    /// The server's time.
    pub at: Timestamp,
    /// The name of the token's holder.
    pub actor: String,
    /// The table, if the event came from one.
    pub table: Option<TableName>,
    /// The event.
    pub recorded: Recorded,
}
