//! A loaded link, and a load under way.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::answer::Denied;
use crate::committer::published_state::PublishedState;
use crate::committer::request::Request;
use crate::integrity::running_check::Checked;

/// Links that are loaded at a time: fewer than the store has connections for reading.
pub(crate) const LOADS_MAX: usize = 4;

/// A link that is loaded.
#[derive(Clone)]
pub(crate) struct Loaded {
    /// The queue to its committer.
    pub(crate) queue: mpsc::Sender<Request>,
    /// What is known of it.
    pub(crate) published: Arc<PublishedState>,
    /// How far the books were checked when they passed.
    checked: Arc<Mutex<Option<Checked>>>,
}

impl Loaded {
    pub(crate) fn new(queue: mpsc::Sender<Request>, published: Arc<PublishedState>) -> Self {
        Self {
            queue,
            published,
            checked: Arc::default(),
        }
    }

    /// Lets the link take coin-in. The running check goes on from there.
    pub(crate) fn pass_books(&self, checked: Checked) {
        *self.checked.lock().unwrap_or_else(PoisonError::into_inner) = Some(checked);
        self.published.pass_books();
    }

    /// Takes how far the books were checked when they passed. The running check does so once.
    pub(crate) fn take_checked(&self) -> Option<Checked> {
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        checked.take()
    }
}

/// A load under way, or how it ended.
pub(crate) type Load = watch::Receiver<Option<Result<Loaded, Denied>>>;

/// A link that can't be loaded.
pub(crate) struct NotLoaded {
    pub(crate) reason: String,
    pub(crate) since: Instant,
}
