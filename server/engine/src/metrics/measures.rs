//! What an operator watches of an engine: queues, displays, tables, hits, levels, books, the database.
//!
//! # Limits
//! Only loaded links are measured: amounts of the others do not move.

use std::collections::BTreeMap;

use meterhouse_domain::ids::Timestamp;
use meterhouse_domain::link::Account;
use meterhouse_domain::money::Money;
use meterhouse_journal::hit::HitState;
use meterhouse_store::{DatabaseMeasures, StoreError, WaitingHits};

use crate::context::Engine;
use crate::registry::loaded::Loaded;
use crate::view::{LinkStatus, TableStatus};

/// The measures of an engine at one moment.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    /// Loaded links.
    pub links: Vec<LinkMeasures>,
    /// Number of tables of loaded links by the word of their status.
    pub tables: BTreeMap<&'static str, u64>,
    /// Number of displays and other listeners of feeds.
    pub displays: usize,
    /// Oldest confirmation of a watched link's amounts, in seconds; 0 if no link is watched.
    pub feed_age: u64,
    /// Hits that wait for a supervisor.
    pub pending: WaitingHits,
    /// Hits that are validated and not wholly paid.
    pub unpaid: WaitingHits,
    /// Database.
    pub database: DatabaseMeasures,
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
    /// Level's name, displayed amount and reserve.
    pub levels: Vec<(String, Money, Money)>,
}

impl Engine {
    /// Returns the measures of this engine.
    ///
    /// # Errors
    /// [`StoreError`] if the database can't be queried.
    pub async fn measures(&self) -> Result<Measures, StoreError> {
        let (displays, age) = self.context.feeds.measured();
        let mut measures = Measures {
            displays,
            feed_age: age.as_secs(),
            ..Measures::default()
        };
        for (_, loaded) in self.context.registry.all_loaded() {
            measures.add(&loaded);
        }
        let store = &self.context.store;
        measures.pending = store.waiting_hits(HitState::Pending).await?;
        measures.unpaid = store.waiting_hits(HitState::Validated).await?;
        measures.database = store.measures().await?;
        Ok(measures)
    }
}

impl Measures {
    /// Adds a loaded link.
    fn add(&mut self, loaded: &Loaded) {
        let Some(known) = loaded.published.known() else {
            return;
        };
        let state = known.state;
        for table in &state.tables {
            *self
                .tables
                .entry(TableStatus::of(table).name())
                .or_default() += 1;
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
            levels: levels.collect(),
        });
    }

    /// Returns the age of the oldest hit that waits for a supervisor, in seconds.
    pub fn pending_age(&self, now: Timestamp) -> u64 {
        let oldest = self.pending.oldest.map_or(now.0, |oldest| oldest.0);
        u64::try_from((now.0 - oldest) / 1_000_000).unwrap_or_default()
    }
}
