//! The reports of a link's money over its whole life or a period.

pub(crate) mod alterations;
pub(crate) mod balances;
pub(crate) mod closing;
pub(crate) mod contributions;
pub(crate) mod displayed;
pub(crate) mod exceptions;
pub(crate) mod history;
pub(crate) mod hit_entries;
pub(crate) mod large_wins;
pub(crate) mod last_hits;
pub(crate) mod liability;
pub(crate) mod lifetime;
pub(crate) mod payoff;
pub(crate) mod period;
pub(crate) mod reconciliation;
pub(crate) mod sums;
pub(crate) mod variance;
