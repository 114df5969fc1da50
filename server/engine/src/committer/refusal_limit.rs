//! How often a table may have refusals written: a broken keypad must not grow the journal.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use meterhouse_domain::ids::{Sequence, TableNo};

/// Refusals a second that a table may have written for long.
const REFUSALS_PER_SECOND: NonZeroU32 = NonZeroU32::new(10).unwrap();
/// Refusals that a table may have written at once.
const REFUSALS_AT_ONCE: NonZeroU32 = NonZeroU32::new(100).unwrap();

/// The refusals that each table of a link had written lately.
pub(crate) struct RefusalLimit {
    limiter: DefaultKeyedRateLimiter<TableNo>,
    clock: DefaultClock,
    /// The last number of each table that was counted: what is decided again (another node was first, or the database
    /// was away) is one refusal all the same.
    counted: Mutex<HashMap<TableNo, Sequence>>,
}

impl RefusalLimit {
    pub(crate) fn new() -> Self {
        let quota = Quota::per_second(REFUSALS_PER_SECOND).allow_burst(REFUSALS_AT_ONCE);
        Self {
            limiter: RateLimiter::keyed(quota),
            clock: DefaultClock::default(),
            counted: Mutex::default(),
        }
    }

    /// Counts one more refusal of a table, or says how long until the next may be written.
    pub(crate) fn allow(&self, table: TableNo, sequence: Sequence) -> Result<(), Duration> {
        // Nothing is awaited while this is held, and no code under it can panic half way.
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.get(&table).is_some_and(|last| sequence <= *last) {
            return Ok(());
        }
        self.limiter
            .check_key(&table)
            .map_err(|not| not.wait_time_from(self.clock.now()))?;
        counted.insert(table, sequence);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_decided_again_counts_once() {
        let limit = RefusalLimit::new();
        let table = TableNo(1);
        for _ in 0..10 {
            for number in 1..=u64::from(REFUSALS_AT_ONCE.get()) {
                limit
                    .allow(table, Sequence(number))
                    .expect("as many as may be written at once");
            }
        }
        let more = (1..=10).map(|more| u64::from(REFUSALS_AT_ONCE.get()) + more);
        let denied = more.filter(|it| limit.allow(table, Sequence(*it)).is_err());
        assert!(denied.count() > 0);
    }
}
