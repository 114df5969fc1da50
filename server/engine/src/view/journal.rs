//! Positions in the journal, its entries, and pages of lists.

use meterhouse_domain::event::Recorded;
use meterhouse_domain::ids::{TableName, Timestamp};
use meterhouse_store::Position;

/// A page of a list.
#[derive(Clone, Debug)]
pub struct Page<T, C> {
    /// The entries.
    pub items: Vec<T>,
    /// The cursor of the next page, if there is one.
    pub next: Option<C>,
}

/// A position in a link's journal: a batch and an event in it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The batch.
    pub batch: u64,
    /// The position of the event in the batch, from 0.
    pub position: u32,
}

impl Place {
    /// Returns the position in the store's type.
    pub(crate) const fn stored(self) -> Position {
        Position {
            batch: self.batch,
            position: self.position,
        }
    }

    /// Returns the position after all events of a batch.
    pub(crate) const fn end_of(batch: u64) -> Self {
        Self {
            batch,
            position: u32::MAX,
        }
    }
}

/// One entry of the journal.
#[derive(Clone, Debug)]
pub struct JournalEntry {
    /// The position of the entry.
    pub place: Place,
    /// The server's time.
    pub at: Timestamp,
    /// The name of the token's holder.
    pub actor: String,
    /// The table, if the event came from one.
    pub table: Option<TableName>,
    /// The event.
    pub recorded: Recorded,
}
