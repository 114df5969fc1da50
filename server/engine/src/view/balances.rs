//! The balances of a link after one batch, level by level.

use std::sync::Arc;

use meterhouse_domain::ids::Timestamp;
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;

/// The balances of a link after the last batch up to a moment.
#[derive(Clone, Debug)]
pub struct BalancesView {
    /// The terms with which the link was opened.
    pub terms: Arc<LinkTerms>,
    /// The batch.
    pub batch: u64,
    /// The time of the batch.
    pub batch_at: Timestamp,
    /// The moment.
    pub at: Timestamp,
    /// Set if no batch can be added up to the moment.
    pub complete: bool,
    /// One entry a level, then the pays that touch no meter.
    pub books: Vec<BookBalances>,
}

impl BalancesView {
    /// Returns the amounts that the signs showed, level by level.
    pub fn displayed(&self) -> Vec<Money> {
        let levels = self.terms.content().levels.iter().zip(&self.books);
        levels.map(|(_, book)| book.meter.displayed()).collect()
    }
}

/// The exact balances of one level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookBalances {
    /// The level's name, or `fixed`.
    pub name: String,
    /// The displayed balance.
    pub meter: Money,
    /// The hidden balance.
    pub reserve: Money,
    /// The amount that a ceiling kept out of the meter.
    pub overflow: Money,
    /// The amount won but unpaid.
    pub pending: Money,
}
