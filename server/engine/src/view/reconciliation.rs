//! A link's books between two times.

use std::sync::Arc;

use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;

/// A link's books between two times, level by level.
#[derive(Clone, Debug)]
pub struct Reconciliation {
    /// The terms with which the link was opened.
    pub terms: Arc<LinkTerms>,
    /// The last batch before the first time; 0 from the opening.
    pub from_batch: u64,
    /// The last batch included.
    pub to_batch: u64,
    /// One line a level, then the fixed pays and envy, which touch no meter.
    pub lines: Vec<ReconciliationLine>,
}

/// One level's books: opening + contributions + seeds - payouts + … = closing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReconciliationLine {
    /// The level's name, or `fixed`.
    pub name: String,
    /// The amounts on meter, reserve and overflow, and won but unpaid, before.
    pub opening: Money,
    /// The contributions of wagers to meter and reserve, less those returned by void rounds.
    pub contributions: Money,
    /// The house's money: seeds, reseeds, fixed pays and envy, less what was returned to the house.
    pub house: Money,
    /// The payouts to players.
    pub paid: Money,
    /// The adjustments by two people.
    pub adjustments: Money,
    /// The present amounts, by the stored balances.
    pub closing: Money,
    /// The part of `closing` that is won but not yet paid.
    pub pending: Money,
    /// closing - (opening + contributions + house - paid + adjustments): has to be zero.
    pub difference: Money,
}
