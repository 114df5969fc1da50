//! A loaded link, and a load under way.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::answer::NotExecuted;
use crate::committer::published_state::PublishedState;
use crate::committer::request::Request;
use crate::integrity::running_check::CheckProgress;

/// Maximum number of concurrent loads: fewer than the store has connections for reading.
pub(crate) const LOADS_MAX: usize = 4;

/// A loaded link.
#[derive(Clone)]
pub(crate) struct Loaded {
    /// The queue of the committer.
    pub(crate) queue: mpsc::Sender<Request>,
    /// The state that the committer publishes.
    pub(crate) published: Arc<PublishedState>,
    /// The progress of the books' check when the books passed.
    checked: Arc<Mutex<Option<CheckProgress>>>,
    /// The newest check that found no difference, and its time.
    agreed: Arc<Mutex<Option<(CheckProgress, Instant)>>>,
}

impl Loaded {
    pub(crate) fn new(queue: mpsc::Sender<Request>, published: Arc<PublishedState>) -> Self {
        Self {
            queue,
            published,
            checked: Arc::default(),
            agreed: Arc::default(),
        }
    }

    /// Allows coin-in. The running check continues from this progress.
    pub(crate) fn pass_books(&self, checked: CheckProgress) {
        *self.checked.lock().unwrap_or_else(PoisonError::into_inner) = Some(checked);
        self.record_agreed(checked);
        self.published.pass_books();
    }

    /// Records a check that found no difference.
    pub(crate) fn record_agreed(&self, checked: CheckProgress) {
        let mut agreed = self.agreed.lock().unwrap_or_else(PoisonError::into_inner);
        *agreed = Some((checked, Instant::now()));
    }

    /// Returns the newest check that found no difference, and its time.
    pub(crate) fn agreed(&self) -> Option<(CheckProgress, Instant)> {
        *self.agreed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the progress of the books' check. Only the first call returns it.
    pub(crate) fn take_checked(&self) -> Option<CheckProgress> {
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        checked.take()
    }
}

/// A load under way, or its result.
pub(crate) type PendingLoad = watch::Receiver<Option<Result<Loaded, NotExecuted>>>;

/// A link that can't be loaded.
pub(crate) struct NotLoaded {
    pub(crate) reason: String,
    pub(crate) since: Instant,
}
