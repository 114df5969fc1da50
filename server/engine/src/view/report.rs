//! Reports of a link's books: lifetime meters, payoff, variance.

use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{LevelName, LinkName, TableName, Timestamp};
use meterhouse_domain::link::Account;
use meterhouse_domain::money::Money;
use meterhouse_journal::position::Position;

use super::hit::HitView;

/// Lifetime meters of a link (CONFORMANCE 10): totals since it was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LifetimeView {
    /// The link.
    pub link: LinkName,
    /// The batch of the totals.
    pub batch: u64,
    /// Rounds locked.
    pub rounds: u64,
    /// Wagers accepted.
    pub wagers: u64,
    /// Wagers given back by void rounds.
    pub wagers_voided: u64,
    /// The amount wagered.
    pub coin_in: Money,
    /// The amount returned by void rounds.
    pub coin_in_voided: Money,
    /// The contributions of wagers, by pool.
    pub pools: Vec<PoolMeter>,
    /// The levels, then the pays that touch no meter.
    pub levels: Vec<LevelMeter>,
    /// The lines of the paytable, then Magic Card and Lucky Bonus if the paytable offers them.
    pub lines: Vec<LineMeter>,
}

/// The contributions of wagers to one pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolMeter {
    /// The level.
    pub level: LevelName,
    /// `Meter` or `Reserve`.
    pub account: Account,
    /// The contributions of wagers.
    pub contributed: Money,
    /// The contributions returned by void rounds.
    pub voided: Money,
}

/// The totals of one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelMeter {
    /// The level's name, or `fixed`.
    pub name: String,
    /// The amount paid by the machine itself: zero on live tables.
    pub machine_paid: Money,
    /// The amount paid with the help of a person.
    pub attendant_paid: Money,
    /// The house's money that was added.
    pub house_funded: Money,
    /// The amount that a ceiling kept out of the meter.
    pub overflow: Money,
    /// Two people's adjustments upwards.
    pub adjusted_up: Money,
    /// Two people's adjustments downwards.
    pub adjusted_down: Money,
    /// The number of wins.
    pub resets: u64,
}

/// The totals of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMeter {
    /// The hand, or the bonus.
    pub name: String,
    /// Hits that were not undone.
    pub hits: u64,
    /// The amount due for these hits.
    pub due: Money,
}

/// The payoff of a hit: the amount of its level since the last win (CONFORMANCE 57).
#[derive(Clone, Debug)]
pub struct PayoffView {
    /// The hit.
    pub hit: HitView,
    /// The level.
    pub level: LevelName,
    /// The beginning of the range.
    pub since: PayoffSince,
    /// The exact meter at the beginning.
    pub opening: Money,
    /// The contributions of wagers to the meter, by table.
    pub contributions: Vec<PayoffTable>,
    /// All other moves of the meter, in their order.
    pub entries: Vec<PayoffEntry>,
    /// The exact meter right before the hit.
    pub before: Money,
    /// The displayed amount: the meter, cut to the cent.
    pub displayed: Money,
    /// The amount due from the level.
    pub due: Money,
    /// The exact meter right after the hit.
    pub after: Money,
    /// before - (opening + contributions + entries): has to be zero.
    pub difference: Money,
}

/// The beginning of a payoff's range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PayoffSince {
    /// The link's opening.
    Opening {
        /// The time of the opening.
        at: Timestamp,
    },
    /// The last win of the level that stands.
    Hit {
        /// The hit.
        hit: HitName,
        /// The time of the win.
        at: Timestamp,
    },
}

/// The contributions of one table's wagers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayoffTable {
    /// The table.
    pub table: TableName,
    /// The number of wagers.
    pub wagers: u64,
    /// The exact amount added to the meter.
    pub amount: Money,
}

/// Another move of a meter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayoffEntry {
    /// The position in the journal.
    pub position: Position,
    /// The time of the move.
    pub at: Timestamp,
    /// The kind of the move.
    pub what: PayoffWhat,
    /// The hit, if the move is one.
    pub hit: Option<HitName>,
    /// The added amount. A negative amount was taken.
    pub amount: Money,
}

/// The kind of a meter's move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PayoffWhat {
    /// A hit took a part of the meter.
    Hit,
    /// A round was voided.
    Void,
    /// A ceiling was reached.
    Ceiling,
    /// Two people adjusted the meter.
    Adjustment,
    /// A winner was found after GAME OVER.
    LateHit,
}

impl PayoffWhat {
    /// Returns the word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::Void => "void",
            Self::Ceiling => "ceiling",
            Self::Adjustment => "adjustment",
            Self::LateHit => "late_hit",
        }
    }
}

/// The expected contributions of wagers, against the booked ones (CONFORMANCE 60).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarianceView {
    /// The link.
    pub link: LinkName,
    /// The batch of the report.
    pub batch: u64,
    /// Wagers accepted, including those of void rounds.
    pub wagers: u64,
    /// Wagers returned by void rounds.
    pub wagers_voided: u64,
    /// The limit above which a variance is flagged.
    pub limit: Money,
    /// The lines by pool.
    pub lines: Vec<VarianceLine>,
}

/// One pool's variance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarianceLine {
    /// The level.
    pub level: LevelName,
    /// `Meter` or `Reserve`.
    pub account: Account,
    /// The contribution of one wager.
    pub share: Money,
    /// Wagers × share.
    pub expected: Money,
    /// The amount that coin-ins booked.
    pub booked: Money,
    /// The amount that two people added for a variance. Negative if they took money away.
    pub adjusted: Money,
    /// booked + adjusted - expected.
    pub variance: Money,
    /// Set if the variance exceeds the limit.
    pub flagged: bool,
}
