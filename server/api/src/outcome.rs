//! The outcome of a table's command.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::hit::Hit;
use crate::level::{ContributedLevel, LevelAmount};
use crate::round_settlement::RoundSettlement;
use crate::values::{Card, HitName, Position, TableName, Time, VoidReason};

/// The outcome of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CommandResponse {
    /// Table.
    pub table: TableName,
    /// Number of the command.
    #[schema(minimum = 1)]
    pub sequence: u64,
    /// Result, with the fields of its command.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Server time.
    pub at: Time,
    /// Position in the journal.
    pub position: Position,
}

/// The result of each command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Outcome {
    /// The round is locked.
    CoinIn(CoinInOutcome),
    /// The chips were counted.
    Count(CountOutcome),
    /// Seats gave up their hands.
    Fold(FoldOutcome),
    /// A hit was entered.
    Hit(Box<HitOutcome>),
    /// A hand without a wager was entered.
    Envy(Box<HitOutcome>),
    /// A bonus of the draw was entered.
    Bonus(Box<HitOutcome>),
    /// The round was settled from its cards.
    Settle(SettleOutcome),
    /// A hit was cancelled.
    CancelHit(CancelHitOutcome),
    /// The round is over.
    Close(CloseOutcome),
    /// The round is void.
    Void(VoidOutcome),
}

/// The round is locked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CoinInOutcome {
    /// Round: its table and coin-in.
    #[schema(examples("C4P-07.1"))]
    pub round: String,
    /// Lit seats: an accepted wager on the own hand.
    pub seats: Vec<u8>,
    /// Seats with an accepted wager on the dealer's hand.
    pub dealer_seats: Vec<u8>,
    /// Number of accepted wagers.
    pub wagers: u32,
    /// Magic Card that the table game system drew; null if it drew none.
    pub magic_card: Option<Card>,
    /// Lucky position that the table game system drew; null if it drew none.
    pub lucky_position: Option<BettingPosition>,
    /// Levels, with the contributions.
    pub levels: Vec<ContributedLevel>,
}

/// A betting position: a seat, or the dealer's hand.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BettingPosition {
    /// Seat; null for the dealer's hand.
    pub seat: Option<u8>,
    /// True for the dealer's hand.
    pub dealer: bool,
}

/// The chips were counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CountOutcome {
    /// Number of chips.
    pub chips: u32,
    /// Number of wagers that the coin-in accepted.
    pub accepted: u32,
    /// True if the numbers differ: an exception for the floor, never corrected silently.
    pub differ: bool,
    /// Levels.
    pub levels: Vec<LevelAmount>,
}

/// Seats gave up their hands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FoldOutcome {
    /// Seats.
    pub seats: Vec<u8>,
    /// Levels.
    pub levels: Vec<LevelAmount>,
}

/// A hit was entered, and its amount is locked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HitOutcome {
    /// Hit.
    pub hit: Hit,
    /// Levels after the hit.
    pub levels: Vec<LevelAmount>,
}

/// The round was settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SettleOutcome {
    /// Hits in turn order, numbered from 1; none if no hand won.
    pub hits: Vec<Hit>,
    /// Levels after all hits.
    pub levels: Vec<LevelAmount>,
    /// Settled fixed wagers; left out if the command had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<RoundSettlement>)]
    pub settlement: Option<Box<RoundSettlement>>,
}

/// A hit was cancelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CancelHitOutcome {
    /// Name of the hit.
    pub hit: HitName,
    /// Levels.
    pub levels: Vec<LevelAmount>,
}

/// The round is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CloseOutcome {
    /// Hits whose remaining payouts were paid with the close.
    pub hits: Vec<HitName>,
    /// Levels.
    pub levels: Vec<LevelAmount>,
}

/// The round is void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VoidOutcome {
    /// Reason.
    pub reason: VoidReason,
    /// The round's own hits that were reversed first, newest first.
    pub hits: Vec<HitName>,
    /// Levels.
    pub levels: Vec<LevelAmount>,
}
