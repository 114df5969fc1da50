//! A link's books between two moments.

use std::sync::Arc;

use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;

/// A link's books between two moments, level by level.
#[derive(Clone, Debug)]
pub struct Reconciliation {
    /// The link.
    pub terms: Arc<LinkTerms>,
    /// The last batch before the first moment (0: from the opening).
    pub from_batch: u64,
    /// The last batch that counts.
    pub to_batch: u64,
    /// One a level, then the fixed pays and envy, which touch no meter.
    pub lines: Vec<ReconciliationLine>,
}

/// One level's books: opening + contributions + seeds - payouts + … = closing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReconciliationLine {
    /// The level's name, or `fixed`.
    pub name: String,
    /// What was on meter, reserve and overflow, and won but unpaid, before.
    pub opening: Money,
    /// What wagers added, meter and reserve, less what void rounds took back.
    pub contributions: Money,
    /// What the house put in: seeds, reseeds, fixed pays and envy, less what it got back.
    pub house: Money,
    /// What was paid out to players.
    pub paid: Money,
    /// What two people adjusted.
    pub adjustments: Money,
    /// What is there now, by the stored balances.
    pub closing: Money,
    /// The part of `closing` that is won but not yet paid.
    pub pending: Money,
    /// closing - (opening + contributions + house - paid + adjustments): must be nothing.
    pub difference: Money,
}
