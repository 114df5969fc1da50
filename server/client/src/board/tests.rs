//! Who hears of which outcome, and when a command can be forgotten.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use meterhouse_proto::table as wire;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::Board;
use crate::error::{OutcomeError, SendError, Stopped};
use crate::kept::{Coming, Kept, Outcomes};
use crate::limits::KEPT_MAX;
use crate::outbox::Contents;
use crate::outcome::{Effect, Outcome, Place};
use crate::values::Sequence;

fn number(number: u64) -> Sequence {
    Sequence::new(number).unwrap()
}

fn outcome(sequence: u64) -> Outcome {
    Outcome {
        sequence: number(sequence),
        is_replayed: false,
        at: UNIX_EPOCH,
        place: Place {
            batch: 1,
            position: 0,
        },
        displayed: Vec::new(),
        effect: Effect::Fold { seats: Vec::new() },
    }
}

/// A board that begins at 1.
fn board() -> Arc<Board> {
    let board = Board::new(Contents::default());
    board.begin(number(1));
    Arc::new(board)
}

fn keep(board: &Arc<Board>, sequence: u64) -> Kept {
    let (waiter, coming) = Coming::pair(Arc::clone(board));
    board.keep(number(sequence), wire::Command::default(), waiter);
    Kept::new(number(sequence), coming)
}

/// Whether `Outcomes` has nothing to tell.
async fn tells_nothing(outcomes: &mut Outcomes) -> bool {
    timeout(Duration::ZERO, outcomes.take()).await.is_err()
}

/// Whoever waits takes it; only then the command is forgotten.
#[tokio::test]
async fn who_waits_takes_the_outcome() {
    let board = board();
    let mut outcomes = Outcomes::new(Arc::clone(&board));
    let kept = keep(&board, 1);
    assert_eq!(board.oldest(), Some(number(1)));
    board.tell(outcome(1));
    assert_eq!(board.oldest(), None);
    assert!(board.taken().is_empty());
    assert_eq!(kept.outcome().await.unwrap(), outcome(1));
    assert_eq!(board.taken(), [number(1)]);
    assert!(tells_nothing(&mut outcomes).await);
}

/// Dropped before the outcome or with it unread, a wait leaves it to `Outcomes`.
#[tokio::test]
async fn nobody_waiting_leaves_it_to_the_others() {
    let board = board();
    let mut outcomes = Outcomes::new(Arc::clone(&board));
    let (first, second) = (keep(&board, 1), keep(&board, 2));
    drop(first);
    board.tell(outcome(1));
    board.tell(outcome(2));
    drop(second);
    assert!(board.taken().is_empty());
    assert_eq!(outcomes.take().await.unwrap(), outcome(1));
    assert_eq!(outcomes.take().await.unwrap(), outcome(2));
    assert_eq!(board.taken(), [number(1), number(2)]);
}

/// A `send` that is given up after its outcome came, and before it knew its number, leaves it to `Outcomes` too.
#[tokio::test]
async fn a_send_given_up_leaves_it_to_the_others() {
    let board = board();
    let mut outcomes = Outcomes::new(Arc::clone(&board));
    let (waiter, coming) = Coming::pair(Arc::clone(&board));
    board.keep(number(1), wire::Command::default(), waiter);
    board.tell(outcome(1));
    assert!(tells_nothing(&mut outcomes).await);
    drop(coming);
    assert_eq!(outcomes.take().await.unwrap(), outcome(1));
    assert_eq!(board.taken(), [number(1)]);
}

/// Without `Outcomes` what nobody waits for is let go.
#[tokio::test]
async fn unwanted_outcomes_are_let_go() {
    let board = board();
    let outcomes = Outcomes::new(Arc::clone(&board));
    drop(keep(&board, 1));
    board.tell(outcome(1));
    drop(keep(&board, 2));
    drop(outcomes);
    board.tell(outcome(2));
    assert_eq!(board.taken(), [number(1), number(2)]);
}

/// An outcome that was told twice is taken once.
#[tokio::test]
async fn a_second_outcome_changes_nothing() {
    let board = board();
    let mut outcomes = Outcomes::new(Arc::clone(&board));
    drop(keep(&board, 1));
    board.tell(outcome(1));
    board.tell(outcome(1));
    outcomes.take().await.unwrap();
    board.tell(outcome(1));
    assert!(tells_nothing(&mut outcomes).await);
    assert_eq!(board.taken(), [number(1)]);
}

/// Untaken outcomes take up room as commands without one do.
#[tokio::test]
async fn a_full_board_keeps_no_more() {
    let board = board();
    let mut outcomes = Outcomes::new(Arc::clone(&board));
    for sequence in 1..=KEPT_MAX as u64 {
        board.accepts(0).unwrap();
        drop(keep(&board, sequence));
    }
    board.tell(outcome(1));
    assert!(matches!(board.accepts(0), Err(SendError::Full)));
    outcomes.take().await.unwrap();
    board.accepts(0).unwrap();
    assert!(matches!(board.accepts(1), Err(SendError::Full)));
}

/// Without a first number nothing is kept.
#[test]
fn a_new_board_keeps_nothing() {
    let board = Board::new(Contents::default());
    assert!(matches!(board.accepts(0), Err(SendError::NotNumbered)));
}

/// In order, from the first without an outcome, within both limits, and one at least.
#[test]
fn what_has_no_outcome_is_sent_in_order() {
    let board = board();
    for sequence in 1..=4 {
        let (waiter, _) = oneshot::channel();
        let command = wire::Command {
            sequence,
            badge: "d-12".to_owned(),
            ..wire::Command::default()
        };
        board.keep(number(sequence), command, waiter);
    }
    board.tell(outcome(1));
    let numbers = |after: Option<u64>, before: Option<u64>, most, bytes| {
        let found = board.to_send(after.map(number), before.map(number), most, bytes);
        found.iter().map(|it| it.sequence).collect::<Vec<_>>()
    };
    assert_eq!(numbers(None, None, 9, 999), [2, 3, 4]);
    assert_eq!(numbers(Some(2), None, 9, 999), [3, 4]);
    assert_eq!(numbers(None, Some(4), 9, 999), [2, 3]);
    assert_eq!(numbers(None, None, 1, 999), [2]);
    assert_eq!(numbers(None, None, 9, 16), [2, 3]);
    assert_eq!(numbers(None, None, 9, 0), [2]);
}

/// Whoever waits hears why nothing comes any more; what had come before is still there.
#[tokio::test]
async fn the_end_is_told() {
    let board = board();
    let mut outcomes = Outcomes::new(Arc::clone(&board));
    let (told, waiting) = (keep(&board, 1), keep(&board, 2));
    drop(keep(&board, 3));
    board.tell(outcome(1));
    board.tell(outcome(3));
    board.stop(Stopped::ServerAhead {
        table: "T-1".parse().unwrap(),
        server_next: 9,
        given: 3,
    });
    board.close();
    told.outcome().await.unwrap();
    let is_stopped = |error| matches!(error, OutcomeError::Stopped(Stopped::ServerAhead { .. }));
    assert!(is_stopped(waiting.outcome().await.unwrap_err()));
    outcomes.take().await.unwrap();
    assert!(is_stopped(outcomes.take().await.unwrap_err()));
    assert!(matches!(board.accepts(0), Err(SendError::Stopped(_))));
}
