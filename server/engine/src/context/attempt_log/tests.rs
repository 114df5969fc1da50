//! The bound of the trace of refused attempts.

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

/// Numbers and suppressed counts of what has to be written.
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

/// Of thirty attempts in a minute ten have rows at once; the last has one when the minute is over, with the count of
/// those before it: together they are thirty.
#[test]
fn a_minute_is_bounded_and_nothing_is_uncounted() {
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

/// What comes first in the next minute brings the count of the last one with it.
#[test]
fn the_next_minute_begins_anew() {
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

/// At the end what is held back is written as well; what can't be written comes again, in its order.
#[test]
fn at_the_end_and_where_the_database_is_away() {
    let attempts = AttemptLog::default();
    let start = Instant::now();
    for number in 1..=12 {
        attempts.note(attempt(1, number), start);
    }
    let away = attempts.take(start, false);
    attempts.note(attempt(2, 99), start);
    attempts.put_back(away);
    let all = taken(&attempts, start, true);
    assert_eq!(
        (all.len(), all.first(), all.last()),
        (12, Some(&(1, 0)), Some(&(12, 1)))
    );
}

/// While the database is away only so many wait.
#[test]
fn only_so_many_wait() {
    let attempts = AttemptLog::default();
    let start = Instant::now();
    for table in 0..2_000 {
        for number in 1..=10 {
            attempts.note(attempt(table, number), start);
        }
    }
    assert_eq!(attempts.lock().pending.len(), PENDING_MAX);
}
