//! What an operator watches of an engine: queues, displays, tables, hits, levels, books, the database.
//!
//! # Limits
//! Only loaded links are measured: amounts of the others do not move.

use std::collections::BTreeMap;

use meterhouse_domain::ids::{LinkId, TableNo, Timestamp};
use meterhouse_domain::link::Account;
use meterhouse_domain::money::Money;
use meterhouse_journal::hit::HitState;
use meterhouse_store::{DatabaseMeasures, StoreError, WaitingHits};
use tokio::time::Instant;

use crate::access::{BREAK_GLASS, NOT_ANNOUNCED};
use crate::background::liveness::silence_max;
use crate::clock::now;
use crate::context::Engine;
use crate::registry::last_seen::LastSeenTables;
use crate::registry::loaded::Loaded;
use crate::signing::status::SigningMeasures;
use crate::view::{LinkStatus, TableStatus};

/// Length of an hour in microseconds.
const HOUR_MICROS: i64 = 3_600_000_000;

/// The measures of an engine at one moment.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    /// Loaded links.
    pub links: Vec<LinkMeasures>,
    /// Number of tables of loaded links by the word of their status.
    pub tables: BTreeMap<&'static str, u64>,
    /// Number of tables in service whose last contact is longer ago than their links allow.
    pub silent_tables: u64,
    /// Number of displays and other listeners of feeds.
    pub displays: usize,
    /// Number of displays that do not take a message.
    pub slow_displays: usize,
    /// Oldest confirmation of a watched link's amounts, in seconds; 0 if no link is watched.
    pub feed_age: u64,
    /// Signing of heads; `None` if this node signs none.
    pub signing: Option<SigningMeasures>,
}

/// The measures of what is stored.
#[derive(Clone, Debug, Default)]
pub struct StoredMeasures {
    /// Hits that wait for a supervisor.
    pub pending: WaitingHits,
    /// Hits that are validated and not wholly paid.
    pub unpaid: WaitingHits,
    /// Database.
    pub database: DatabaseMeasures,
    /// Number of commands that admitted somebody without an administrator in the last day.
    pub glass_broken: u64,
    /// Number of accesses that were refused in the last hour because they could not be announced.
    pub not_announced: u64,
}

/// The measures of a loaded link.
#[derive(Clone, Debug)]
pub struct LinkMeasures {
    /// Name.
    pub name: String,
    /// Word of its status.
    pub status: &'static str,
    /// Number of requests that wait for its committer.
    pub queue: usize,
    /// Newest batch.
    pub batch: u64,
    /// True if its books passed since it was loaded.
    pub books_passed: bool,
    /// True while the outcome of a commit is unknown.
    pub is_unresolved: bool,
    /// Newest check of its books that found no difference, since it was loaded.
    pub books: Option<BooksMeasures>,
    /// Level's name, displayed amount and reserve.
    pub levels: Vec<(String, Money, Money)>,
}

/// The newest check of a link's books that found no difference.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BooksMeasures {
    /// Number of batches that were summed.
    pub summed: u64,
    /// Number of batches from the opening that are still to be summed.
    pub unsummed: u64,
    /// Time of the check.
    pub at: Instant,
}

impl Engine {
    /// Returns the measures of this engine. The database is not queried, so they are current during its outage.
    pub fn measures(&self) -> Measures {
        let feeds = &self.context.feeds;
        let mut measures = Measures {
            displays: feeds.displays().count(),
            slow_displays: feeds.displays().slow(),
            feed_age: feeds.age().as_secs(),
            signing: self.context.signing.measures(),
            ..Measures::default()
        };
        for (link, loaded) in self.context.registry.all_loaded() {
            measures.add(link, &loaded, self.context.registry.last_seen());
        }
        measures
    }

    /// Returns the measures of what is stored.
    ///
    /// # Errors
    /// [`StoreError`] if the database can't be queried.
    pub async fn stored_measures(&self) -> Result<StoredMeasures, StoreError> {
        let store = &self.context.store;
        Ok(StoredMeasures {
            pending: store.waiting_hits(HitState::Pending).await?,
            unpaid: store.waiting_hits(HitState::Validated).await?,
            database: store.measures().await?,
            glass_broken: store.count_acts(BREAK_GLASS, a_day_ago()).await?,
            not_announced: store.count_acts(NOT_ANNOUNCED, an_hour_ago()).await?,
        })
    }
}

/// Returns the time a day ago.
fn a_day_ago() -> Timestamp {
    Timestamp(now().0.saturating_sub(24 * HOUR_MICROS))
}

/// Returns the time an hour ago.
fn an_hour_ago() -> Timestamp {
    Timestamp(now().0.saturating_sub(HOUR_MICROS))
}

impl Measures {
    /// Adds a loaded link.
    fn add(&mut self, link: LinkId, loaded: &Loaded, last_seen: &LastSeenTables) {
        let Some(known) = loaded.published.known() else {
            return;
        };
        let state = known.state;
        let limit = silence_max(&state.terms.settings);
        for (number, table) in (1..).map(TableNo).zip(&state.tables) {
            let status = TableStatus::of(table);
            *self.tables.entry(status.name()).or_default() += 1;
            let last_seen = last_seen.find(link, number);
            let silence = last_seen.and_then(|last_seen| last_seen.silence());
            if status == TableStatus::InService && silence.is_some_and(|silence| silence > limit) {
                self.silent_tables += 1;
            }
        }
        let levels = state.terms.content().levels.iter().zip(&state.balances);
        let levels = levels.map(|(level, balances)| {
            let displayed = balances.of(Account::Meter).displayed();
            (
                level.name.to_string(),
                displayed,
                balances.of(Account::Reserve),
            )
        });
        self.links.push(LinkMeasures {
            name: state.terms.name.to_string(),
            status: LinkStatus::of(&state).name(),
            queue: loaded.queue.max_capacity() - loaded.queue.capacity(),
            batch: known.batch,
            books_passed: loaded.published.books_passed(),
            is_unresolved: loaded.published.is_unresolved(),
            books: loaded.agreed().map(|(checked, at)| BooksMeasures {
                summed: checked.summed(),
                unsummed: checked.unsummed(),
                at,
            }),
            levels: levels.collect(),
        });
    }
}

impl StoredMeasures {
    /// Returns the age of the oldest hit that waits for a supervisor, in seconds.
    pub fn pending_age(&self, now: Timestamp) -> u64 {
        let oldest = self.pending.oldest.map_or(now.0, |oldest| oldest.0);
        u64::try_from((now.0 - oldest) / 1_000_000).unwrap_or_default()
    }
}
