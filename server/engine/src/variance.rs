//! The coin-in variance report: what wagers should have added by their number, against what was booked.
//!
//! # Shape
//! The wagers are counted in the journal, table by table, by the database; what was booked is summed beside them.
//! Void rounds are in both. A level that was off takes nothing: what it missed is a variance, and says so.
//!
//! # What bounds it
//! One statement over the link's coin-ins.

use meterhouse_domain::money::Money;
use meterhouse_domain::name::LinkName;
use meterhouse_journal::batch::NUMBERS;
use meterhouse_store::{Position, TableContributions};

use crate::Engine;
use crate::answer::Denied;
use crate::house::unavailable;
use crate::lifetime::too_much;
use crate::view::{VarianceLine, VarianceView};

/// A variance above this is flagged (GLI-12 C6).
const VARIANCE_LIMIT: Money = Money::from_micros(50_000_000);

impl Engine {
    /// What the wagers of a link should have added, against what was booked.
    ///
    /// # Errors
    /// [`Denied`] where there is no such link or the database can't be asked.
    pub async fn variance(&self, link: &LinkName) -> Result<VarianceView, Denied> {
        let id = self.inner.house.find_link(link).await?;
        let known = self.inner.house.look(id).await?;
        let (from, through) = (Position::behind(0), Position::behind(known.batch));
        let counted = self.inner.store.contributions(id, from, through).await;
        let counted = counted.map_err(unavailable)?;
        let state = &known.state;
        let wagers = counted
            .iter()
            .map(|it| it.own_wagers + it.dealer_wagers)
            .sum();
        let levels = &state.terms.content().levels;
        let mut lines = Vec::with_capacity(state.shares.len());
        for (index, share) in state.shares.iter().enumerate() {
            let Some(level) = levels.get(share.book.index()) else {
                continue;
            };
            let booked = if index < NUMBERS {
                booked(&counted, index).ok_or_else(too_much)?
            } else {
                // Shares that have no column are summed in the lifetime meters alone.
                let amounts = state.lifetime.contributions.amounts();
                amounts.get(index).copied().unwrap_or(Money::ZERO)
            };
            let expected = share.amount.times(wagers).map_err(|_| too_much())?;
            let variance = booked.minus(expected).map_err(|_| too_much())?;
            lines.push(VarianceLine {
                level: level.name.clone(),
                account: share.account,
                share: share.amount,
                expected,
                booked,
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

/// Whether a variance is above the limit, in either direction.
const fn is_flagged(variance: Money) -> bool {
    variance.micros().unsigned_abs() > VARIANCE_LIMIT.micros().unsigned_abs()
}

/// The sum of one share's column.
fn booked(counted: &[TableContributions], index: usize) -> Option<Money> {
    let column = counted.iter().filter_map(|it| it.added.get(index));
    let sum: i128 = column.map(|micros| i128::from(*micros)).sum();
    i64::try_from(sum).ok().map(Money::from_micros)
}

#[cfg(test)]
mod tests {
    use meterhouse_domain::money::Money;

    use super::is_flagged;

    /// Proves § 8 number 60, the part of the limit: above $50.00 is flagged, $50.00 is not.
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
