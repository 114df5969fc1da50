//! The record of acts: logins, refusals, changes of access, and what people did over the API.
//!
//! # Limits
//! [`REFUSALS_A_MINUTE`] refusals of one kind by one name or address in a minute are recorded. The next recorded one
//! counts those that were not. A page has at most as many acts as the store's.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use meterhouse_journal::act::Act;
use meterhouse_store::{ActFilter, NewAct, Store, StoreError};
use moka::sync::Cache;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use super::AccessControl;
use crate::answer::{NotExecuted, unavailable};
use crate::clock::now;

/// Maximum number of recorded refusals of one kind by one name or address in a minute.
pub const REFUSALS_A_MINUTE: u64 = 10;
/// The window of [`REFUSALS_A_MINUTE`].
const WINDOW: Duration = Duration::from_mins(1);
/// Maximum number of names and addresses whose refusals are counted.
const REFUSED_MAX: u64 = 10_000;
/// Maximum length of a value in a detail, in characters.
const DETAIL_MAX: usize = 1_000;

/// A page of acts, newest first.
#[derive(Clone, Debug)]
pub struct ActPage {
    /// Acts.
    pub acts: Vec<Act>,
    /// Number before which the next page begins, if there is one.
    pub next: Option<u64>,
}

/// The refusals of the last minute, by kind and name or address.
pub(super) struct RefusalLimit {
    counts: Cache<(&'static str, String), Arc<AtomicU64>>,
    /// Refusals that were not recorded since the last recorded one.
    suppressed: AtomicU64,
}

impl RefusalLimit {
    pub(super) fn new() -> Self {
        let counts = Cache::builder()
            .max_capacity(REFUSED_MAX)
            .time_to_live(WINDOW)
            .build();
        Self {
            counts,
            suppressed: AtomicU64::new(0),
        }
    }

    /// Returns the number of refusals that were not recorded before this one, or nothing if this one is not recorded either.
    fn admit(&self, act: &NewAct) -> Option<u64> {
        let who = act.name.clone().or_else(|| act.address.clone());
        let count = self
            .counts
            .get_with((act.act, who.unwrap_or_default()), Arc::default);
        if count.fetch_add(1, Ordering::Relaxed) < REFUSALS_A_MINUTE {
            return Some(self.suppressed.swap(0, Ordering::Relaxed));
        }
        self.suppressed.fetch_add(1, Ordering::Relaxed);
        None
    }
}

impl AccessControl {
    /// Records an act.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database refuses.
    pub async fn record(&self, mut act: NewAct) -> Result<(), NotExecuted> {
        for (_, value) in &mut act.details {
            if value.chars().count() > DETAIL_MAX {
                *value = value.chars().take(DETAIL_MAX).collect();
            }
        }
        let recorded = record_all(&self.store, vec![act]).await;
        recorded.map_err(unavailable)
    }

    /// Records a refusal, unless there were too many of its kind.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database refuses.
    pub async fn record_refusal(&self, mut act: NewAct) -> Result<(), NotExecuted> {
        let Some(suppressed) = self.refusals.admit(&act) else {
            return Ok(());
        };
        if suppressed > 0 {
            let before = ("not_recorded_before".to_owned(), suppressed.to_string());
            act.details.push(before);
        }
        self.record(act).await
    }

    /// Returns a page of acts before a number, newest first.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn acts(
        &self,
        filter: &ActFilter,
        before: Option<u64>,
        limit: usize,
    ) -> Result<ActPage, NotExecuted> {
        let found = self.store.acts(filter, before, limit + 1).await;
        let mut acts = found.map_err(unavailable)?;
        let is_more = acts.len() > limit;
        acts.truncate(limit);
        let next = acts.last().map(|act| act.number).filter(|_| is_more);
        Ok(ActPage { acts, next })
    }
}

/// Records acts, to their end even if the caller is gone.
pub(crate) async fn record_all(store: &Store, acts: Vec<NewAct>) -> Result<(), StoreError> {
    let store = store.clone();
    let runtime = Handle::current();
    // A separate thread, because the compiler can't prove that the transaction's closure is `Send`.
    let recording = spawn_blocking(move || runtime.block_on(store.record_acts(now(), &acts)));
    match recording.await {
        Ok(recorded) => recorded,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The runtime has ended, and with it whoever asked.
        Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of many refusals ten are recorded, and the next recorded one counts the others.
    #[test]
    fn refusals_are_limited_and_counted() {
        let limit = RefusalLimit::new();
        let refused = |name: &str| NewAct {
            act: "refused",
            name: Some(name.to_owned()),
            ..NewAct::default()
        };
        let admitted = (0..100).filter(|_| limit.admit(&refused("eve")).is_some());
        assert_eq!(admitted.count(), 10);
        assert_eq!(limit.admit(&refused("sam")), Some(90));
        assert_eq!(limit.admit(&refused("sam")), Some(0));
    }
}
