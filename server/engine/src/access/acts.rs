//! The record of acts: logins, refusals, changes of access, and what people did over the API.
//!
//! # Limits
//! A page has at most as many acts as the store's.

use meterhouse_journal::act::Act;
use meterhouse_store::{ActFilter, NewAct, Store, StoreError};
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use super::control::AccessControl;
use crate::answer::{NotExecuted, unavailable};
use crate::clock::now;

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
