//! A feed without a connection: its messages and its end.

use meterhouse_journal::position::Position;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use meterhouse_catalogue::Catalogue;
use meterhouse_domain::ids::Timestamp;
use meterhouse_domain::link::{LinkSettings, LinkTerms, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::TableLimits;
use meterhouse_engine::answer::NotExecuted;
use meterhouse_engine::feed::channel::Confirmed;
use meterhouse_engine::feed::item::{FeedEvent, FeedItem};
use meterhouse_engine::feed::subscription::Subscription;
use tokio::sync::{broadcast, watch};
use tokio::time::{Instant, advance, interval};
use tonic::Code;
use tonic_types::StatusExt as _;

use super::*;
use tokio::time::timeout;

/// A display and the server behind it.
struct Stage {
    messages: Messages,
    connection: CancellationToken,
    happenings: broadcast::Sender<Arc<FeedItem>>,
    meters: watch::Sender<Arc<FeedItem>>,
    stopping: CancellationToken,
}

fn terms() -> Arc<LinkTerms> {
    let catalogue = Catalogue::compiled_in().expect("our own files");
    let id = "pa-657a-five-card-c".parse().expect("a name");
    Arc::new(LinkTerms {
        name: "main".parse().expect("a name"),
        paytable: catalogue.find(&id).expect("our own").clone(),
        wager: Money::DOLLAR,
        decks: 1,
        reserve_policy: ReservePolicy::Add,
        settings: LinkSettings::default(),
        limits: TableLimits::default(),
        counts_draws_and_envy: true,
        must_accept_values: true,
    })
}

const fn position(batch: u64) -> Position {
    Position { batch, index: 0 }
}

/// Returns a payout in a batch.
fn paid(batch: u64) -> Arc<FeedItem> {
    Arc::new(FeedItem::new(FeedEvent::Paid {
        position: position(batch),
        at: Timestamp(0),
        hit: "C4P-07.2".parse().expect("a hit"),
        payout: 1,
        amount: Money::DOLLAR,
    }))
}

/// Confirms the head each second while a listener exists.
fn seen_each_second() -> Arc<Confirmed> {
    let confirmed = Arc::new(Confirmed::now());
    let seen = Arc::downgrade(&confirmed);
    tokio::spawn(async move {
        let mut seconds = interval(Duration::from_secs(1));
        while let Some(confirmed) = seen.upgrade() {
            confirmed.confirm(Instant::now());
            drop(confirmed);
            seconds.tick().await;
        }
    });
    confirmed
}

fn stage() -> Stage {
    let (meters, _) = watch::channel(paid(0));
    let (happenings, _) = broadcast::channel(1);
    let first = Subscription {
        terms: terms(),
        beginning: VecDeque::from([paid(7)]),
        contained: position(7),
        batch: 7,
        meters: meters.subscribe(),
        happenings: happenings.subscribe(),
        confirmed: seen_each_second(),
    };
    let stopping = CancellationToken::new();
    let again = || async { Err(NotExecuted::DatabaseUnavailable) };
    let listener = Listener::new(first, again, stopping.clone(), None);
    let connection = CancellationToken::new();
    Stage {
        messages: messages(listener, Some(Closer::of(connection.clone()))),
        connection,
        happenings,
        meters,
        stopping,
    }
}

impl Stage {
    /// Returns the next message.
    async fn next(&mut self) -> Encoded {
        let message = self.messages.next().await.expect("it goes on");
        message.expect("a message")
    }

    /// Returns the code and reason of the stream's end.
    async fn end(&mut self) -> (Code, String) {
        loop {
            match self.messages.next().await.expect("an end with a status") {
                Ok(_) => {}
                Err(status) => {
                    // gRPC closes a stream after its status.
                    self.messages.close();
                    assert!(self.messages.next().await.is_none(), "nothing follows");
                    let info = status.get_details_error_info().expect("details");
                    return (status.code(), info.reason);
                }
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_feed_message_is_encoded_once_for_all_displays() {
    let mut stage = stage();
    let first = stage.next().await;
    assert_eq!(first.0, feed::encoded(&paid(7).event, &terms()));
    let item = paid(8);
    stage
        .happenings
        .send(Arc::clone(&item))
        .expect("a listener");
    let second = stage.next().await;
    let encoded = item.bytes(|_| panic!("it was encoded before"));
    assert_eq!(second.0.as_ptr(), encoded.as_ptr());
}

#[tokio::test(start_paused = true)]
async fn a_display_that_reads_nothing_is_cut_off_with_a_status() {
    let mut slow = stage();
    let began = Instant::now();
    slow.happenings.closed().await;
    let after = began.elapsed();
    // The first message waits in the channel, and the heartbeat after it waits for space.
    assert!((10..=12).contains(&after.as_secs()), "{after:?}");
    let expected = (Code::ResourceExhausted, "messages_not_read".to_owned());
    assert_eq!(slow.end().await, expected);

    let taken = timeout(2 * WRITE_MAX, slow.connection.cancelled()).await;
    assert!(taken.is_err(), "it took the status");

    // The connection of a display that reads nothing is closed.
    let dead = stage();
    let began = Instant::now();
    dead.connection.cancelled().await;
    let after = began.elapsed();
    assert!((20..=22).contains(&after.as_secs()), "{after:?}");

    let mut steady = stage();
    let began = Instant::now();
    while began.elapsed() < Duration::from_mins(1) {
        drop(steady.next().await);
        advance(Duration::from_secs(5)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn every_end_of_a_feed_has_its_status() {
    let mut stopped = stage();
    drop(stopped.next().await);
    stopped.stopping.cancel();
    let expected = (Code::Unavailable, "server_stops".to_owned());
    assert_eq!(stopped.end().await, expected);

    let mut behind = stage();
    drop(behind.next().await);
    for batch in 8..=10 {
        behind.happenings.send(paid(batch)).expect("a listener");
    }
    let expected = (Code::Unavailable, "database_unavailable".to_owned());
    assert_eq!(behind.end().await, expected);
}

#[tokio::test(start_paused = true)]
async fn a_display_that_leaves_is_noticed_immediately() {
    let Stage {
        mut messages,
        happenings,
        meters,
        ..
    } = stage();
    drop(messages.next().await);
    let began = Instant::now();
    drop(messages);
    happenings.closed().await;
    meters.closed().await;
    assert_eq!(began.elapsed(), Duration::ZERO);
}
