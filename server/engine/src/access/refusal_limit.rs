//! The limit of recorded refusals.
//!
//! # Limits
//! [`REFUSALS_A_MINUTE`] refusals of one kind by one name or address in a minute are recorded. The next recorded one
//! counts those that were not.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use meterhouse_store::NewAct;
use moka::sync::Cache;

/// Maximum number of recorded refusals of one kind by one name or address in a minute.
const REFUSALS_A_MINUTE: u64 = 10;
/// The window of [`REFUSALS_A_MINUTE`].
const WINDOW: Duration = Duration::from_mins(1);
/// Maximum number of names and addresses whose refusals are counted.
const REFUSED_MAX: u64 = 10_000;
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
    pub(super) fn admit(&self, act: &NewAct) -> Option<u64> {
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
