//! A connection's life without a socket: in which form a display reads, and what ends it.

use meterhouse_journal::position::Position;
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use meterhouse_domain::link::LinkSettings;
use meterhouse_domain::money::Money;
use meterhouse_edge::feed::message;
use meterhouse_engine::answer::NotExecuted;
use meterhouse_engine::feed::channel::Confirmed;
use meterhouse_engine::feed::item::FeedEvent;
use meterhouse_engine::feed::subscription::Subscription;
use meterhouse_engine::view::{LinkStatus, LinkView};
use meterhouse_proto::feed::FeedMessage;
use meterhouse_proto::feed::feed_message::Message as Said;
use prost::Message as _;
use serde_json::Value;
use tokio::sync::{broadcast, mpsc, watch};
use tokio::time::interval;
use tokio_util::sync::{CancellationToken, PollSender};

use super::*;
use crate::testing::terms;

/// The server's end of a connection made of two queues.
struct Wire {
    to_display: PollSender<Message>,
    from_display: mpsc::Receiver<Message>,
}

impl Stream for Wire {
    type Item = Result<Message, ()>;

    fn poll_next(mut self: Pin<&mut Self>, waker: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.from_display.poll_recv(waker).map(|it| it.map(Ok))
    }
}

impl Sink<Message> for Wire {
    type Error = ();

    fn poll_ready(mut self: Pin<&mut Self>, waker: &mut Context<'_>) -> Poll<Result<(), ()>> {
        self.to_display.poll_reserve(waker).map_err(|_| ())
    }

    fn start_send(mut self: Pin<&mut Self>, message: Message) -> Result<(), ()> {
        self.to_display.send_item(message).map_err(|_| ())
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), ()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), ()>> {
        Poll::Ready(Ok(()))
    }
}

/// A display and everything behind its server.
struct Stage {
    read: mpsc::Receiver<Message>,
    say: mpsc::Sender<Message>,
    meters: watch::Sender<Arc<FeedItem>>,
    _happenings: broadcast::Sender<Arc<FeedItem>>,
    stopping: CancellationToken,
    life: tokio::task::JoinHandle<()>,
}

/// Messages that the display's side takes before it blocks the server.
const ROOM: usize = 4;

fn item(event: FeedEvent) -> Arc<FeedItem> {
    Arc::new(FeedItem::new(event))
}

fn meters(batch: u64) -> Arc<FeedItem> {
    let displayed = vec![Money::from_micros(
        10_000_000_000 + 90_000 * i64::try_from(batch).expect("few"),
    )];
    item(FeedEvent::Meters {
        batch,
        displayed,
        at: Timestamp(0),
    })
}

/// The position behind everything in a batch.
const fn behind(batch: u64) -> Position {
    Position {
        batch,
        index: u32::MAX,
    }
}

fn snapshot(batch: u64) -> Arc<FeedItem> {
    let link = LinkView {
        terms: Arc::new(terms(LinkSettings::default())),
        state: LinkStatus::Open,
        reason: None,
        values_accepted: Some(true),
        disabled: Vec::new(),
        batch,
        displayed: vec![Money::from_micros(10_000_000_000); 3],
        tables: Vec::new(),
    };
    item(FeedEvent::Snapshot {
        missing: false,
        link,
        hits: Vec::new(),
        position: behind(batch),
        at: Timestamp(0),
    })
}

/// What somebody sees again each second, as long as anybody listens.
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

fn stage(form: Form) -> Stage {
    let (to_display, read) = mpsc::channel(ROOM);
    let (say, from_display) = mpsc::channel(ROOM);
    let (meters, _) = watch::channel(meters(120));
    let (happenings, _) = broadcast::channel(1);
    let first = Subscription {
        terms: Arc::new(terms(LinkSettings::default())),
        beginning: VecDeque::from([snapshot(120)]),
        contained: behind(120),
        batch: 120,
        meters: meters.subscribe(),
        happenings: happenings.subscribe(),
        confirmed: seen_each_second(),
    };
    let again = || async { Err(NotExecuted::DatabaseUnavailable) };
    let stopping = CancellationToken::new();
    let listener = Listener::new(first, again, stopping.clone(), None);
    let wire = Wire {
        to_display: PollSender::new(to_display),
        from_display,
    };
    let life = tokio::spawn(run(wire, listener, form));
    Stage {
        read,
        say,
        meters,
        _happenings: happenings,
        stopping,
        life,
    }
}

