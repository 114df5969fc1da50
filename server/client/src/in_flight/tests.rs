//! Delivery of outcomes, and the deletion of taken commands.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use meterhouse_proto::table as wire;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::InFlight;
use crate::error::{OutcomeError, SendError, Stopped};
use crate::limits::OUTBOX_COMMANDS_MAX;
use crate::outbox::Contents;
use crate::outcome::{Effect, JournalPosition, Outcome};
use crate::receipt::{Outcomes, PendingOutcome, Receipt};
use crate::values::Sequence;

fn number(number: u64) -> Sequence {
    Sequence::new(number).unwrap()
}

fn outcome(sequence: u64) -> Outcome {
    Outcome {
        sequence: number(sequence),
        is_replayed: false,
        at: UNIX_EPOCH,
        journal_position: JournalPosition {
            batch: 1,
            position: 0,
        },
        displayed: Vec::new(),
        effect: Effect::Fold { seats: Vec::new() },
    }
}

/// Creates commands in flight that start at number 1.
fn empty() -> Arc<InFlight> {
    let in_flight = InFlight::new(Contents::default());
    in_flight.set_next(number(1));
    Arc::new(in_flight)
}

fn stored(in_flight: &Arc<InFlight>, sequence: u64) -> Receipt {
    let (sender, pending) = PendingOutcome::pair(Arc::clone(in_flight));
    in_flight.insert(number(sequence), wire::Command::default(), sender);
    Receipt::new(number(sequence), pending)
}

/// Returns `true` if `Outcomes` has no outcome.
async fn has_no_outcome(outcomes: &mut Outcomes) -> bool {
    timeout(Duration::ZERO, outcomes.take()).await.is_err()
}

/// The receipt takes the outcome. The command is deleted only afterwards.
#[tokio::test]
async fn a_receipt_takes_its_outcome() {
    let in_flight = empty();
    let mut outcomes = Outcomes::new(Arc::clone(&in_flight));
    let receipt = stored(&in_flight, 1);
    assert_eq!(in_flight.oldest(), Some(number(1)));
    in_flight.complete(outcome(1));
    assert_eq!(in_flight.oldest(), None);
    assert!(in_flight.drain_taken().is_empty());
    assert_eq!(receipt.outcome().await.unwrap(), outcome(1));
    assert_eq!(in_flight.drain_taken(), [number(1)]);
    assert!(has_no_outcome(&mut outcomes).await);
}

/// A receipt that is dropped before the outcome arrives, or with the outcome unread, leaves it to `Outcomes`.
#[tokio::test]
async fn a_dropped_receipt_leaves_its_outcome_to_outcomes() {
    let in_flight = empty();
    let mut outcomes = Outcomes::new(Arc::clone(&in_flight));
    let (first, second) = (stored(&in_flight, 1), stored(&in_flight, 2));
    drop(first);
    in_flight.complete(outcome(1));
    in_flight.complete(outcome(2));
    drop(second);
    assert!(in_flight.drain_taken().is_empty());
    assert_eq!(outcomes.take().await.unwrap(), outcome(1));
    assert_eq!(outcomes.take().await.unwrap(), outcome(2));
    assert_eq!(in_flight.drain_taken(), [number(1), number(2)]);
}

/// A `send` that is cancelled after its outcome arrived, and before its number was known, leaves it to `Outcomes`.
#[tokio::test]
async fn a_cancelled_send_leaves_its_outcome_to_outcomes() {
    let in_flight = empty();
    let mut outcomes = Outcomes::new(Arc::clone(&in_flight));
    let (sender, pending) = PendingOutcome::pair(Arc::clone(&in_flight));
    in_flight.insert(number(1), wire::Command::default(), sender);
    in_flight.complete(outcome(1));
    assert!(has_no_outcome(&mut outcomes).await);
    drop(pending);
    assert_eq!(outcomes.take().await.unwrap(), outcome(1));
    assert_eq!(in_flight.drain_taken(), [number(1)]);
}

