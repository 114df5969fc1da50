//! The rate limit of a table's journaled refusals, so that a broken keypad does not grow the journal.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use meterhouse_domain::ids::{Sequence, TableNo};

/// Refusals a second that a table may journal in the long run.
const REFUSALS_PER_SECOND: NonZeroU32 = NonZeroU32::new(10).unwrap();
/// Refusals that a table may journal in a burst.
const REFUSALS_BURST: NonZeroU32 = NonZeroU32::new(100).unwrap();

/// The rate limit of each table of a link.
pub(crate) struct RefusalLimit {
    limiter: DefaultKeyedRateLimiter<TableNo>,
    clock: DefaultClock,
    /// The last counted sequence number of each table. A command that is decided again, after a conflict or an outage,
    /// counts as one refusal.
    counted: Mutex<HashMap<TableNo, Sequence>>,
}

impl RefusalLimit {
    pub(crate) fn new() -> Self {
        let quota = Quota::per_second(REFUSALS_PER_SECOND).allow_burst(REFUSALS_BURST);
        Self {
            limiter: RateLimiter::keyed(quota),
            clock: DefaultClock::default(),
            counted: Mutex::default(),
        }
    }

    /// Counts one more refusal of a table. Returns the time until the next one if the limit is reached.
    pub(crate) fn allow(&self, table: TableNo, sequence: Sequence) -> Result<(), Duration> {
        // No code awaits or panics while the lock is held, so a poisoned lock is ignored.
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
    fn a_command_decided_again_counts_as_one_refusal() {
        let limit = RefusalLimit::new();
        let table = TableNo(1);
        for _ in 0..10 {
            for number in 1..=u64::from(REFUSALS_BURST.get()) {
                limit
                    .allow(table, Sequence(number))
                    .expect("within the burst");
            }
        }
        let more = (1..=10).map(|number| u64::from(REFUSALS_BURST.get()) + number);
        let denied = more.filter(|number| limit.allow(table, Sequence(*number)).is_err());
        assert!(denied.count() > 0);
    }
}