impl Stage {
    /// The next text, heartbeats and pings left out.
    async fn text(&mut self) -> Value {
        loop {
            match self.read.recv().await.expect("a message") {
                Message::Text(text) => {
                    let value: Value = serde_json::from_str(&text).expect("JSON");
                    if value["type"] != "heartbeat" {
                        return value;
                    }
                }
                Message::Ping(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// What the next binary frame says.
    async fn said(&mut self) -> Said {
        let Message::Binary(bytes) = self.read.recv().await.expect("a message") else {
            panic!("a binary frame")
        };
        let message = FeedMessage::decode(bytes).expect("a message");
        message.message.expect("it says something")
    }
}

#[tokio::test(start_paused = true)]
async fn texts_are_json() {
    let mut stage = stage(Form::Text);
    let first = stage.text().await;
    assert_eq!(
        (&first["type"], &first["sequence"]),
        (&"snapshot".into(), &120.into())
    );
    assert_eq!(first["position"], "120.2147483647");
    assert_eq!(first["levels"][0]["amount"], "10000.00");
    assert_eq!(first["reason"], Value::Null);
    stage.meters.send(meters(126)).expect("a listener");
    let newest = stage.text().await;
    assert_eq!(newest["position"], "126.0");
    assert_eq!(
        newest["levels"],
        serde_json::json!([{"level": "mega", "amount": "10011.34"}])
    );
}

#[tokio::test(start_paused = true)]
async fn binary_frames_are_messages() {
    let mut stage = stage(Form::Binary);
    let Said::Snapshot(first) = stage.said().await else {
        panic!("a snapshot")
    };
    assert_eq!((first.batch, first.reason.as_str()), (120, ""));
    let position = first.position.expect("a position");
    assert_eq!(
        (position.batch, position.index),
        (120, i32::MAX.unsigned_abs())
    );
    assert_eq!(first.levels[0].amount_micros, 10_000_000_000);
    let newest = meters(126);
    stage.meters.send(Arc::clone(&newest)).expect("a listener");
    let said = stage.said().await;
    let expected = message(&newest.event, &terms(LinkSettings::default()));
    assert_eq!(Some(&said), expected.message.as_ref());
    let Said::Meters(said) = said else {
        panic!("amounts")
    };
    // Cut to the cent, as the sign shows it.
    assert_eq!(said.levels[0].amount_micros, 10_011_340_000);
    assert!(matches!(stage.said().await, Said::Heartbeat(_)));
}

#[tokio::test(start_paused = true)]
async fn a_feed_beats_each_second_and_pings_every_ten() {
    let mut stage = stage(Form::Text);
    stage.text().await;
    let began = Instant::now();
    let (mut beats, mut pings) = (0, 0);
    while began.elapsed() < Duration::from_secs(25) {
        match stage.read.recv().await.expect("a message") {
            Message::Text(text) => {
                assert!(text.starts_with(r#"{"type":"heartbeat","at":""#), "{text}");
                beats += 1;
            }
            Message::Ping(_) => {
                pings += 1;
                stage
                    .say
                    .send(Message::Pong(Vec::new().into()))
                    .await
                    .expect("a server");
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((beats, pings), (25, 2));
}

#[tokio::test(start_paused = true)]
async fn silence_and_slowness_end_a_feed() {
    let mut silent = stage(Form::Text);
    let began = Instant::now();
    while silent.read.recv().await.is_some() {}
    assert!(
        (30..=32).contains(&began.elapsed().as_secs()),
        "{:?}",
        began.elapsed()
    );
    silent.life.await.expect("no panic");

    let slow = stage(Form::Text);
    let began = Instant::now();
    slow.life.await.expect("no panic");
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn a_stopping_server_says_so() {
    let mut stage = stage(Form::Text);
    stage.text().await;
    stage.stopping.cancel();
    let Some(Message::Close(Some(frame))) = stage.read.recv().await else {
        panic!("a close")
    };
    assert_eq!(frame.code, 1001);
    stage.life.await.expect("no panic");
}

#[tokio::test(start_paused = true)]
async fn a_display_that_leaves_is_gone_at_once() {
    let mut stage = stage(Form::Text);
    stage.text().await;
    stage
        .say
        .send(Message::Close(None))
        .await
        .expect("a server");
    stage.life.await.expect("no panic");
}
