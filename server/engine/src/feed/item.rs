//! What displays are sent. Encoded once for all of them.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use meterhouse_domain::ids::{LevelName, TableName, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_journal::hit::HitState;

use crate::feed::audience::Audience;
use crate::stored_rows::stands;
use crate::view::{HitView, LinkView, LinkWord, Place, TableStatus};

/// One message of a feed.
#[derive(Clone, Debug)]
pub enum FeedEvent {
    /// Everything a display needs to begin: sent first, and again to one that fell too far behind.
    Snapshot {
        /// The link with its newest amounts.
        link: LinkView,
        /// The newest hits, newest first, at most [`SNAPSHOT_HITS_MAX`].
        hits: Vec<HitView>,
        /// The newest happening that it contains.
        place: Place,
        /// Whether happenings that the display was not told are neither sent after it.
        missing: bool,
        /// The server's time.
        at: Timestamp,
    },
    /// The newest amounts; older ones never follow.
    Meters {
        /// The batch that they are as of: strictly increasing.
        batch: u64,
        /// What the signs show, in the order of the levels.
        displayed: Vec<Money>,
        /// The server's time.
        at: Timestamp,
    },
    /// A winning hand was keyed.
    Hit {
        /// Where it stands in the journal.
        place: Place,
        /// When.
        at: Timestamp,
        /// The hit, as keyed.
        hit: Box<HitView>,
    },
    /// A hit changed its state.
    HitChanged {
        /// Where it stands in the journal.
        place: Place,
        /// When.
        at: Timestamp,
        /// The hit as people write it.
        hit: String,
        /// Its state now; none where players see only that it is no longer won.
        state: Option<HitState>,
        /// What it is owed now, where that changed because an earlier hit was withdrawn.
        resettled: Option<Money>,
    },
    /// A payout reached the player.
    Paid {
        /// Where it stands in the journal.
        place: Place,
        /// When.
        at: Timestamp,
        /// The hit as people write it.
        hit: String,
        /// The payout's number.
        payout: u32,
        /// How much.
        amount: Money,
    },
    /// The link changed its state.
    LinkState {
        /// Where it stands in the journal.
        place: Place,
        /// When.
        at: Timestamp,
        /// Its state.
        state: LinkWord,
        /// Why.
        reason: Option<String>,
        /// The levels that are off, where they are told of.
        disabled: Option<Vec<LevelName>>,
    },
    /// A table was lost, or is back in service.
    TableState {
        /// Where it stands in the journal.
        place: Place,
        /// When.
        at: Timestamp,
        /// The table.
        table: TableName,
        /// Its status.
        status: TableStatus,
    },
}

impl FeedEvent {
    /// Returns what players are told instead, where that differs. A snapshot is made for its audience already.
    pub(crate) fn for_players(&self) -> Option<Self> {
        match self {
            Self::HitChanged {
                place,
                at,
                hit,
                state: Some(state),
                resettled,
            } if !stands(*state) => Some(Self::HitChanged {
                place: *place,
                at: *at,
                hit: hit.clone(),
                state: None,
                resettled: *resettled,
            }),
            Self::TableState {
                place,
                at,
                table,
                status,
            } if status.for_players() != *status => Some(Self::TableState {
                place: *place,
                at: *at,
                table: table.clone(),
                status: status.for_players(),
            }),
            Self::Snapshot { .. }
            | Self::Meters { .. }
            | Self::Hit { .. }
            | Self::HitChanged { .. }
            | Self::Paid { .. }
            | Self::LinkState { .. }
            | Self::TableState { .. } => None,
        }
    }
}

/// The word for the state of a hit that is no longer won, where its reason is not told.
pub const UNDONE: &str = "undone";

/// Returns the word for the state that a [`FeedEvent::HitChanged`] tells.
pub const fn state_word(state: Option<HitState>) -> &'static str {
    match state {
        Some(state) => state.name(),
        None => UNDONE,
    }
}

/// Hits in a snapshot: the last 25 have to be at hand (CONFORMANCE 62).
pub const SNAPSHOT_HITS_MAX: u32 = 25;

/// A message with its text and its bytes, each made by whoever sends it first in that form.
#[derive(Debug)]
pub struct FeedItem {
    /// What it says.
    pub event: FeedEvent,
    /// What players are told instead, where that differs.
    players: Option<Arc<Self>>,
    text: OnceLock<Arc<str>>,
    bytes: OnceLock<Bytes>,
}

impl FeedItem {
    /// A message that nobody has sent yet.
    pub fn new(event: FeedEvent) -> Self {
        let players = event.for_players();
        Self {
            players: players.map(|it| Arc::new(Self::new(it))),
            event,
            text: OnceLock::new(),
            bytes: OnceLock::new(),
        }
    }

    /// Returns the message as an audience is told it.
    pub(crate) fn for_audience(self: Arc<Self>, audience: Audience) -> Arc<Self> {
        match (&self.players, audience) {
            (Some(players), Audience::Players) => Arc::clone(players),
            (None, Audience::Players) | (_, Audience::Floor) => self,
        }
    }

    /// Its text, encoded at the first call.
    pub fn text(&self, encode: impl FnOnce(&FeedEvent) -> String) -> Arc<str> {
        Arc::clone(self.text.get_or_init(|| Arc::from(encode(&self.event))))
    }

    /// Its bytes, encoded at the first call.
    pub fn bytes(&self, encode: impl FnOnce(&FeedEvent) -> Bytes) -> Bytes {
        self.bytes.get_or_init(|| encode(&self.event)).clone()
    }
}
