//! The sequence numbers that a table had used up before it was attached.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The last sequence number that a table had used up when it was attached.
#[derive(Clone, Debug, Default)]
pub(super) struct UsedUp(Arc<AtomicU64>);

impl UsedUp {
    /// Sets the last number.
    pub(super) fn set(&self, last: u64) {
        self.0.store(last, Ordering::Relaxed);
    }

    /// Returns `true` if the number had been used up.
    pub(super) fn contains(&self, sequence: u64) -> bool {
        sequence <= self.0.load(Ordering::Relaxed)
    }
}
