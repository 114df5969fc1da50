//! The status of a controller: shown to the dealer, and decisive for whether the progressive can be played.

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
use crate::wire_words::response_words;

/// The status of a controller.
#[derive(Clone, Debug)]
pub enum Status {
    /// The controller connects to the server for the first time.
    Connecting,
    /// The table is attached to a stream, and the server replied recently.
    Online(Online),
    /// The server is unreachable. Commands are stored, and sent when the server is reached.
    Offline {
        /// The time of the last message from the server, by this machine's monotonic clock.
        since: Instant,
        /// The reason.
        reason: Offline,
    },
    /// A person has to intervene. No command is sent or stored any more.
    Stopped(Stopped),
}

impl Status {
    /// Returns the time since the server was last reached. Returns `None` unless the controller is offline.
    pub fn offline_for(&self) -> Option<Duration> {
        match self {
            Self::Offline { since, .. } => Some(since.elapsed()),
            Self::Connecting | Self::Online(_) | Self::Stopped(_) => None,
        }
    }

    /// Returns `true` if the server is reached.
    pub const fn is_online(&self) -> bool {
        matches!(self, Self::Online(_))
    }
}

/// The status of a table that is attached to a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Online {
    /// The name of the link.
    pub link: String,
    /// The one progressive wager of the link.
    pub wager: Money,
    /// The names of the link's levels, in the order of all amounts.
    pub levels: Vec<String>,
    /// The silence of a table after which its server counts it as lost. `None` if the server doesn't report it.
    pub silence_max: Option<Duration>,
    /// The newest standing of the table and its link.
    pub standing: Standing,
}

/// The standing of a table and its link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The link's state.
    pub link_state: LinkState,
    /// The reason that the link is not open, or an empty string.
    pub reason: String,
    /// The names of the disabled levels.
    pub disabled: Vec<String>,
    /// `true` if the table is lost, so that its progressive can't be played.
    pub is_lost: bool,
    /// The coin-in of the open round, if there is one.
    pub open_round: Option<Sequence>,
    /// The displayed amounts of the levels.
    pub displayed: Vec<Money>,
    /// The batch of the link's journal that the standing shows.
    pub batch: u64,
    /// The open round with its hits, if there is one.
    pub round: Option<Box<Round>>,
    /// The hits of the table's closed rounds that can still change, oldest first.
    pub closed_hits: Vec<RoundHit>,
    /// The table's state.
    pub table_state: TableState,
    /// The reason that the table is disabled, or an empty string.
    pub table_reason: String,
}

impl Standing {
    /// Reads a message of the wire.
    pub(crate) fn read(message: wire::Standing) -> Result<Self, Unreadable> {
        Ok(Self {
            link_state: message.link_state.into(),
            reason: message.reason,
            disabled: message.disabled,
            is_lost: message.lost,
            open_round: Sequence::new(message.open_round),
            displayed: amounts(&message.displayed_micros)?,
            batch: message.batch,
            round: message.round.map(Round::read).transpose()?.map(Box::new),
            closed_hits: all(message.closed_hits, RoundHit::read)?,
            table_state: message.table_state.into(),
            table_reason: message.table_reason,
        })
    }
}

response_words! {
    /// The state of a link.
    LinkState {
        /// All commands are accepted.
        Open = "open",
        /// No coin-in is accepted. An open round continues.
        Suspended = "suspended",
        /// Suspended, with no open round and no unpaid hit.
        Closed = "closed",
        /// No command is accepted until people have cleared the fault. Stored commands wait.
        Faulted = "faulted",
    }
}

response_words! {
    /// The state of a table.
    TableState {
        /// The table does not prevent its progressive from being played.
        InService = "in_service",
        /// The table was silent for too long. Its progressive can't be played.
        Lost = "lost",
        /// A manager disabled the table. No coin-in is accepted, and an open round continues.
        Disabled = "disabled",
        /// The table left its link for good.
        Left = "left",
    }
}

/// The reason that the server is unreachable.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Offline {
    /// There is no connection.
    Unreachable {
        /// A description of the failure.
        what: String,
    },
    /// No message arrived for too long.
    Silent,
    /// The server ended the stream.
    Ended,
    /// The server sent a code, and a retry may succeed.
    Unavailable {
        /// The stable code, such as `busy` or `database_unavailable`.
        code: String,
        /// The server's explanation, for people.
        detail: String,
    },
    /// The server sent a message that does not answer the oldest request.
    OutOfOrder,
}

impl fmt::Display for Offline {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable { what } => write!(out, "the server can't be reached: {what}"),
            Self::Silent => out.write_str("the server is silent"),
            Self::Ended => out.write_str("the server ended the stream"),
            Self::Unavailable { code, detail } => write!(out, "{detail} ({code})"),
            Self::OutOfOrder => out.write_str("the server answered out of order"),
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

    /// Returns the current status. [`Self::changed`] waits for a later one.
    pub fn now(&mut self) -> Status {
        self.receiver.borrow_and_update().clone()
    }

    /// Waits for a change and returns the newest status, without the ones in between. Returns `None` once the
    /// controller is closed.
    pub async fn changed(&mut self) -> Option<Status> {
        self.receiver.changed().await.ok()?;
        Some(self.receiver.borrow_and_update().clone())
    }
}
