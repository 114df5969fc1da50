//! The only module that reads the system clock.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use meterhouse_domain::ids::Timestamp;
use time::OffsetDateTime;

/// Nanoseconds in a microsecond.
const NANOS_PER_MICRO: i128 = 1_000;

/// Returns the server's time, in microseconds since 1970 UTC.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the clock that everything else takes"
)]
pub fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

/// Returns a length of time in microseconds.
pub(crate) fn micros(length: Duration) -> i64 {
    i64::try_from(length.as_micros()).unwrap_or(i64::MAX)
}

/// Returns the moment that is earlier by this length.
pub(crate) fn earlier(at: Timestamp, length: Duration) -> Timestamp {
    Timestamp(at.0.saturating_sub(micros(length)))
}

/// Returns the month of a time, as the journal's partitions number it: 12 × year + (month - 1).
pub fn period_of(at: Timestamp) -> i32 {
    let moment = OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.0) * NANOS_PER_MICRO)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH);
    12 * moment.year() + i32::from(u8::from(moment.month())) - 1
}
