//! What screens show: their acknowledgements, compared with the journal, and the lists of them.
//!
//! # Limits
//! A screen acknowledges every ten seconds. After [`SILENT_AFTER`] without one it is silent, and its row of what it shows is
//! not extended any more. Amounts that were replaced more than [`STALE_AFTER`] ago are stale. What a screen showed is kept
//! for [`SHOWN_KEPT`].

use std::time::Duration;

use meterhouse_domain::ids::{ActorId, LinkId, Timestamp};
use meterhouse_domain::link::ACCOUNTS;
use meterhouse_domain::money::Money;
use meterhouse_store::{BalancesAt, ScreenRow, Shown, ShownRow, ShownTimes};

use crate::answer::{NotExecuted, unavailable};
use crate::clock::{earlier, now};
use crate::context::Engine;
use crate::reports::balances::book_balances;
use crate::view::{Acknowledgement, Page, SILENT_AFTER};

/// Time for which a screen may show amounts that newer ones have replaced: one of its intervals.
const STALE_AFTER: Duration = Duration::from_secs(10);
/// Time for which it is kept what screens showed.
const SHOWN_KEPT: Duration = Duration::from_hours(31 * 24);

impl Engine {
    /// Records what a screen shows of its links, and returns each with the comparison: if the link never displayed one of
    /// the amounts after that batch, and if they are stale.
    ///
    /// # Errors
    /// [`NotExecuted`] for an unknown link, or if the database refuses.
    pub async fn acknowledge_shown(
        &self,
        screen: ActorId,
        told: &[Acknowledgement],
    ) -> Result<Vec<Shown>, NotExecuted> {
        let mut compared = Vec::with_capacity(told.len());
        // Rows of a screen have different times.
        for (row, told) in (0_i64..).zip(told) {
            let at = Timestamp(now().0.saturating_add(row));
            let shown = self.compared(told, at).await?;
            let times = ShownTimes {
                at,
                recent: earlier(at, SILENT_AFTER),
                kept_since: earlier(at, SHOWN_KEPT),
            };
            let noted = self.context.store.note_shown(screen, &shown, times).await;
            noted.map_err(unavailable)?;
            compared.push(shown);
        }
        Ok(compared)
    }

    /// Compares what a screen shows with the journal.
    async fn compared(&self, told: &Acknowledgement, at: Timestamp) -> Result<Shown, NotExecuted> {
        let link = self.context.registry.find_link(&told.link).await?;
        let store = &self.context.store;
        let after = store.balances_after(link, told.batch).await;
        let after = self.displayed_of(link, after.map_err(unavailable)?).await?;
        let lately = store.balances_at(link, earlier(at, STALE_AFTER)).await;
        let newer = lately.map_err(unavailable)?;
        let newer = newer.filter(|lately| lately.batch > told.batch);
        let newer = self.displayed_of(link, newer).await?;
        let levels = told.levels.iter();
        let levels: Vec<(String, Money)> = levels
            .map(|(level, amount)| (level.as_str().to_owned(), *amount))
            .collect();
        Ok(Shown {
            link: told.link.as_str().to_owned(),
            batch: told.batch,
            is_different: is_different(&levels, after.as_deref()),
            is_stale: newer.is_some_and(|newer| is_different(&levels, Some(&newer))),
            levels,
        })
    }

    /// Returns the displayed amounts of a link's levels in a row of balances.
    async fn displayed_of(
        &self,
        link: LinkId,
        balances: Option<BalancesAt>,
    ) -> Result<Option<Vec<(String, Money)>>, NotExecuted> {
        let Some(balances) = balances else {
            return Ok(None);
        };
        let terms = self.context.registry.terms(link).await?;
        let levels = terms.content().levels.iter();
        let books = balances.after.chunks_exact(ACCOUNTS);
        let displayed = levels.zip(books).map(|(level, book)| {
            let meter = book_balances(level.name.as_str(), book).meter;
            (level.name.as_str().to_owned(), meter.displayed())
        });
        Ok(Some(displayed.collect()))
    }

    /// Returns a page of screens after a name, each with what it shows.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn screens(
        &self,
        after: &str,
        limit: usize,
    ) -> Result<Page<ScreenRow, String>, NotExecuted> {
        let found = self.context.store.screens(after, limit).await;
        let items = found.map_err(unavailable)?;
        let last = items.last().filter(|_| items.len() == limit);
        Ok(Page {
            next: last.map(|last| last.name.clone()),
            items,
        })
    }

    /// Returns what a screen showed from one moment to another, newest first.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn shown_by(
        &self,
        screen: &str,
        period: (Timestamp, Timestamp),
        limit: usize,
    ) -> Result<Page<ShownRow, Timestamp>, NotExecuted> {
        let found = self.context.store.shown(screen, period, limit).await;
        let items = found.map_err(unavailable)?;
        let last = items.last().filter(|_| items.len() == limit);
        Ok(Page {
            next: last.map(|last| last.since),
            items,
        })
    }
}

/// Returns `true` if a shown amount is not the server's. A screen that shows none shows no different one.
fn is_different(shown: &[(String, Money)], server: Option<&[(String, Money)]>) -> bool {
    let is_known = |one| server.is_some_and(|server| server.contains(one));
    !shown.iter().all(is_known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(amounts: &[(&str, i64)]) -> Vec<(String, Money)> {
        let level =
            |(name, cents): &(&str, i64)| ((*name).to_owned(), Money::from_micros(cents * 10_000));
        amounts.iter().map(level).collect()
    }

    #[test]
    fn amounts_are_compared_level_by_level() {
        let server = levels(&[("mega", 1_000_001), ("major", 2_000)]);
        let differs = |shown: &[(&str, i64)]| is_different(&levels(shown), Some(&server));
        assert!(!differs(&[("mega", 1_000_001), ("major", 2_000)]));
        assert!(!differs(&[("major", 2_000)]) && !differs(&[]));
        assert!(differs(&[("mega", 1_000_000), ("major", 2_000)]));
        assert!(differs(&[("mega", 2_000)]) && differs(&[("minor", 2_000)]));
        assert!(!is_different(&[], None) && is_different(&server, None));
    }
}
