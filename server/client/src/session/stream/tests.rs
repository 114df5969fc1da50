//! When what may be sent, and how long is waited: as far as no network is needed to see it.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_proto::table::play_response::Response as Told;
use meterhouse_proto::table::{self as wire, PlayResponse};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;
use tonic::transport::Endpoint;

use super::{Attached, BEAT_EVERY, SILENCE_MAX, beat_every, silence_limit, silence_max};
use crate::board::Board;
use crate::decisions::Noted;
use crate::outbox::Contents;
use crate::session::{PAUSE_MAX, Session, Target, Token};
use crate::status::Status;
use crate::values::Sequence;

fn number(number: u64) -> Sequence {
    Sequence::new(number).unwrap()
}

/// A session without a network, which has one command to send.
fn session() -> Session {
    let board = Board::new(Contents::default());
    board.begin(number(1));
    let (waiter, _) = oneshot::channel();
    let command = wire::Command {
        sequence: 1,
        ..wire::Command::default()
    };
    board.keep(number(1), command, waiter);
    let target = Target {
        endpoint: Endpoint::from_static("http://127.0.0.1:1"),
        table: "T-1".parse().unwrap(),
        token: Token(String::new()),
    };
    let (outbox, _) = mpsc::channel(1);
    let (status, _) = watch::channel(Status::Connecting);
    let board = Arc::new(board);
    let (noted, _) = Noted::pair(Arc::clone(&board));
    Session::new(target, board, outbox, status, noted)
}

/// The table on a stream, where all numbers before this one are counted.
fn attached(counted_before: u64, now: Instant) -> Attached {
    let told = wire::Attached {
        window: 8,
        silence_seconds_max: 2,
        ..wire::Attached::default()
    };
    Attached::new(&told, number(counted_before), now)
}

/// The answer to a heartbeat.
fn alive(link_state: &str) -> PlayResponse {
    let standing = wire::Standing {
        link_state: link_state.to_owned(),
        ..wire::Standing::default()
    };
    let alive = wire::Alive {
        standing: Some(standing),
        ..wire::Alive::default()
    };
    PlayResponse {
        response: Some(Told::Alive(alive)),
    }
}

#[test]
fn heartbeats_are_often_enough_for_the_link() {
    let every = |seconds| beat_every(silence_max(seconds));
    assert_eq!(every(1), Duration::from_secs(1) / 3);
    assert_eq!(every(2), Duration::from_secs(2) / 3);
    // The link's state is to be seen soon, whatever silence it allows.
    assert_eq!([every(3), every(5), every(3_600)], [BEAT_EVERY; 3]);
    assert_eq!(silence_max(0), None, "it was not said");
    assert_eq!(every(0), BEAT_EVERY);
}

/// As much as the link allows its tables, and never more than any server needs.
#[test]
fn silence_has_a_limit() {
    let limit = |seconds| silence_limit(silence_max(seconds));
    assert_eq!([1, 2].map(limit), [1, 2].map(Duration::from_secs));
    assert_eq!([0, 5, 3_600].map(limit), [SILENCE_MAX; 3]);
}

/// A heartbeat that has no answer when the next one is due holds what is new, until there is one.
#[test]
fn a_server_that_may_stall_is_sent_nothing_new() {
    let mut session = session();
    let mut attached = attached(1, Instant::now());
    assert!(session.to_send(&attached).is_empty(), "the first is open");
    session.hear(alive("open"), &mut attached).unwrap();
    assert_eq!(session.to_send(&attached).len(), 1);
    attached.beat();
    assert_eq!(session.to_send(&attached).len(), 1, "it has just gone out");
    attached.beat();
    assert!(session.to_send(&attached).is_empty());
    session.hear(alive("faulted"), &mut attached).unwrap();
    assert!(session.to_send(&attached).is_empty());
    attached.beat();
    session.hear(alive("open"), &mut attached).unwrap();
    assert_eq!(session.to_send(&attached).len(), 1);
}

/// What the server has counted is sent for its outcome, held or not.
#[test]
fn what_was_counted_is_sent_in_any_case() {
    let (session, attached) = (session(), attached(2, Instant::now()));
    assert!(attached.is_held);
    assert_eq!(session.to_send(&attached).len(), 1);
}

/// Whatever is heard puts the end off; a server that stays for longer than the longest pause has led somewhere.
#[test]
fn a_stream_that_lasts_leads_somewhere() {
    let since = Instant::now();
    let (mut session, mut attached) = (session(), attached(1, since));
    let limit = Duration::from_secs(2);
    assert_eq!(attached.silent_at, since + limit);
    session.heard(&mut attached, since + PAUSE_MAX);
    assert!(!session.has_progressed);
    let later = since + PAUSE_MAX + Duration::from_millis(1);
    session.heard(&mut attached, later);
    assert!(session.has_progressed);
    assert_eq!(attached.silent_at, later + limit);
}
