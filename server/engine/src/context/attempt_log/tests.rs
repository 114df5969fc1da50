//! Tests of the limits of the log of refused attempts.

use std::time::Duration;

use meterhouse_domain::ids::{ActorId, LinkId, Sequence, TableNo, Timestamp};
use meterhouse_store::{Attempt, AttemptKind};
use tokio::time::Instant;

use super::{ATTEMPTS_A_MINUTE, AttemptLog, PENDING_MAX, WINDOW};

fn attempt(table: u32, sequence: u64) -> Attempt {
    Attempt {
        at: Timestamp(0),
        kind: AttemptKind::SequenceReused,
        actor: ActorId(7),
        link: LinkId(1),
        table: Some(TableNo(table)),
        sequence: Some(Sequence(sequence)),
        detail: String::new(),
        suppressed: 0,
    }
}

/// Returns the sequence number and the suppressed count of each attempt to be written.
fn taken(attempts: &AttemptLog, at: Instant, at_the_end: bool) -> Vec<(u64, u64)> {
    let taken = attempts.take(at, at_the_end).into_iter();
    let pair = |attempt: Attempt| {
        (
            attempt.sequence.map_or(0, |number| number.0),
            attempt.suppressed,
        )
    };
    taken.map(pair).collect()
}

/// Of thirty attempts in a minute, ten get a row immediately. The last one gets a row after the minute, with the count
/// of the nineteen before it.
#[test]
fn rows_a_minute_are_limited_and_every_attempt_is_counted() {
    let attempts = AttemptLog::default();
    let start = Instant::now();
    for number in 1..=30 {
        attempts.note(attempt(1, number), start);
        attempts.note(attempt(2, number), start);
    }
    let most = u64::from(ATTEMPTS_A_MINUTE);
    let first = taken(&attempts, start + Duration::from_secs(1), false);
    let rows = (1..=most).flat_map(|number| [(number, 0), (number, 0)]);
    assert_eq!(first, rows.collect::<Vec<_>>());
    assert_eq!(taken(&attempts, start + Duration::from_secs(59), false), []);
    let last = taken(&attempts, start + WINDOW, false);
    assert_eq!(last, [(30, 30 - most - 1); 2]);
    assert_eq!(taken(&attempts, start + WINDOW * 2, true), []);
}

/// The first attempt of the next minute closes the window of the last one.
#[test]
fn the_next_minute_reports_the_suppressed_attempts_of_the_last_one() {
    let attempts = AttemptLog::default();
    let start = Instant::now();
    for number in 1..=12 {
        attempts.note(attempt(1, number), start);
    }
    assert_eq!(taken(&attempts, start, false).len(), 10);
    attempts.note(attempt(1, 13), start + WINDOW);
    let next = taken(&attempts, start + WINDOW, false);
    assert_eq!(next, [(12, 1), (13, 0)]);
}

/// With `at_the_end`, the attempts held back are written. Attempts that could not be written come again, in their
/// order.
#[test]
fn held_attempts_are_written_at_the_end_and_unwritten_ones_again() {
    let attempts = AttemptLog::default();
    let start = Instant::now();
    for number in 1..=12 {
        attempts.note(attempt(1, number), start);
    }
    let unwritten = attempts.take(start, false);
    attempts.note(attempt(2, 99), start);
    attempts.put_back(unwritten);
    let all = taken(&attempts, start, true);
    assert_eq!(
        (all.len(), all.first(), all.last()),
        (12, Some(&(1, 0)), Some(&(12, 1)))
    );
}

/// While the database can't be reached, a limited number of attempts waits.
#[test]
fn pending_attempts_are_limited_during_an_outage() {
    let attempts = AttemptLog::default();
    let start = Instant::now();
    for table in 0..2_000 {
        for number in 1..=10 {
            attempts.note(attempt(table, number), start);
        }
    }
    assert_eq!(attempts.lock().pending.len(), PENDING_MAX);
}