#[tokio::test]
async fn without_outcomes_unclaimed_outcomes_are_discarded() {
    let in_flight = empty();
    let outcomes = Outcomes::new(Arc::clone(&in_flight));
    drop(stored(&in_flight, 1));
    in_flight.complete(outcome(1));
    drop(stored(&in_flight, 2));
    drop(outcomes);
    in_flight.complete(outcome(2));
    assert_eq!(in_flight.drain_taken(), [number(1), number(2)]);
}

#[tokio::test]
async fn a_repeated_outcome_is_taken_once() {
    let in_flight = empty();
    let mut outcomes = Outcomes::new(Arc::clone(&in_flight));
    drop(stored(&in_flight, 1));
    in_flight.complete(outcome(1));
    in_flight.complete(outcome(1));
    outcomes.take().await.unwrap();
    in_flight.complete(outcome(1));
    assert!(has_no_outcome(&mut outcomes).await);
    assert_eq!(in_flight.drain_taken(), [number(1)]);
}

/// Commands with an untaken outcome take up as much room as those without one.
#[tokio::test]
async fn untaken_outcomes_count_against_the_limit() {
    let in_flight = empty();
    let mut outcomes = Outcomes::new(Arc::clone(&in_flight));
    for sequence in 1..=OUTBOX_COMMANDS_MAX as u64 {
        in_flight.check_capacity(0).unwrap();
        drop(stored(&in_flight, sequence));
    }
    in_flight.complete(outcome(1));
    assert!(matches!(in_flight.check_capacity(0), Err(SendError::Full)));
    outcomes.take().await.unwrap();
    in_flight.check_capacity(0).unwrap();
    assert!(matches!(in_flight.check_capacity(1), Err(SendError::Full)));
}

#[test]
fn a_command_needs_a_first_number() {
    let in_flight = InFlight::new(Contents::default());
    assert!(matches!(
        in_flight.check_capacity(0),
        Err(SendError::NotNumbered)
    ));
}

/// The first is the oldest without an outcome. Both limits hold, but at least one command is returned.
#[test]
fn unanswered_commands_are_sent_in_order_within_limits() {
    let in_flight = empty();
    for sequence in 1..=4 {
        let (sender, _) = oneshot::channel();
        let command = wire::Command {
            sequence,
            badge: "d-12".to_owned(),
            ..wire::Command::default()
        };
        in_flight.insert(number(sequence), command, sender);
    }
    in_flight.complete(outcome(1));
    let numbers = |after: Option<u64>, before: Option<u64>, most, bytes| {
        let found = in_flight.to_send(after.map(number), before.map(number), most, bytes);
        found
            .iter()
            .map(|command| command.sequence)
            .collect::<Vec<_>>()
    };
    assert_eq!(numbers(None, None, 9, 999), [2, 3, 4]);
    assert_eq!(numbers(Some(2), None, 9, 999), [3, 4]);
    assert_eq!(numbers(None, Some(4), 9, 999), [2, 3]);
    assert_eq!(numbers(None, None, 1, 999), [2]);
    assert_eq!(numbers(None, None, 9, 16), [2, 3]);
    assert_eq!(numbers(None, None, 9, 0), [2]);
}

/// Outcomes that arrived before the stop are still returned.
#[tokio::test]
async fn waits_end_with_the_reason_of_the_stop() {
    let in_flight = empty();
    let mut outcomes = Outcomes::new(Arc::clone(&in_flight));
    let (answered, waiting) = (stored(&in_flight, 1), stored(&in_flight, 2));
    drop(stored(&in_flight, 3));
    in_flight.complete(outcome(1));
    in_flight.complete(outcome(3));
    in_flight.stop(Stopped::ServerAhead {
        table: "T-1".parse().unwrap(),
        server_next: 9,
        last_assigned: 3,
    });
    in_flight.close();
    answered.outcome().await.unwrap();
    let is_stopped = |error| matches!(error, OutcomeError::Stopped(Stopped::ServerAhead { .. }));
    assert!(is_stopped(waiting.outcome().await.unwrap_err()));
    outcomes.take().await.unwrap();
    assert!(is_stopped(outcomes.take().await.unwrap_err()));
    assert!(matches!(
        in_flight.check_capacity(0),
        Err(SendError::Stopped(_))
    ));
}
