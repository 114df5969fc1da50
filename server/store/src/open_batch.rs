//! A batch that can grow until it is sealed.
//!
//! # Shape
//! A batch may wait for a commit statement of several links. Until that is made, the batch's committer can add the commands
//! that arrive. Whoever makes the statement seals the batch: from then on its content is fixed.
//!
//! # Order and locking
//! The committer has the batch's lock while it adds commands. Whoever makes the statement does not wait for that: the batch
//! then stays where it waits, for a later statement.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::new_batch::NewBatch;

/// Maximum number of events of a batch that shares a commit statement. A larger one gains little, and would hold the others
/// up.
pub(crate) const SHARED_EVENTS_MAX: usize = 256;

/// A batch that can grow until it is sealed.
#[derive(Debug)]
pub struct OpenBatch(Mutex<Stage>);

#[derive(Debug)]
struct Stage {
    batch: Arc<NewBatch>,
    is_sealed: bool,
}

/// The reason that a batch is not in a statement of several links.
pub(crate) enum NotSealed {
    /// Its committer is adding commands, or panicked while it did. What a panic left is never sent.
    Grows,
    /// It has more events than there is room for.
    NoRoom,
}

impl OpenBatch {
    /// Returns a batch that can grow.
    pub fn new(batch: NewBatch) -> Self {
        Self(Mutex::new(Stage {
            batch: Arc::new(batch),
            is_sealed: false,
        }))
    }

    /// Changes the batch, so that it has up to this number of events more. Returns `false`, and changes nothing, if the batch
    /// is sealed or would be too large to share a statement.
    pub fn grow(&self, more: usize, change: impl FnOnce(&mut NewBatch)) -> bool {
        let mut stage = self.lock();
        if stage.is_sealed || stage.batch.batch.events.len() + more > SHARED_EVENTS_MAX {
            return false;
        }
        let Some(batch) = Arc::get_mut(&mut stage.batch) else {
            return false;
        };
        change(batch);
        true
    }

    /// Seals the batch, and returns it.
    pub fn seal(&self) -> Arc<NewBatch> {
        self.lock().seal()
    }

    /// Seals the batch if it has at most this number of events.
    pub(crate) fn seal_within(&self, events: usize) -> Result<Arc<NewBatch>, NotSealed> {
        let Ok(mut stage) = self.0.try_lock() else {
            return Err(NotSealed::Grows);
        };
        if stage.batch.batch.events.len() > events {
            return Err(NotSealed::NoRoom);
        }
        Ok(stage.seal())
    }

    /// Returns `true` if the batch may share a statement. Its committer asks: nobody else changes it.
    pub(crate) fn may_share(&self) -> bool {
        let batch = &self.lock().batch;
        batch.is_routine() && batch.batch.events.len() <= SHARED_EVENTS_MAX
    }

    fn lock(&self) -> MutexGuard<'_, Stage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stage {
    fn seal(&mut self) -> Arc<NewBatch> {
        self.is_sealed = true;
        Arc::clone(&self.batch)
    }
}
