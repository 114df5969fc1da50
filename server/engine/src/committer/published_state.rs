//! The state of a loaded link as its committer last published it, for readers outside the committer.
//!
//! # Shape
//! The committer publishes its state once a batch. Readers take it without a request to the committer. The state may
//! lag behind the journal, so readers compare its batch with the head's. If an inconsistency is found and cannot be
//! journaled, the link is marked damaged here.
//!
//! # Limits
//! One state a link, removed with the committer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use meterhouse_domain::state::LinkState;

/// A state and its batch.
#[derive(Clone, Debug)]
pub(crate) struct StateAt {
    /// The number of the batch.
    pub(crate) batch: u64,
    /// The state after the batch.
    pub(crate) state: Arc<LinkState>,
}

/// The published state of a loaded link.
#[derive(Debug, Default)]
pub(crate) struct PublishedState {
    known: Mutex<Option<StateAt>>,
    damaged: OnceLock<String>,
    books_passed: AtomicBool,
    is_unresolved: AtomicBool,
}

impl PublishedState {
    /// Locks the state. No code awaits or panics while the lock is held, so a poisoned lock is ignored.
    fn lock(&self) -> MutexGuard<'_, Option<StateAt>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the newest state, if the link is loaded.
    pub(crate) fn known(&self) -> Option<StateAt> {
        self.lock().clone()
    }

    /// Publishes the newest state.
    pub(crate) fn show(&self, state: StateAt) {
        *self.lock() = Some(state);
    }

    /// Withdraws the state when the link is unloaded.
    pub(crate) fn hide(&self) {
        *self.lock() = None;
    }

    /// Allows coin-in: the books passed, or two people will clear the fault.
    pub(crate) fn pass_books(&self) {
        self.books_passed.store(true, Ordering::Release);
    }

    /// Returns `true` if the books passed since the link was loaded.
    pub(crate) fn books_passed(&self) -> bool {
        self.books_passed.load(Ordering::Acquire)
    }

    /// Records if the outcome of a commit is unknown.
    pub(crate) fn set_unresolved(&self, is_unresolved: bool) {
        self.is_unresolved.store(is_unresolved, Ordering::Relaxed);
    }

    /// Returns `true` while the outcome of a commit is unknown.
    pub(crate) fn is_unresolved(&self) -> bool {
        self.is_unresolved.load(Ordering::Relaxed)
    }

    /// Returns the reason that the link can't be served, if it is damaged.
    pub(crate) fn damaged(&self) -> Option<&str> {
        self.damaged.get().map(String::as_str)
    }

    /// Marks the link as damaged, so that it is no longer served. The first reason is kept.
    pub(crate) fn damage(&self, reason: String) {
        // An earlier reason is kept.
        drop(self.damaged.set(reason));
    }
}
