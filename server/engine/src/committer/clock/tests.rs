//! Tests of the detection of a clock that was set.

use std::time::Duration;

use meterhouse_domain::ids::Timestamp;
use tokio::time::Instant;

use super::{ClockStep, LastBatch};

const SECOND: i64 = 1_000_000;
const HOUR: i64 = 3_600 * SECOND;

/// Returns the steps reported for batches at these times: wall clock in microseconds, monotonic clock in seconds.
fn steps(mut last: LastBatch, batches: &[(i64, u64)]) -> Vec<Option<ClockStep>> {
    let start = Instant::now();
    let next =
        |(at, since): &(i64, u64)| last.next(Timestamp(*at), start + Duration::from_secs(*since));
    batches.iter().map(next).collect()
}

/// Proves CONFORMANCE 49, the log's part: each step is reported once, even if the clock stays wrong.
#[test]
fn each_clock_step_is_reported_once() {
    let back = steps(
        LastBatch::default(),
        &[
            (HOUR, 0),
            (HOUR - 1, 1),
            (HOUR + SECOND, 2),
            (SECOND, 3),
            (2 * SECOND, 4),
        ],
    );
    let an_hour = Duration::from_hours(1);
    assert_eq!(
        back,
        [
            None,
            Some(ClockStep::Back(Duration::from_micros(1))),
            None,
            Some(ClockStep::Back(an_hour)),
            None
        ]
    );
    let ahead = steps(
        LastBatch::default(),
        &[(0, 0), (HOUR + SECOND, 1), (HOUR + 2 * SECOND, 2)],
    );
    assert_eq!(ahead, [None, Some(ClockStep::Ahead(an_hour)), None]);
}

/// Pauses between batches, a delayed batch and small corrections of the clock are no steps.
#[test]
fn pauses_delays_and_small_corrections_are_no_clock_steps() {
    let batches = [(0, 0), (0, 1), (HOUR, 3_600), (HOUR + 60 * SECOND, 3_600)];
    assert_eq!(steps(LastBatch::default(), &batches), [None; 4]);
    // Slow by two minutes, but never back.
    assert_eq!(steps(LastBatch::default(), &[(0, 0), (1, 120)]), [None; 2]);
}

/// After a restart, another machine's clock may lag by a minute, but not by an hour.
#[test]
fn after_a_restart_a_clock_may_lag_by_a_minute_but_not_by_an_hour() {
    let loaded = || LastBatch::loaded(Timestamp(2 * HOUR));
    assert_eq!(steps(loaded(), &[(2 * HOUR - 60 * SECOND, 0)]), [None]);
    assert_eq!(steps(loaded(), &[(9 * HOUR, 0)]), [None]);
    let an_hour = Duration::from_hours(1);
    let batches = [(HOUR, 0), (HOUR + SECOND, 1)];
    assert_eq!(
        steps(loaded(), &batches),
        [Some(ClockStep::Back(an_hour)), None]
    );
}
