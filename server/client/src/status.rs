//! How a controller stands: what it shows the dealer, and by what it decides that the progressive can't be played.

use std::fmt;
use std::time::Duration;

use meterhouse_proto::table as wire;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::error::{Stopped, Unreadable};
use crate::money::Money;
use crate::outcome::read::{all, amounts};
use crate::round::{Round, RoundHit};
use crate::values::Sequence;
use crate::words::heard;

/// How a controller stands.
#[derive(Clone, Debug)]
pub enum Status {
    /// It reaches for the server for the first time.
    Connecting,
    /// The table is on a stream, and the server was heard a moment ago.
    Online(Online),
    /// The server is not reached; commands are kept, and sent when it is.
    Offline {
        /// Since when the server has not been heard, on this machine's steady clock.
        since: Instant,
        /// Why.
        reason: Offline,
    },
    /// A person has to look: nothing is sent and nothing is kept any more.
    Stopped(Stopped),
}

impl Status {
    /// For how long the server has not been reached; nothing while it is.
    pub fn offline_for(&self) -> Option<Duration> {
        match self {
            Self::Offline { since, .. } => Some(since.elapsed()),
            Self::Connecting | Self::Online(_) | Self::Stopped(_) => None,
        }
    }

    /// Whether the server is reached.
    pub const fn is_online(&self) -> bool {
        matches!(self, Self::Online(_))
    }
}

/// The table is on a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Online {
    /// The link's name.
    pub link: String,
    /// The one progressive wager of the link.
    pub wager: Money,
    /// The link's levels, in the order of all amounts.
    pub levels: Vec<String>,
    /// After how long without a message of the table its server counts it as lost; nothing where it doesn't say.
    pub silence_max: Option<Duration>,
    /// How the table and its link stand, as heard a moment ago.
    pub standing: Standing,
}

/// How a table and its link stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The link's state.
    pub link_state: LinkState,
    /// Why it is not open; else empty.
    pub reason: String,
    /// The levels that are off.
    pub disabled: Vec<String>,
    /// Whether the table is lost: its progressive can't be played.
    pub is_lost: bool,
    /// The coin-in of its open round, where one is open.
    pub open_round: Option<Sequence>,
    /// What the levels show.
    pub displayed: Vec<Money>,
    /// The batch of the link's journal that all this is as of.
    pub batch: u64,
    /// The open round with its hits, where one is open.
    pub round: Option<Box<Round>>,
    /// The hits of the table's closed rounds that can still change, oldest first.
    pub closed_hits: Vec<RoundHit>,
    /// The table's state.
    pub table_state: TableState,
    /// Why the table is disabled; else empty.
    pub table_reason: String,
}

impl Standing {
    /// What a message says.
    pub(crate) fn read(told: wire::Standing) -> Result<Self, Unreadable> {
        Ok(Self {
            link_state: told.link_state.into(),
            reason: told.reason,
            disabled: told.disabled,
            is_lost: told.lost,
            open_round: Sequence::new(told.open_round),
            displayed: amounts(&told.displayed_micros)?,
            batch: told.batch,
            round: told.round.map(Round::read).transpose()?.map(Box::new),
            closed_hits: all(told.closed_hits, RoundHit::read)?,
            table_state: told.table_state.into(),
            table_reason: told.table_reason,
        })
    }
}

heard! {
    /// The state of a link.
    LinkState {
        /// Everything goes.
        Open = "open",
        /// No coin-in; everything else of an open round goes on.
        Suspended = "suspended",
        /// Suspended, with no open round and no unpaid hit.
        Closed = "closed",
        /// Nothing is accepted until people have cleared the fault; what is kept waits for that.
        Faulted = "faulted",
    }
}

heard! {
    /// The state of a table.
    TableState {
        /// The table itself keeps nobody from playing its progressive.
        InService = "in_service",
        /// It was silent for too long: its progressive can't be played.
        Lost = "lost",
        /// A manager disabled it: no coin-in; an open round goes on.
        Disabled = "disabled",
        /// It left its link for good.
        Left = "left",
    }
}

/// Why the server is not reached.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Offline {
    /// There is no connection.
    Unreachable {
        /// What was said.
        what: String,
    },
    /// Nothing was heard for too long.
    Silent,
    /// The server ended the stream.
    Ended,
    /// The server said why, and that sending again may help.
    Told {
        /// The stable code, such as `busy` or `database_unavailable`.
        code: String,
        /// What it says, for people.
        detail: String,
    },
    /// The server answered what was not asked.
    OutOfOrder,
}

impl fmt::Display for Offline {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable { what } => write!(out, "the server can't be reached: {what}"),
            Self::Silent => out.write_str("the server says nothing"),
            Self::Ended => out.write_str("the server ended the stream"),
            Self::Told { code, detail } => write!(out, "{detail} ({code})"),
            Self::OutOfOrder => out.write_str("the server answered what was not asked"),
        }
    }
}

/// The status as it changes.
#[derive(Clone, Debug)]
pub struct Statuses {
    receiver: watch::Receiver<Status>,
}

impl Statuses {
    pub(crate) const fn new(receiver: watch::Receiver<Status>) -> Self {
        Self { receiver }
    }

    /// How it stands now; [`Self::changed`] waits for what comes after this.
    pub fn now(&mut self) -> Status {
        self.receiver.borrow_and_update().clone()
    }

    /// Waits for a change and gives the newest; nothing once the controller is closed. Changes in between are left
    /// out.
    pub async fn changed(&mut self) -> Option<Status> {
        self.receiver.changed().await.ok()?;
        Some(self.receiver.borrow_and_update().clone())
    }
}
