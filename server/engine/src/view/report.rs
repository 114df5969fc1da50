//! Reports of a link's books: lifetime meters, payoff, variance.

use meterhouse_domain::ids::{LevelName, LinkName, TableName, Timestamp};
use meterhouse_domain::link::Account;
use meterhouse_domain::money::Money;

use super::hit::HitView;
use super::hit_name::HitName;
use super::journal::Place;

/// Lifetime meters of a link (CONFORMANCE 10): what was counted since it opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LifetimeView {
    /// The link.
    pub link: LinkName,
    /// The batch that it is as of.
    pub batch: u64,
    /// Rounds locked.
    pub rounds: u64,
    /// Wagers accepted.
    pub wagers: u64,
    /// Wagers given back by void rounds.
    pub wagers_voided: u64,
    /// What was wagered.
    pub coin_in: Money,
    /// What void rounds gave back.
    pub coin_in_voided: Money,
    /// What wagers added, pool by pool.
    pub pools: Vec<PoolMeter>,
    /// Level by level, then the pays that touch no meter.
    pub levels: Vec<LevelMeter>,
    /// Line by line of the paytable, then Magic Card and Lucky Bonus where it offers them.
    pub lines: Vec<LineMeter>,
}

/// What one pool took from wagers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolMeter {
    /// The level.
    pub level: LevelName,
    /// `Meter` or `Reserve`.
    pub account: Account,
    /// What wagers added.
    pub contributed: Money,
    /// What void rounds took back.
    pub voided: Money,
}

/// What is counted of one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelMeter {
    /// The level's name, or `fixed`.
    pub name: String,
    /// Paid by the machine itself: nothing, on live tables.
    pub machine_paid: Money,
    /// Paid with the help of a person.
    pub attendant_paid: Money,
    /// What the house put in.
    pub house_funded: Money,
    /// What a ceiling kept out of the meter.
    pub overflow: Money,
    /// Two people's adjustments upwards.
    pub adjusted_up: Money,
    /// Two people's adjustments downwards.
    pub adjusted_down: Money,
    /// How often it was won.
    pub resets: u64,
}

/// What is counted of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMeter {
    /// The hand, or the bonus.
    pub name: String,
    /// Hits that were not undone.
    pub hits: u64,
    /// What they are owed.
    pub due: Money,
}

/// How the amount that a hit took arose since the last win of its level (CONFORMANCE 57).
#[derive(Clone, Debug)]
pub struct PayoffView {
    /// The hit.
    pub hit: HitView,
    /// The level.
    pub level: LevelName,
    /// What the level began with.
    pub since: PayoffSince,
    /// The meter then, exact.
    pub opening: Money,
    /// What wagers added to the meter, table by table.
    pub contributions: Vec<PayoffTable>,
    /// Whatever else moved the meter, in its order.
    pub entries: Vec<PayoffEntry>,
    /// The meter right before the hit, exact.
    pub before: Money,
    /// What the signs showed: the same, cut to the cent.
    pub displayed: Money,
    /// What the hit is owed from the level.
    pub due: Money,
    /// The meter right after the hit, exact.
    pub after: Money,
    /// before - (opening + contributions + entries): must be nothing.
    pub difference: Money,
}

/// What a level began with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PayoffSince {
    /// The link's opening.
    Opening {
        /// When.
        at: Timestamp,
    },
    /// Its last win that stands.
    Hit {
        /// The hit.
        hit: HitName,
        /// When.
        at: Timestamp,
    },
}

/// What the wagers of one table added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayoffTable {
    /// The table.
    pub table: TableName,
    /// How many.
    pub wagers: u64,
    /// What they added to the meter, exact.
    pub amount: Money,
}

/// What else moved a meter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayoffEntry {
    /// Where it stands in the journal.
    pub place: Place,
    /// When.
    pub at: Timestamp,
    /// What.
    pub what: PayoffWhat,
    /// The hit, where it was one.
    pub hit: Option<HitName>,
    /// What it added; negative where it took.
    pub amount: Money,
}

/// Why a meter moved.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PayoffWhat {
    /// A hit took a part.
    Hit,
    /// A round went back.
    Void,
    /// A ceiling was reached.
    Ceiling,
    /// Two people adjusted it.
    Adjustment,
    /// A winner was found after GAME OVER.
    LateHit,
}

impl PayoffWhat {
    /// The word for it.
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

/// What wagers should have added, by their number, against what was booked (CONFORMANCE 60).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarianceView {
    /// The link.
    pub link: LinkName,
    /// The batch that it is as of.
    pub batch: u64,
    /// Wagers accepted, void rounds' included.
    pub wagers: u64,
    /// Wagers given back by void rounds.
    pub wagers_voided: u64,
    /// A variance above this is flagged.
    pub limit: Money,
    /// Pool by pool.
    pub lines: Vec<VarianceLine>,
}

/// One pool's variance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarianceLine {
    /// The level.
    pub level: LevelName,
    /// `Meter` or `Reserve`.
    pub account: Account,
    /// What each wager adds.
    pub share: Money,
    /// Wagers × share.
    pub expected: Money,
    /// What coin-ins booked.
    pub booked: Money,
    /// What two people added for a variance; negative where they took away.
    pub adjusted: Money,
    /// booked + adjusted - expected.
    pub variance: Money,
    /// Whether it is above the limit.
    pub flagged: bool,
}
