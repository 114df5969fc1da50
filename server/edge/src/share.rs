//! A share of the wager in two forms: rounded and exact.

use meterhouse_domain::returns::{Fraction, percent};
use serde::Serialize;
use utoipa::ToSchema;

/// A part of the wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Share {
    /// In percent, rounded to two decimals.
    #[schema(examples("75.89%"))]
    pub percent: String,
    /// Exactly.
    #[schema(examples("1/65"))]
    pub exact: String,
}

impl From<Fraction> for Share {
    fn from(share: Fraction) -> Self {
        Self {
            percent: percent(share),
            exact: share.to_string(),
        }
    }
}
