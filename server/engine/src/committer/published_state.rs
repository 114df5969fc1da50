//! A loaded link as its committer last knew it, for readers beside the committer.
//!
//! # Shape
//! The committer puts its state here once a batch; readers take it without asking the committer. It may be behind
//! the journal, by what is being committed or what other nodes did: readers compare its batch with the head's.
//! Whoever finds that what is stored does not fit together, and that the journal can't even take that, says so here.
//!
//! # What bounds it
//! One state. It leaves with the committer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use meterhouse_domain::state::LinkState;

/// A state and the batch that it is as of.
#[derive(Clone, Debug)]
pub(crate) struct StateAt {
    /// The batch.
    pub(crate) batch: u64,
    /// The state after it.
    pub(crate) state: Arc<LinkState>,
}

/// What is known of a loaded link.
#[derive(Debug, Default)]
pub(crate) struct PublishedState {
    known: Mutex<Option<StateAt>>,
    damaged: OnceLock<String>,
    books_passed: AtomicBool,
}

impl PublishedState {
    /// Nothing is awaited while this is held, and no code under it can panic half way.
    fn lock(&self) -> MutexGuard<'_, Option<StateAt>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The newest state, while the link is loaded.
    pub(crate) fn known(&self) -> Option<StateAt> {
        self.lock().clone()
    }

    /// Puts the newest state here.
    pub(crate) fn show(&self, state: StateAt) {
        *self.lock() = Some(state);
    }

    /// The link leaves memory.
    pub(crate) fn hide(&self) {
        *self.lock() = None;
    }

    /// Lets the link take coin-in: its books passed, or two people will say so.
    pub(crate) fn pass_books(&self) {
        self.books_passed.store(true, Ordering::Release);
    }

    /// Checks that the books passed since the link was loaded.
    pub(crate) fn books_passed(&self) -> bool {
        self.books_passed.load(Ordering::Acquire)
    }

    /// Why the link can't be served at all, if it can't.
    pub(crate) fn damaged(&self) -> Option<&str> {
        self.damaged.get().map(String::as_str)
    }

    /// The link can't be served at all; the first reason stays.
    pub(crate) fn damage(&self, reason: String) {
        // Whoever was first has said why.
        drop(self.damaged.set(reason));
    }
}
