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
    /// Returns the balances of a link after its newest batch, or after the last one up to a moment.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link, the moment is in the future or before the opening, or the database can't be
    /// queried.
    pub async fn balances_of(
        &self,
        link: &LinkName,
        at: Option<Timestamp>,
    ) -> Result<BalancesView, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let now = now();
        let terms = self.context.registry.terms(id).await?;
        let found = match at {
            Some(at) if at > now => return Err(NotExecuted::TimeInFuture { now }),
            Some(at) => self.last_up_to(id, at).await?,
            None => self.newest(id).await?,
        };
        let at = at.unwrap_or(now);
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

    async fn last_up_to(&self, link: LinkId, at: Timestamp) -> Result<BalancesAt, NotExecuted> {
        let found = self.context.store.balances_at(link, at).await;
        match found.map_err(unavailable)? {
            Some(found) => Ok(found),
            None => Err(self.not_open_yet(link).await),
        }
    }

    async fn newest(&self, link: LinkId) -> Result<BalancesAt, NotExecuted> {
        let store = &self.context.store;
        let heads = store.heads(&[link]).await.map_err(unavailable)?;
        let missing = || damaged("its newest batch is missing");
        let head = heads.first().ok_or_else(missing)?;
        let newest = store.balances_after(link, head.batch).await;
        newest.map_err(unavailable)?.ok_or_else(missing)
    }

    /// Returns the denial for a moment before the first batch.
    pub(crate) async fn not_open_yet(&self, link: LinkId) -> NotExecuted {
        match self.context.store.balances_after(link, 1).await {
            Ok(Some(first)) => NotExecuted::NotOpenYet { opened: first.at },
            Ok(None) => damaged("its first batch is missing"),
            Err(error) => unavailable(error),
        }
    }
}

pub(crate) fn book_balances(name: &str, book: &[i64]) -> BookBalances {
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
