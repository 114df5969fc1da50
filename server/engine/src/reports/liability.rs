//! Liability by account: the players' money that the house holds, now or at a past moment.

use meterhouse_domain::ids::{LinkName, Timestamp};
use meterhouse_domain::money::{Money, OutOfRange};

use crate::answer::NotExecuted;
use crate::context::Engine;
use crate::reports::sums::too_much;
use crate::view::{AccountSums, BookBalances, LiabilityView};

impl Engine {
    /// Returns what the house owes after the newest batch, or after the last one up to a moment.
    ///
    /// # Errors
    /// [`NotExecuted`] as the balances of that moment, or if a sum leaves the range of money.
    pub async fn liability(
        &self,
        link: &LinkName,
        at: Option<Timestamp>,
    ) -> Result<LiabilityView, NotExecuted> {
        let balances = self.balances_of(link, at).await?;
        let mut levels = Vec::with_capacity(balances.books.len());
        let mut total = AccountSums::default();
        for book in &balances.books {
            let sums = sums_of(book).map_err(|_| too_much())?;
            total = added(total, sums).map_err(|_| too_much())?;
            levels.push((book.name.clone(), sums));
        }
        Ok(LiabilityView {
            balances,
            levels,
            total,
        })
    }
}

fn sums_of(book: &BookBalances) -> Result<AccountSums, OutOfRange> {
    let parts = [book.reserve, book.overflow, book.pending];
    let total = parts.into_iter().try_fold(book.meter, Money::plus)?;
    Ok(AccountSums {
        meter: book.meter,
        reserve: book.reserve,
        overflow: book.overflow,
        pending: book.pending,
        total,
    })
}

fn added(one: AccountSums, other: AccountSums) -> Result<AccountSums, OutOfRange> {
    Ok(AccountSums {
        meter: one.meter.plus(other.meter)?,
        reserve: one.reserve.plus(other.reserve)?,
        overflow: one.overflow.plus(other.overflow)?,
        pending: one.pending.plus(other.pending)?,
        total: one.total.plus(other.total)?,
    })
}
