//! The messages of a feed. Each is encoded once for all displays.

use meterhouse_journal::position::Position;
use meterhouse_journal::seal::Seal;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use meterhouse_domain::card::Card;
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{LevelName, TableName, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_domain::presentation::LinkPresentation;
use meterhouse_journal::hit::HitState;

use crate::feed::audience::Audience;
use crate::stored_rows::stands;
use crate::view::{HitView, LinkStatus, LinkView, TableStatus};

/// One message of a feed.
#[derive(Clone, Debug)]
pub enum FeedEvent {
    /// The complete state from which a display begins. Sent first, and again to a display that fell too far behind.
    Snapshot {
        /// The link with its newest amounts.
        link: LinkView,
        /// The newest hits, newest first, at most [`SNAPSHOT_HITS_MAX`].
        hits: Vec<HitView>,
        /// The position of the newest notable event in the snapshot.
        position: Position,
        /// Set if the display has missed events that are not sent after the snapshot either.
        missing: bool,
        /// The server's time.
        at: Timestamp,
        /// The seal of a batch that the snapshot contains.
        seal: Seal,
    },
    /// The newest amounts. Older ones never follow.
    Meters {
        /// The batch of the amounts: strictly increasing.
        batch: u64,
        /// The amounts that the signs show, level by level.
        displayed: Vec<Money>,
        /// The server's time.
        at: Timestamp,
        /// The seal of the batch.
        seal: Seal,
    },
    /// A hit was entered.
    Hit {
        /// The position in the journal.
        position: Position,
        /// The time of the event.
        at: Timestamp,
        /// The hit, as entered.
        hit: Box<HitView>,
    },
    /// A hit changed its state.
    HitChanged {
        /// The position in the journal.
        position: Position,
        /// The time of the event.
        at: Timestamp,
        /// The name of the hit.
        hit: HitName,
        /// The present state. Empty if players see only that the hit is no longer won.
        state: Option<HitState>,
        /// The amount now owed, if it changed because an earlier hit was withdrawn.
        due: Option<Money>,
        /// The cards that the supervisor saw, if the hit was validated with them.
        cards: Option<Vec<Card>>,
    },
    /// A payout was handed over to the player.
    Paid {
        /// The position in the journal.
        position: Position,
        /// The time of the event.
        at: Timestamp,
        /// The name of the hit.
        hit: HitName,
        /// The number of the payout.
        payout: u32,
        /// The amount of the payout.
        amount: Money,
    },
    /// The link changed its state.
    LinkState {
        /// The position in the journal.
        position: Position,
        /// The time of the event.
        at: Timestamp,
        /// The present state.
        state: LinkStatus,
        /// The reason for the state.
        reason: Option<String>,
        /// The levels that are off. Empty if they did not change.
        disabled: Option<Vec<LevelName>>,
    },
    /// A table was lost, or is back in service.
    TableState {
        /// The position in the journal.
        position: Position,
        /// The time of the event.
        at: Timestamp,
        /// The name of the table.
        table: TableName,
        /// The present status.
        status: TableStatus,
    },
    /// The link is presented in another way. No event of the journal.
    Presentation {
        /// The server's time.
        at: Timestamp,
        /// The new presentation.
        presentation: LinkPresentation,
    },
}

impl FeedEvent {
    /// Returns the players' version of the message, if it differs. A snapshot is made for its audience already.
    pub(crate) fn for_players(&self) -> Option<Self> {
        match self {
            Self::HitChanged {
                position,
                at,
                hit,
                state: Some(state),
                due,
                cards: _,
            } if !stands(*state) => Some(Self::HitChanged {
                position: *position,
                at: *at,
                hit: hit.clone(),
                state: None,
                due: *due,
                cards: None,
            }),
            Self::TableState {
                position,
                at,
                table,
                status,
            } if status.for_players() != *status => Some(Self::TableState {
                position: *position,
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
            | Self::TableState { .. }
            | Self::Presentation { .. } => None,
        }
    }
}

/// The word for the state of a hit that is no longer won, without the reason.
pub const UNDONE: &str = "undone";

/// Returns the word for the state in a [`FeedEvent::HitChanged`].
pub const fn state_word(state: Option<HitState>) -> &'static str {
    match state {
        Some(state) => state.name(),
        None => UNDONE,
    }
}

/// Maximum number of hits in a snapshot: the last 25 have to be at hand (CONFORMANCE 62).
pub const SNAPSHOT_HITS_MAX: u32 = 25;

/// A message with its text and its bytes, each encoded at the first send in that form.
#[derive(Debug)]
pub struct FeedItem {
    /// The content of the message.
    pub event: FeedEvent,
    /// The players' version, if it differs.
    players: Option<Arc<Self>>,
    text: OnceLock<Arc<str>>,
    bytes: OnceLock<Bytes>,
}

impl FeedItem {
    /// Returns a message that is not encoded yet.
    pub fn new(event: FeedEvent) -> Self {
        let players = event.for_players();
        Self {
            players: players.map(|event| Arc::new(Self::new(event))),
            event,
            text: OnceLock::new(),
            bytes: OnceLock::new(),
        }
    }

    /// Returns the version of the message for an audience.
    pub(crate) fn for_audience(self: Arc<Self>, audience: Audience) -> Arc<Self> {
        match (&self.players, audience) {
            (Some(players), Audience::Players) => Arc::clone(players),
            (None, Audience::Players) | (_, Audience::Floor) => self,
        }
    }

    /// Returns the text, encoded at the first call.
    pub fn text(&self, encode: impl FnOnce(&FeedEvent) -> String) -> Arc<str> {
        Arc::clone(self.text.get_or_init(|| Arc::from(encode(&self.event))))
    }

    /// Returns the bytes, encoded at the first call.
    pub fn bytes(&self, encode: impl FnOnce(&FeedEvent) -> Bytes) -> Bytes {
        self.bytes.get_or_init(|| encode(&self.event)).clone()
    }
}
