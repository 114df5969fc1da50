//! The numbers that a table had used up before it came onto the stream.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The last number that a table had used up when it came onto the stream.
#[derive(Clone, Debug, Default)]
pub(super) struct UsedUp(Arc<AtomicU64>);

impl UsedUp {
    /// It is known.
    pub(super) fn is(&self, last: u64) {
        self.0.store(last, Ordering::Relaxed);
    }

    /// Whether a number was used up then.
    pub(super) fn has(&self, sequence: u64) -> bool {
        sequence <= self.0.load(Ordering::Relaxed)
    }
}
