//! Reports of a link: reconciliation, lifetime meters, variance, displayed amounts, and the payoff of a hit.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::values::{
    Account, Amount, HitName, LevelName, LinkName, Position, ProposalId, TableName, Time,
};
use crate::words::{DecreaseCause, PayoffEntryKind};

/// The books of a link between two times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Reconciliation {
    /// Link.
    pub link: LinkName,
    /// Start; null from the opening.
    pub from: Option<Time>,
    /// End; null up to now.
    pub to: Option<Time>,
    /// Last batch before the start; 0 from the opening.
    pub from_batch: u64,
    /// Last batch that counts.
    pub to_batch: u64,
    /// True if every difference is 0.00.
    pub balanced: bool,
    /// Lines by level, then `fixed`: odds and envy, which touch no meter.
    pub levels: Vec<ReconciliationLine>,
}

/// One line: opening + contributions + house - paid + adjustments = closing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReconciliationLine {
    /// Level, or `fixed`.
    pub level: LevelName,
    /// Opening balance of meter, reserve and overflow, with amounts won but unpaid.
    pub opening: Amount,
    /// Contributions of wagers, less those that void rounds took back.
    pub contributions: Amount,
    /// Funding by the house: seeds, reseeds, fixed pays and envy, less returns to the house.
    pub house: Amount,
    /// Payments to players.
    pub paid: Amount,
    /// Adjustments by two people.
    pub adjustments: Amount,
    /// Closing balance, by the stored balances.
    pub closing: Amount,
    /// Part of the closing balance that is won but unpaid.
    pub pending: Amount,
    /// Difference: must be 0.00.
    pub difference: Amount,
}

/// The exact balances of one level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BookBalances {
    /// Level, or `fixed`: odds and envy, which touch no meter.
    pub level: LevelName,
    /// Displayed balance, before it is cut to the cent.
    pub meter: Amount,
    /// Hidden balance.
    pub reserve: Amount,
    /// Amount that a ceiling kept out of the meter.
    pub overflow: Amount,
    /// Amount won but unpaid.
    pub pending: Amount,
}

/// The liability of a link: what the house owes to players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Liability {
    /// Link.
    pub link: LinkName,
    /// Server time, or the moment that was asked for.
    pub at: Time,
    /// Newest batch, or the last one up to the moment.
    pub batch: u64,
    /// Time of the batch.
    pub batch_at: Time,
    /// True if no batch can be added up to the moment any more.
    pub complete: bool,
    /// Liabilities by level, then `fixed`: odds and envy, which touch no meter.
    pub levels: Vec<LevelLiability>,
    /// Sums of all levels.
    pub total: AccountTotals,
}

/// The liability of one level, exact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LevelLiability {
    /// Level, or `fixed`.
    pub level: LevelName,
    /// Displayed balance, before it is cut to the cent.
    pub meter: Amount,
    /// Hidden balance.
    pub reserve: Amount,
    /// Amount that a ceiling kept out of the meter.
    pub overflow: Amount,
    /// Amount won but unpaid.
    pub pending: Amount,
    /// Sum of the four.
    pub total: Amount,
}

/// The sums of all levels by account, exact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AccountTotals {
    /// Displayed balances.
    pub meter: Amount,
    /// Hidden balances.
    pub reserve: Amount,
    /// Amounts that ceilings kept out of meters.
    pub overflow: Amount,
    /// Amounts won but unpaid.
    pub pending: Amount,
    /// Sum of the four.
    pub total: Amount,
}

/// The lifetime meters of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Lifetime {
    /// Link.
    pub link: LinkName,
    /// Batch of the report.
    pub batch: u64,
    /// Rounds locked.
    pub rounds: u64,
    /// Wagers accepted, including those of void rounds.
    pub wagers: u64,
    /// Wagers that void rounds returned.
    pub wagers_voided: u64,
    /// Amount wagered.
    pub coin_in: Amount,
    /// Amount that void rounds returned.
    pub coin_in_voided: Amount,
    /// Contributions by pool.
    pub pools: Vec<LifetimePool>,
    /// Counts by level, then `fixed`: odds and envy, which touch no meter.
    pub levels: Vec<LifetimeLevel>,
    /// Counts by line of the paytable, then Magic Card and Lucky Bonus if the paytable offers them.
    pub lines: Vec<LifetimeLine>,
}

/// The contributions to one pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LifetimePool {
    /// Level.
    pub level: LevelName,
    /// Account.
    pub account: Account,
    /// Contributions of wagers, exact.
    pub contributed: Amount,
    /// Contributions that void rounds took back, exact.
    pub voided: Amount,
}

