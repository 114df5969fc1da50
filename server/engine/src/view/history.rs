//! The history of one level.

use meterhouse_domain::ids::{LevelName, LinkName, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_store::{LevelBalances, LevelStep};

use super::hit::HitView;

/// The history of a level in a period.
#[derive(Clone, Debug)]
pub struct HistoryView {
    /// The link.
    pub link: LinkName,
    /// The level.
    pub level: LevelName,
    /// The start of the period.
    pub from: Timestamp,
    /// The end of the period, which does not belong to it.
    pub to: Timestamp,
    /// Set if no batch can be added to the period any more.
    pub complete: bool,
    /// The last batch before the period.
    pub from_batch: u64,
    /// The last batch of the period.
    pub to_batch: u64,
    /// The points of the plot.
    pub points: HistoryPoints,
    /// The hits of the level, in their order.
    pub hits: Vec<HitView>,
    /// Set if the period has more hits.
    pub hits_missing: bool,
}

/// The points of a plot.
#[derive(Clone, Debug)]
pub enum HistoryPoints {
    /// Every batch, and every coin-in if there are not too many.
    Steps(Vec<LevelStep>, Option<Vec<HistoryCoinIn>>),
    /// Stretches of equal length.
    Buckets(Vec<HistoryBucket>),
}

/// A stretch of a period.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct HistoryBucket {
    /// The start of the stretch.
    pub from: Timestamp,
    /// The end of the stretch, which does not belong to it.
    pub to: Timestamp,
    /// The last batch before its end.
    pub batch: u64,
    /// The balances at its start.
    pub first: LevelBalances,
    /// The least balances.
    pub least: LevelBalances,
    /// The greatest balances.
    pub greatest: LevelBalances,
    /// The balances at its end.
    pub last: LevelBalances,
}

/// A coin-in with its contribution to the level's meter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryCoinIn {
    /// The time.
    pub at: Timestamp,
    /// The batch.
    pub batch: u64,
    /// The round: its table and coin-in.
    pub round: String,
    /// The table.
    pub table: String,
    /// The contribution.
    pub amount: Money,
}
