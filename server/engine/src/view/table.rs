//! Tables in lists, on displays and for controllers.

use meterhouse_journal::position::Position;
use meterhouse_journal::seal::Seal;
use std::sync::Arc;

use meterhouse_domain::ids::{GameName, LevelName, LinkName, Note, TableName, TableNo, Timestamp};
use meterhouse_domain::presentation::DisplayName;
use meterhouse_domain::state::{ClosedHit, LinkState, Lost, Round, Table};

use super::link_status::{LinkStatus, disabled_of, reason_of};

/// The status of a table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TableStatus {
    /// The table itself does not prevent play of its progressive.
    InService,
    /// The table sent heartbeats and was silent for too long.
    Lost,
    /// A manager disabled the table.
    Disabled,
    /// The table left its link for good.
    Left,
    /// The progressive can't be played at the table. Players do not see the reason.
    Unavailable,
}

impl TableStatus {
    /// Returns the status of a table. A more lasting status precedes. A lost table that never sent a heartbeat counts
    /// as in service, because its next command brings it back.
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

    /// Returns the players' version of the status.
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

/// A table in a list.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// The name of the table.
    pub name: TableName,
    /// The link of the table.
    pub link: LinkName,
    /// The state of the link.
    pub link_state: LinkStatus,
    /// The game of the table.
    pub game: GameName,
    /// The number of seats on the layout.
    pub seats: u8,
    /// The status of the table.
    pub status: TableStatus,
    /// The time of the last contact, as seen by this process.
    pub heard_at: Option<Timestamp>,
    /// The pit in which the table stands, if it is named.
    pub pit: Option<DisplayName>,
}

/// A table with its link's whole state, confirmed after the request.
#[derive(Clone, Debug)]
pub struct TableView {
    /// The number of the table on its link.
    pub number: TableNo,
    /// The link's state.
    pub state: Arc<LinkState>,
    /// The batch of the state.
    pub batch: u64,
    /// The time of the last contact, as seen by this process.
    pub heard_at: Option<Timestamp>,
    /// The seal of the table's last command, in an answer to the table.
    pub seal: Option<Seal>,
}

impl TableView {
    /// Returns the position in the journal of this view.
    pub const fn position(&self) -> Position {
        Position::behind(self.batch)
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

    /// Returns the time and the reason of the table's loss, if it is lost.
    pub fn lost(&self) -> Option<Lost> {
        self.state.table(self.number).and_then(|table| table.lost)
    }

    /// Returns the status of the table.
    pub fn status(&self) -> TableStatus {
        let table = self.state.table(self.number);
        table.map_or(TableStatus::InService, TableStatus::of)
    }

    /// Returns the reason that the table is disabled, if it is.
    pub fn disabled_reason(&self) -> Option<&Note> {
        self.state.table(self.number)?.disabled.as_ref()
    }

    /// Returns the state of the link in one word.
    pub fn word(&self) -> LinkStatus {
        LinkStatus::of(&self.state)
    }

    /// Returns the reason that the link is suspended or faulted.
    pub fn reason(&self) -> Option<String> {
        reason_of(&self.state)
    }

    /// Returns the levels that are off.
    pub fn disabled(&self) -> Vec<LevelName> {
        disabled_of(&self.state)
    }
}
