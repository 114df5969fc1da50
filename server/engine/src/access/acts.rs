//! The record of acts: logins, refusals, changes of access, and what people did over the API.
//!
//! # Limits
//! A page has at most as many acts as the store's.

use meterhouse_journal::act::Act;
use meterhouse_store::{ActFilter, NewAct};

use super::control::AccessControl;
use crate::answer::{NotExecuted, unavailable};
use crate::clock::now;
use crate::own_thread::{to_the_end, unless_ended};

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
        let store = self.store.clone();
        let recording = to_the_end(async move || store.record_acts(now(), &[act]).await);
        unless_ended(recording.await).map_err(unavailable)
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
