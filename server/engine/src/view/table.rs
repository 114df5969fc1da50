//! Tables as lists and controllers see them.

use std::sync::Arc;

use meterhouse_domain::name::{GameName, LevelName, LinkName, TableName, TableNo, Timestamp};
use meterhouse_domain::state::{ClosedHit, LinkState, Lost, Round};

use super::{LinkWord, Place, disabled_of, reason_of};

/// A table as the list shows it.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// Its name.
    pub name: TableName,
    /// Its link.
    pub link: LinkName,
    /// The state of its link.
    pub link_state: LinkWord,
    /// Its game.
    pub game: GameName,
    /// Seats on its layout.
    pub seats: u8,
    /// Since when it is lost, if it is.
    pub lost: Option<Lost>,
    /// When it was last heard, as far as this process knows.
    pub heard_at: Option<Timestamp>,
}

/// A table with its link's whole state, confirmed after the question came.
#[derive(Clone, Debug)]
pub struct TableView {
    /// Its number on the link.
    pub number: TableNo,
    /// The link's state.
    pub state: Arc<LinkState>,
    /// The batch that the state is as of.
    pub batch: u64,
    /// When it was last heard, as far as this process knows.
    pub heard_at: Option<Timestamp>,
}

impl TableView {
    /// Returns the place in the journal that everything here is as of.
    pub const fn place(&self) -> Place {
        Place::end_of(self.batch)
    }

    /// Returns the open round, if one is open.
    pub fn round(&self) -> Option<&Round> {
        self.state.table(self.number)?.round.as_ref()
    }

    /// Returns the hits of the table's closed rounds that are kept, oldest first.
    pub fn closed_hits(&self) -> impl Iterator<Item = &ClosedHit> {
        let kept = self.state.closed.iter().map(Arc::as_ref);
        kept.filter(|closed| closed.id.table == self.number)
    }

    /// Since when the table is lost, if it is.
    pub fn lost(&self) -> Option<Lost> {
        self.state.table(self.number).and_then(|table| table.lost)
    }

    /// The state of its link.
    pub fn word(&self) -> LinkWord {
        LinkWord::of(&self.state)
    }

    /// Why its link is suspended or faulted.
    pub fn reason(&self) -> Option<String> {
        reason_of(&self.state)
    }

    /// The levels that are off.
    pub fn disabled(&self) -> Vec<LevelName> {
        disabled_of(&self.state)
    }
}
