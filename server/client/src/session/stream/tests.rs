//! The commands that may be sent, and the limits of time, as far as no network is needed.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_proto::table::play_response::Response;
use meterhouse_proto::table::{self as wire, PlayResponse};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;
use tonic::transport::Endpoint;

use super::{
    AttachedTable, HEARTBEAT_INTERVAL, SILENCE_MAX, heartbeat_interval, silence_limit, silence_max,
};
use crate::decisions::HitRecorder;
use crate::in_flight::InFlight;
use crate::outbox::Contents;
use crate::session::{PAUSE_MAX, TableSession, Target, Token};
use crate::status::Status;
use crate::values::Sequence;

fn number(number: u64) -> Sequence {
    Sequence::new(number).unwrap()
}

/// Creates a session without a network, which has one command to send.
fn session() -> TableSession {
    let in_flight = InFlight::new(Contents::default());
    in_flight.set_next(number(1));
    let (waiter, _) = oneshot::channel();
    let command = wire::Command {
        sequence: 1,
        ..wire::Command::default()
    };
    in_flight.insert(number(1), command, waiter);
    let target = Target {
        endpoint: Endpoint::from_static("http://127.0.0.1:1"),
        table: "T-1".parse().unwrap(),
        token: Token(String::new()),
    };
    let (outbox, _) = mpsc::channel(1);
    let (status, _) = watch::channel(Status::Connecting);
    let in_flight = Arc::new(in_flight);
    let (recorder, _) = HitRecorder::pair(Arc::clone(&in_flight));
    TableSession::new(target, in_flight, outbox, status, recorder)
}

/// Creates an attached table for which all numbers before this one are counted.
fn attached(counted_before: u64, now: Instant) -> AttachedTable {
    let message = wire::Attached {
        window: 8,
        silence_seconds_max: 2,
        ..wire::Attached::default()
    };
    AttachedTable::new(&message, number(counted_before), now)
}

/// Returns the reply to a heartbeat.
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
        response: Some(Response::Alive(alive)),
    }
}

#[test]
fn heartbeats_fit_the_silence_that_the_link_allows() {
    let every = |seconds| heartbeat_interval(silence_max(seconds));
    assert_eq!(every(1), Duration::from_secs(1) / 3);
    assert_eq!(every(2), Duration::from_secs(2) / 3);
    // The state of the link has to be seen soon, whatever silence it allows.
    assert_eq!([every(3), every(5), every(3_600)], [HEARTBEAT_INTERVAL; 3]);
    assert_eq!(silence_max(0), None, "it was not said");
    assert_eq!(every(0), HEARTBEAT_INTERVAL);
}

#[test]
fn silence_is_limited_by_the_link_and_the_maximum() {
    let limit = |seconds| silence_limit(silence_max(seconds));
    assert_eq!([1, 2].map(limit), [1, 2].map(Duration::from_secs));
    assert_eq!([0, 5, 3_600].map(limit), [SILENCE_MAX; 3]);
}

/// The hold ends with the reply to the heartbeat.
#[test]
fn no_new_command_is_sent_while_a_heartbeat_is_overdue() {
    let mut session = session();
    let mut attached = attached(1, Instant::now());
    assert!(session.to_send(&attached).is_empty(), "the first is open");
    session.handle(alive("open"), &mut attached).unwrap();
    assert_eq!(session.to_send(&attached).len(), 1);
    attached.heartbeat_due();
    assert_eq!(session.to_send(&attached).len(), 1, "it has just gone out");
    attached.heartbeat_due();
    assert!(session.to_send(&attached).is_empty());
    session.handle(alive("faulted"), &mut attached).unwrap();
    assert!(session.to_send(&attached).is_empty());
    attached.heartbeat_due();
    session.handle(alive("open"), &mut attached).unwrap();
    assert_eq!(session.to_send(&attached).len(), 1);
}

#[test]
fn commands_that_the_server_counted_are_always_sent() {
    let (session, attached) = (session(), attached(2, Instant::now()));
    assert!(attached.holds_new);
    assert_eq!(session.to_send(&attached).len(), 1);
}

/// Each message extends the deadline. A stream that lasts longer than the longest pause counts as progress.
#[test]
fn a_stream_that_lasts_resets_the_backoff() {
    let since = Instant::now();
    let (mut session, mut attached) = (session(), attached(1, since));
    let limit = Duration::from_secs(2);
    assert_eq!(attached.silence_deadline, since + limit);
    session.mark_received(&mut attached, since + PAUSE_MAX);
    assert!(!session.has_progressed);
    let later = since + PAUSE_MAX + Duration::from_millis(1);
    session.mark_received(&mut attached, later);
    assert!(session.has_progressed);
    assert_eq!(attached.silence_deadline, later + limit);
}
