//! The messages of a link's feed, as WebSocket texts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::hit::HitSummary;
use crate::level::LevelAmount;
use crate::link::LinkedTable;
use crate::presentation::LinkPresentation;
use crate::values::{Amount, Card, HitName, LevelName, LinkName, Position, Seal, TableName, Time};
use crate::words::{FeedHitState, LinkState, TableState};

/// A message of a feed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FeedMessage {
    /// Complete state, first and after falling too far behind.
    Snapshot(Box<Snapshot>),
    /// Newest amounts.
    Meters(Meters),
    /// A winning hand was entered.
    Hit(FeedHit),
    /// A hit changed its state.
    HitChanged(HitChanged),
    /// A payout reached its player.
    Paid(PayoutReached),
    /// The link changed its state.
    LinkState(LinkStateChanged),
    /// A table changed its state.
    TableState(TableStateChanged),
    /// The link is presented in another way.
    Presentation(PresentationChanged),
    /// Sign of life.
    Heartbeat(FeedHeartbeat),
}

/// The complete state of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Snapshot {
    /// Link.
    pub link: LinkName,
    /// Title of the link's paytable.
    pub title: String,
    /// Progressive wager.
    pub wager: Amount,
    /// State.
    pub state: LinkState,
    /// Reason that the link is not open.
    pub reason: Option<String>,
    /// Levels that are off.
    pub disabled: Vec<LevelName>,
    /// Newest batch.
    pub batch: u64,
    /// Position of the newest event, from which a display resumes.
    pub position: Position,
    /// True if events since the display's last position are left out, because there are more than 1,000.
    pub missing: bool,
    /// Server time.
    pub at: Time,
    /// Seal of the state, to be sent with the next connection. A server of 0.1.0 has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<Seal>,
    /// Presentation of the link. A server of 0.1.0 has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presentation: Option<LinkPresentation>,
    /// Displayed amounts.
    pub levels: Vec<LevelAmount>,
    /// Tables.
    pub tables: Vec<LinkedTable>,
    /// Newest hits, newest first; for players only those that are still won.
    pub hits: Vec<FeedHit>,
}

/// The newest amounts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Meters {
    /// Batch after which the amounts hold: strictly increasing.
    pub batch: u64,
    /// Start of that batch. Not for resuming: an event of the batch may still follow.
    pub position: Position,
    /// Server time.
    pub at: Time,
    /// Displayed amounts.
    pub levels: Vec<LevelAmount>,
    /// Seal of the batch, to be sent with the next connection. A server of 0.1.0 has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<Seal>,
}

/// A hit with its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FeedHit {
    /// Position in the journal, from which a display resumes. Left out in a snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// Time at which the hit was entered.
    pub at: Time,
    /// Hit.
    #[serde(flatten)]
    pub hit: HitSummary,
    /// Cards of the hand, once they are known: they lie open on the felt. Left out before, and by a server of 0.1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<Card>>,
}

/// A hit changed its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HitChanged {
    /// Position in the journal, from which a display resumes.
    pub position: Position,
    /// Time of the change.
    pub at: Time,
    /// Hit.
    pub hit: HitName,
    /// New state.
    pub state: FeedHitState,
    /// New amount due, if the withdrawal of an earlier hit changed it.
    pub due: Option<Amount>,
    /// Cards that the supervisor saw, if the hit was validated with them: they count from then on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<Card>>,
}

/// A payout reached its player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PayoutReached {
    /// Position in the journal, from which a display resumes.
    pub position: Position,
    /// Time of the payment.
    pub at: Time,
    /// Hit.
    pub hit: HitName,
    /// Number of the payout.
    pub payout: u32,
    /// Amount.
    pub amount: Amount,
}

/// The link changed its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkStateChanged {
    /// Position in the journal, from which a display resumes.
    pub position: Position,
    /// Time of the change.
    pub at: Time,
    /// New state.
    pub state: LinkState,
    /// Reason.
    pub reason: Option<String>,
    /// Levels that are off; null if the message doesn't say.
    pub disabled: Option<Vec<LevelName>>,
}

/// A table changed its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableStateChanged {
    /// Position in the journal, from which a display resumes.
    pub position: Position,
    /// Time of the change.
    pub at: Time,
    /// Table.
    pub table: TableName,
    /// New state.
    pub state: TableState,
}

/// The link is presented in another way. It is no event of the journal, and has no position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PresentationChanged {
    /// Server time.
    pub at: Time,
    /// New presentation, whole.
    pub presentation: LinkPresentation,
}

/// A sign of life.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FeedHeartbeat {
    /// Server time.
    pub at: Time,
}
