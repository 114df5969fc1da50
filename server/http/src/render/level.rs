//! What the signs show.

use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use serde::Serialize;
use utoipa::ToSchema;

use super::Amount;

/// What the sign of one level shows.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LevelAmount {
    /// The level.
    #[schema(examples("mega"))]
    level: String,
    /// What it shows.
    amount: Amount,
}

impl LevelAmount {
    /// The levels of a link with these amounts, in their order.
    pub(crate) fn all(terms: &LinkTerms, displayed: &[Money]) -> Vec<Self> {
        let levels = terms.content().levels.iter().zip(displayed);
        let one = |level: &str, amount: Money| Self {
            level: level.to_owned(),
            amount: Amount(amount.displayed()),
        };
        levels
            .map(|(level, amount)| one(level.name.as_str(), *amount))
            .collect()
    }
}
