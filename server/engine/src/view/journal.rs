//! A place in the journal, its entries, and a page of a list.

use meterhouse_domain::event::Recorded;
use meterhouse_domain::ids::{TableName, Timestamp};
use meterhouse_store::Position;

/// A page of a list.
#[derive(Clone, Debug)]
pub struct Page<T, C> {
    /// The entries.
    pub items: Vec<T>,
    /// Where the next page begins, if there is more.
    pub next: Option<C>,
}

/// A place in a link's journal: batch and position in it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The batch.
    pub batch: u64,
    /// The position in it, from 0.
    pub position: u32,
}

impl Place {
    /// The place as the store has it.
    pub(crate) const fn stored(self) -> Position {
        Position {
            batch: self.batch,
            position: self.position,
        }
    }

    /// Behind all of a batch.
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
    /// Where it stands.
    pub place: Place,
    /// The server's time.
    pub at: Timestamp,
    /// The name of whoever's token it was.
    pub actor: String,
    /// The table, where one caused it.
    pub table: Option<TableName>,
    /// What happened.
    pub recorded: Recorded,
}
