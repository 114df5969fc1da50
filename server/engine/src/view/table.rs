//! Tables as lists, displays and controllers see them.

use std::sync::Arc;

use meterhouse_domain::ids::{GameName, LevelName, LinkName, Note, TableName, TableNo, Timestamp};
use meterhouse_domain::state::{ClosedHit, LinkState, Lost, Round, Table};

use super::journal::Place;
use super::link_status::{LinkWord, disabled_of, reason_of};

/// The status of a table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TableStatus {
    /// The table itself keeps nobody from playing its progressive.
    InService,
    /// The table sent heartbeats and was silent for too long.
    Lost,
    /// A manager disabled the table.
    Disabled,
    /// The table left its link for good.
    Left,
    /// The progressive can't be played at the table, and players are not told why.
    Unavailable,
}

impl TableStatus {
    /// Returns the status of a table. What lasts longer comes first. A lost table that never sent a heartbeat counts as in
    /// service: it comes back with its next command.
    pub const fn of(table: &Table) -> Self {
        if table.left {
            Self::Left
        } else if table.disabled.is_some() {
            Self::Disabled
        } else if let Some(Lost {
            must_resume: true, ..
        }) = table.lost
        {
            Self::Lost
        } else {
            Self::InService
        }
    }

    /// Returns the status as players are told it.
    #[must_use]
    pub const fn for_players(self) -> Self {
        match self {
            Self::Lost | Self::Disabled | Self::Unavailable => Self::Unavailable,
            Self::InService | Self::Left => self,
        }
    }

    /// Returns the word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::InService => "in_service",
            Self::Lost => "lost",
            Self::Disabled => "disabled",
            Self::Left => "left",
            Self::Unavailable => "unavailable",
        }
    }
}

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
    /// Its status.
    pub status: TableStatus,
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

    /// Returns the status of the table.
    pub fn status(&self) -> TableStatus {
        let table = self.state.table(self.number);
        table.map_or(TableStatus::InService, TableStatus::of)
    }

    /// Returns why the table is disabled, if it is.
    pub fn disabled_reason(&self) -> Option<&Note> {
        self.state.table(self.number)?.disabled.as_ref()
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
