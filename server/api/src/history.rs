//! The history of one level of a link, for plots.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::values::{Amount, Hand, HitName, HitState, LevelName, LinkName, TableName, Time};

/// The history of a level in a period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LevelHistory {
    /// Link.
    pub link: LinkName,
    /// Level.
    pub level: LevelName,
    /// Start of the period: the time that was asked for, or the opening of the link if that is later.
    pub from: Time,
    /// End of the period, which does not belong to it: the time that was asked for, or now if that is earlier.
    pub to: Time,
    /// True if no batch can be added to the period any more.
    pub complete: bool,
    /// Last batch before the period.
    pub from_batch: u64,
    /// Last batch of the period.
    pub to_batch: u64,
    /// True if each point is one batch; false if each point is a stretch of time.
    pub is_each_batch: bool,
    /// Points, in their order.
    pub points: Vec<HistoryPoint>,
    /// Coin-ins of the period; null if there are more than points were asked for.
    pub coin_ins: Option<Vec<HistoryCoinIn>>,
    /// Hits that took from the level, in their order: at most 100. Of more, those that took all of the level come first.
    pub hits: Vec<HistoryHit>,
    /// True if there are more hits.
    pub hits_missing: bool,
}

/// A point of a plot: one batch, or a stretch of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HistoryPoint {
    /// Start of the stretch; the time of the batch if the point is one.
    pub from: Time,
    /// End of the stretch, which does not belong to it; the time of the batch if the point is one.
    pub to: Time,
    /// Batch, or the last one before the end of the stretch.
    pub batch: u64,
    /// Displayed amounts.
    pub amount: HistoryRange,
    /// Exact balances of the reserve.
    pub reserve: HistoryRange,
}

/// Amounts of a point: stored balances, never a mean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HistoryRange {
    /// Amount at the start.
    pub first: Amount,
    /// Least amount.
    pub min: Amount,
    /// Greatest amount.
    pub max: Amount,
    /// Amount at the end.
    pub last: Amount,
}

/// A coin-in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HistoryCoinIn {
    /// Time.
    pub at: Time,
    /// Batch.
    pub batch: u64,
    /// Round: its table and coin-in.
    #[schema(examples("C4P-07.1"))]
    pub round: String,
    /// Table.
    pub table: TableName,
    /// Contribution to the level's meter, exact.
    pub amount: Amount,
}

/// A hit that took from the level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HistoryHit {
    /// Hit.
    pub hit: HitName,
    /// Time at which it was entered.
    pub at: Time,
    /// Table.
    pub table: TableName,
    /// Hand; null for a bonus of the draw.
    pub hand: Option<Hand>,
    /// Present state. A hit that was undone gave back what it took.
    pub state: HitState,
    /// Percentage of the level; null if fixed odds were taken from the level.
    pub percent: Option<u8>,
    /// Exact balance of the level before the hit.
    pub before: Option<Amount>,
    /// Exact balance of the level after the hit.
    pub after: Option<Amount>,
}
