//! What the house owes to players, by level and account.

use meterhouse_domain::money::Money;

use super::balances::BalancesView;

/// What the house owes to players after one batch.
#[derive(Clone, Debug)]
pub struct LiabilityView {
    /// The balances that are owed.
    pub balances: BalancesView,
    /// The sums of each level, then of the pays that touch no meter, by name.
    pub levels: Vec<(String, AccountSums)>,
    /// The sums of all levels.
    pub total: AccountSums,
}

/// Amounts owed, by account.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountSums {
    /// The displayed balance.
    pub meter: Money,
    /// The hidden balance.
    pub reserve: Money,
    /// The amount that a ceiling kept out of the meter.
    pub overflow: Money,
    /// The amount won but unpaid.
    pub pending: Money,
    /// The sum of these.
    pub total: Money,
}