/// The counts of one level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LifetimeLevel {
    /// Level, or `fixed`.
    pub level: LevelName,
    /// Payments by a machine: none on live tables.
    pub machine_paid: Amount,
    /// Payments by a person.
    pub attendant_paid: Amount,
    /// Funding by the house: seeds, reseeds, fixed pays and covered shortfalls.
    pub house_funded: Amount,
    /// Amount that a ceiling kept out of the meter.
    pub overflow: Amount,
    /// Amount that two people added.
    pub adjusted_up: Amount,
    /// Amount that two people took away.
    pub adjusted_down: Amount,
    /// Number of wins.
    pub resets: u64,
}

/// The counts of one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LifetimeLine {
    /// Hand, `magic_card` or `lucky_bonus`.
    #[schema(examples("royal-flush"))]
    pub line: String,
    /// Hits that were not undone.
    pub hits: u64,
    /// Amount due to them.
    pub due: Amount,
}

/// The expected contributions of wagers, against the booked ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Variance {
    /// Link.
    pub link: LinkName,
    /// Batch of the report.
    pub batch: u64,
    /// Wagers accepted, including those of void rounds.
    pub wagers: u64,
    /// Wagers that void rounds returned.
    pub wagers_voided: u64,
    /// Limit above which a variance is flagged.
    pub limit: Amount,
    /// Variances by pool.
    pub pools: Vec<PoolVariance>,
}

/// The variance of one pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PoolVariance {
    /// Level.
    pub level: LevelName,
    /// Account.
    pub account: Account,
    /// Contribution of each wager, exact.
    pub share: Amount,
    /// Expected amount: wagers × share.
    pub expected: Amount,
    /// Amount that the coin-ins booked.
    pub booked: Amount,
    /// Amount that two people added with the reason `variance`; negative if they took it away.
    pub adjusted: Amount,
    /// Variance: booked + adjusted - expected.
    pub variance: Amount,
    /// True if the variance is above the limit: two people then adjust the account, with the reason `variance`.
    pub flagged: bool,
}

/// The displayed amounts of a link at the start and the end of a period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DisplayedAmounts {
    /// Link.
    pub link: LinkName,
    /// Start.
    pub from: Time,
    /// End.
    pub to: Time,
    /// True if the period is over: nothing is added to it any more.
    pub complete: bool,
    /// Last batch before the period; 0 if the link was not open yet.
    pub from_batch: u64,
    /// Last batch of the period.
    pub to_batch: u64,
    /// Amounts by level.
    pub levels: Vec<DisplayedLevel>,
    /// Every decrease of a meter, in the journal's order.
    pub decreases: Vec<Decrease>,
    /// Number of decreases without a cause: must be 0.
    pub flagged: usize,
}

/// The displayed amounts of a level at the start and the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DisplayedLevel {
    /// Level.
    pub level: LevelName,
    /// Displayed amount at the start.
    pub opening: Amount,
    /// Displayed amount at the end.
    pub closing: Amount,
}

/// One decrease of a meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Decrease {
    /// Level.
    pub level: LevelName,
    /// Position in the journal.
    pub position: Position,
    /// Time.
    pub at: Time,
    /// Exact amount of the decrease, with the restart of the level.
    pub amount: Amount,
    /// Cause; null if nothing in the journal explains the decrease.
    pub cause: Option<DecreaseCause>,
    /// Hit, if the cause is about one.
    pub hit: Option<HitName>,
    /// Proposal, if two people caused it.
    pub proposal: Option<ProposalId>,
    /// True if there is no cause.
    pub flagged: bool,
}

/// The origin of a hit's amount since the level was won before: opening + contributions + entries = before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Payoff {
    /// Hit.
    pub hit: HitName,
    /// Link.
    pub link: LinkName,
    /// Level.
    pub level: LevelName,
    /// Win that the report starts with; null if it starts with the link's opening.
    pub since_hit: Option<HitName>,
    /// Time of that start.
    pub since: Time,
    /// Meter at the start, exact.
    pub opening: Amount,
    /// Contributions of wagers by table.
    pub contributions: Vec<PayoffContribution>,
    /// Other movements of the meter, in their order.
    pub entries: Vec<PayoffEntry>,
    /// Meter directly before the hit, exact.
    pub before: Amount,
    /// Displayed amount before the hit: the meter, cut to the cent.
    pub displayed: Amount,
    /// Amount due from the level.
    pub due: Amount,
    /// Meter directly after the hit, exact.
    pub after: Amount,
    /// Difference: must be 0.00.
    pub difference: Amount,
}

/// The contributions of one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PayoffContribution {
    /// Table.
    pub table: TableName,
    /// Number of wagers.
    pub wagers: u64,
    /// Contributions to the meter, exact.
    pub amount: Amount,
}

/// Another movement of the meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PayoffEntry {
    /// Position in the journal.
    pub position: Position,
    /// Time.
    pub at: Time,
    /// Kind.
    pub kind: PayoffEntryKind,
    /// Hit, if the movement is about one.
    pub hit: Option<HitName>,
    /// Amount added, exact; negative if it was taken.
    pub amount: Amount,
}
