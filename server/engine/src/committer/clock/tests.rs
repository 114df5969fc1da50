//! What is told of a clock that was set, and what is not.

use std::time::Duration;

use meterhouse_domain::ids::Timestamp;
use tokio::time::Instant;

use super::{LastBatch, Step};

const SECOND: i64 = 1_000_000;
const HOUR: i64 = 3_600 * SECOND;

/// What is told of batches at these (time in microseconds, seconds of the clock that nobody can set).
fn told(mut last: LastBatch, batches: &[(i64, u64)]) -> Vec<Option<Step>> {
    let start = Instant::now();
    let next =
        |(at, since): &(i64, u64)| last.next(Timestamp(*at), start + Duration::from_secs(*since));
    batches.iter().map(next).collect()
}

/// Proves CONFORMANCE 49, the part of what is logged: each step is told once, however long the clock stays wrong.
#[test]
fn a_step_is_told_once() {
    let back = told(
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
            Some(Step::Back(Duration::from_micros(1))),
            None,
            Some(Step::Back(an_hour)),
            None
        ]
    );
    let ahead = told(
        LastBatch::default(),
        &[(0, 0), (HOUR + SECOND, 1), (HOUR + 2 * SECOND, 2)],
    );
    assert_eq!(ahead, [None, Some(Step::Ahead(an_hour)), None]);
}

/// Commands come when they come, a batch may wait to be sent, and a clock is put right in small steps.
#[test]
fn what_is_no_step() {
    let batches = [(0, 0), (0, 1), (HOUR, 3_600), (HOUR + 60 * SECOND, 3_600)];
    assert_eq!(told(LastBatch::default(), &batches), [None; 4]);
    // Slow by two minutes, but never back.
    assert_eq!(told(LastBatch::default(), &[(0, 0), (1, 120)]), [None; 2]);
}

/// Over a restart another machine's clock may be a little behind, not an hour.
#[test]
fn behind_the_journal() {
    let loaded = || LastBatch::loaded(Timestamp(2 * HOUR));
    assert_eq!(told(loaded(), &[(2 * HOUR - 60 * SECOND, 0)]), [None]);
    assert_eq!(told(loaded(), &[(9 * HOUR, 0)]), [None]);
    let an_hour = Duration::from_hours(1);
    let batches = [(HOUR, 0), (HOUR + SECOND, 1)];
    assert_eq!(told(loaded(), &batches), [Some(Step::Back(an_hour)), None]);
}
