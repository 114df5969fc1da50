//! How often a table may have refusals written: a broken keypad must not grow the journal.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use meterhouse_domain::name::TableNo;

/// Refusals a second that a table may have written for long.
const REFUSALS_PER_SECOND: NonZeroU32 = NonZeroU32::new(10).unwrap();
/// Refusals that a table may have written at once.
const REFUSALS_AT_ONCE: NonZeroU32 = NonZeroU32::new(100).unwrap();

/// The refusals that each table of a link had written lately.
pub(crate) struct RefusalLimit {
    limiter: DefaultKeyedRateLimiter<TableNo>,
    clock: DefaultClock,
}

impl RefusalLimit {
    pub(crate) fn new() -> Self {
        let quota = Quota::per_second(REFUSALS_PER_SECOND).allow_burst(REFUSALS_AT_ONCE);
        Self {
            limiter: RateLimiter::keyed(quota),
            clock: DefaultClock::default(),
        }
    }

    /// Counts one more refusal of a table, or says how long until the next may be written.
    pub(crate) fn allow(&self, table: TableNo) -> Result<(), Duration> {
        self.limiter
            .check_key(&table)
            .map_err(|not| not.wait_time_from(self.clock.now()))
    }
}
