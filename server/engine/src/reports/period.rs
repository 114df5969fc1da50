//! The end of a period of time: the moment from which nothing is added to it.

use std::time::Duration;

use meterhouse_domain::ids::Timestamp;

use crate::clock::now;

/// The time after which a period is over: no commit under way is older.
const OVER_AFTER: Duration = Duration::from_mins(1);

/// Returns `true` if no batch can still be committed before this time.
pub(crate) fn is_over(moment: Timestamp) -> bool {
    let pause = i64::try_from(OVER_AFTER.as_micros()).unwrap_or(i64::MAX);
    moment.0.saturating_add(pause) <= now().0
}
