//! The coin-in variance report: the expected contributions of the wagers, against the booked ones.
//!
//! # Shape
//! The wagers are counted in the journal by table, and the booked contributions are summed with them. Amounts that two
//! people added with the reason "variance" count as booked. Void rounds are included in both. A disabled level takes
//! nothing, so its missing contributions are a variance.
//!
//! # Limits
//! The statements of [`contributions`] over all coin-ins of the link.

pub(crate) mod adjusted;

use meterhouse_domain::ids::LinkName;
use meterhouse_domain::money::Money;
use meterhouse_journal::position::Position;

use crate::answer::NotExecuted;
use crate::context::Engine;
use crate::reports::contributions::{contributions, of_share};
use crate::reports::sums::too_much;
use crate::view::{VarianceLine, VarianceView};

/// The limit above which a variance is flagged (CONFORMANCE 60).
const VARIANCE_LIMIT: Money = Money::from_micros(50_000_000);

impl Engine {
    /// Returns the expected contributions of a link's wagers against the booked ones.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link or the database can't be queried.
    pub async fn variance(&self, link: &LinkName) -> Result<VarianceView, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let known = self.context.registry.confirmed_state(id).await?;
        let (from, through) = (Position::behind(0), Position::behind(known.batch));
        let state = &known.state;
        let adjusted = self.adjusted_for_variance(id, state, known.batch).await?;
        let shares = state.shares.len();
        let counted = contributions(&self.context.store, id, shares, from, through).await?;
        let wagers = counted.iter().map(|table| table.wagers).sum();
        let levels = &state.terms.content().levels;
        let mut lines = Vec::with_capacity(state.shares.len());
        for (index, share) in state.shares.iter().enumerate() {
            let Some(level) = levels.get(share.book.index()) else {
                continue;
            };
            let booked = of_share(&counted, index).ok_or_else(too_much)?;
            let booked = Money::from_micros(booked);
            let expected = share.amount.times(wagers).map_err(|_| too_much())?;
            let adjusted = adjusted
                .of(share.book, share.account)
                .ok_or_else(too_much)?;
            let variance = booked.plus(adjusted).and_then(|sum| sum.minus(expected));
            let variance = variance.map_err(|_| too_much())?;
            lines.push(VarianceLine {
                level: level.name.clone(),
                account: share.account,
                share: share.amount,
                expected,
                booked,
                adjusted,
                variance,
                flagged: is_flagged(variance),
            });
        }
        Ok(VarianceView {
            link: state.terms.name.clone(),
            batch: known.batch,
            wagers,
            wagers_voided: state.lifetime.wagers_voided,
            limit: VARIANCE_LIMIT,
            lines,
        })
    }
}

/// Returns `true` if a variance exceeds the limit, in either direction.
const fn is_flagged(variance: Money) -> bool {
    variance.micros().unsigned_abs() > VARIANCE_LIMIT.micros().unsigned_abs()
}

#[cfg(test)]
mod tests {
    use meterhouse_domain::money::Money;

    use super::is_flagged;

    /// Proves CONFORMANCE 60, the part of the limit: above $50.00 is flagged, $50.00 is not.
    #[test]
    fn more_than_fifty_dollars_are_flagged() {
        for (micros, flagged) in [
            (0, false),
            (50_000_000, false),
            (-50_000_000, false),
            (50_000_001, true),
            (-50_000_001, true),
            (i64::MIN, true),
        ] {
            assert_eq!(is_flagged(Money::from_micros(micros)), flagged, "{micros}");
        }
    }
}
