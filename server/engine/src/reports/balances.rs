//! The balances of a link as they were at a past moment.
//!
//! # Shape
//! Each batch is stored with the balances after it. The batch with the greatest time up to the moment counts, and of
//! several with this time the newest. One step in the index of times finds it, however long the journal is.
//!
//! # Order
//! Batches are ordered by their numbers. If a clock was set back, some times occur twice, and the amounts of such a time
//! are those of the batch with the greatest time.

use meterhouse_domain::ids::{LinkId, LinkName, Timestamp};
use meterhouse_domain::link::{ACCOUNTS, Account};
use meterhouse_domain::money::Money;
use meterhouse_store::BalancesAt;

use crate::answer::{NotExecuted, damaged, unavailable};
use crate::clock::now;
use crate::context::Engine;
use crate::reports::period::is_over;
use crate::reports::sums::FIXED;
use crate::view::{BalancesView, BookBalances};

impl Engine {
    /// Returns the balances of a link after the last batch up to a moment.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link, the moment is in the future or before the opening, or the database can't be
    /// queried.
    pub async fn balances_of(
        &self,
        link: &LinkName,
        at: Timestamp,
    ) -> Result<BalancesView, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let now = now();
        if at > now {
            return Err(NotExecuted::TimeInFuture { now });
        }
        let terms = self.context.registry.terms(id).await?;
        let found = self.context.store.balances_at(id, at).await;
        let Some(found) = found.map_err(unavailable)? else {
            return Err(self.not_open_yet(id).await);
        };
        let levels = &terms.content().levels;
        let names = levels.iter().map(|level| level.name.as_str());
        let books = names
            .chain([FIXED])
            .zip(found.after.chunks_exact(ACCOUNTS))
            .map(|(name, book)| book_balances(name, book))
            .collect();
        let BalancesAt {
            batch,
            at: batch_at,
            ..
        } = found;
        Ok(BalancesView {
            terms,
            batch,
            batch_at,
            at,
            complete: is_over(at),
            books,
        })
    }

    /// Returns the denial for a moment before the first batch.
    async fn not_open_yet(&self, link: LinkId) -> NotExecuted {
        match self.context.store.balances_after(link, 1).await {
            Ok(Some(first)) => NotExecuted::NotOpenYet { opened: first.at },
            Ok(None) => damaged("its first batch is missing"),
            Err(error) => unavailable(error),
        }
    }
}

fn book_balances(name: &str, book: &[i64]) -> BookBalances {
    let balance = |account: Account| {
        let micros = book.get(account.index()).copied();
        Money::from_micros(micros.unwrap_or_default())
    };
    BookBalances {
        name: name.to_owned(),
        meter: balance(Account::Meter),
        reserve: balance(Account::Reserve),
        overflow: balance(Account::Overflow),
        pending: balance(Account::Pending),
    }
}
