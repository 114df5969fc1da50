//! A session over two queues instead of a socket: the form of its messages, and its end.

use meterhouse_journal::batch::{ChainHash, HASH_BYTES};
use meterhouse_journal::position::Position;
use meterhouse_journal::seal::{KEY_BYTES, Seal, SealKey};
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use meterhouse_domain::link::LinkSettings;
use meterhouse_domain::money::Money;
use meterhouse_domain::presentation::LinkPresentation;
use meterhouse_edge::feed::message;
use meterhouse_engine::answer::NotExecuted;
use meterhouse_engine::feed::channel::Confirmed;
use meterhouse_engine::feed::item::FeedEvent;
use meterhouse_engine::feed::subscription::Subscription;
use meterhouse_engine::view::{LinkStatus, LinkView};
use meterhouse_proto::feed::FeedMessage;
use meterhouse_proto::feed::feed_message::Message as Content;
use prost::Message as _;
use serde_json::Value;
use tokio::sync::{broadcast, mpsc, watch};
use tokio::time::interval;
use tokio_util::sync::{CancellationToken, PollSender};

use super::*;
use crate::testing::terms;

/// The server's end of a connection, made of two queues.
struct Queues {
    to_display: PollSender<Message>,
    from_display: mpsc::Receiver<Message>,
}

impl Stream for Queues {
    type Item = Result<Message, ()>;

    fn poll_next(mut self: Pin<&mut Self>, waker: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let received = self.from_display.poll_recv(waker);
        received.map(|message| message.map(Ok))
    }
}

impl Sink<Message> for Queues {
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

/// The display's end of a session, and the sources of the feed.
struct TestSession {
    from_server: mpsc::Receiver<Message>,
    to_server: mpsc::Sender<Message>,
    meters: watch::Sender<Arc<FeedItem>>,
    _notable: broadcast::Sender<Arc<FeedItem>>,
    stopping: CancellationToken,
    serving: tokio::task::JoinHandle<()>,
}

/// Messages that the display's side takes before it blocks the server.
const QUEUE_LENGTH: usize = 4;

fn seal(batch: u64) -> Seal {
    let link = "main".parse().expect("a name");
    let hash = ChainHash([7; HASH_BYTES]);
    SealKey::new([3; KEY_BYTES]).of_link(&link, batch, &hash, Timestamp(0))
}

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
        seal: seal(batch),
    })
}

fn snapshot(batch: u64) -> Arc<FeedItem> {
    let link = LinkView {
        terms: Arc::new(terms(LinkSettings::default())),
        state: LinkStatus::Open,
        reason: None,
        values_accepted: Some(true),
        adopted: Arc::default(),
        disabled: Vec::new(),
        batch,
        displayed: vec![Money::from_micros(10_000_000_000); 3],
        tables: Vec::new(),
        presentation: LinkPresentation::default(),
    };
    item(FeedEvent::Snapshot {
        missing: false,
        link,
        hits: Vec::new(),
        position: Position::behind(batch),
        at: Timestamp(0),
        seal: seal(batch),
    })
}

/// Returns amounts that are confirmed each second while a session uses them.
fn confirmed_each_second() -> Arc<Confirmed> {
    let confirmed = Arc::new(Confirmed::now());
    let weak = Arc::downgrade(&confirmed);
    tokio::spawn(async move {
        let mut seconds = interval(Duration::from_secs(1));
        while let Some(confirmed) = weak.upgrade() {
            confirmed.confirm(Instant::now());
            drop(confirmed);
            seconds.tick().await;
        }
    });
    confirmed
}

fn start(form: Form) -> TestSession {
    let (to_display, from_server) = mpsc::channel(QUEUE_LENGTH);
    let (to_server, from_display) = mpsc::channel(QUEUE_LENGTH);
    let (meters, _) = watch::channel(meters(120));
    let (notable, _) = broadcast::channel(1);
    let first = Subscription {
        terms: Arc::new(terms(LinkSettings::default())),
        beginning: VecDeque::from([snapshot(120)]),
        contained: Position::behind(120),
        batch: 120,
        meters: meters.subscribe(),
        happenings: notable.subscribe(),
        confirmed: confirmed_each_second(),
    };
    let reread = || async { Err(NotExecuted::DatabaseUnavailable) };
    let stopping = CancellationToken::new();
    let mut listener = Listener::new(first, reread, stopping.clone(), None);
    let queues = Queues {
        to_display: PollSender::new(to_display),
        from_display,
    };
    let mut session = Session::new(queues, form, &listener);
    let serving = tokio::spawn(async move { while session.serve(&mut listener).await.is_ok() {} });
    TestSession {
        from_server,
        to_server,
        meters,
        _notable: notable,
        stopping,
        serving,
    }
}

impl TestSession {
    /// Receives the next text, without heartbeats and pings.
    async fn text(&mut self) -> Value {
        loop {
            match self.from_server.recv().await.expect("a message") {
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

    /// Receives the message of the next binary frame.
    async fn frame(&mut self) -> Content {
        let Message::Binary(bytes) = self.from_server.recv().await.expect("a message") else {
            panic!("a binary frame")
        };
        let message = FeedMessage::decode(bytes).expect("a message");
        message.message.expect("it has content")
    }
}

#[tokio::test(start_paused = true)]
async fn text_messages_are_json() {
    let mut session = start(Form::Text);
    let first = session.text().await;
    assert_eq!(
        (&first["type"], &first["batch"]),
        (&"snapshot".into(), &120.into())
    );
    assert_eq!(first["position"], "120.2147483647");
    assert_eq!(first["levels"][0]["amount"], "10000.00");
    assert_eq!(first["reason"], Value::Null);
    session.meters.send(meters(126)).expect("a listener");
    let newest = session.text().await;
    assert_eq!(newest["position"], "126.0");
    assert_eq!(
        newest["levels"],
        serde_json::json!([{"level": "mega", "amount": "10011.34"}])
    );
}

#[tokio::test(start_paused = true)]
async fn binary_frames_are_messages() {
    let mut session = start(Form::Binary);
    let Content::Snapshot(first) = session.frame().await else {
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
    session
        .meters
        .send(Arc::clone(&newest))
        .expect("a listener");
    let content = session.frame().await;
    let expected = message(&newest.event, &terms(LinkSettings::default()));
    assert_eq!(Some(&content), expected.message.as_ref());
    let Content::Meters(meters) = content else {
        panic!("amounts")
    };
    // Cut to the cent, as the sign shows the amount.
    assert_eq!(meters.levels[0].amount_micros, 10_011_340_000);
    assert!(matches!(session.frame().await, Content::Heartbeat(_)));
}

#[tokio::test(start_paused = true)]
async fn a_feed_sends_a_heartbeat_each_second_and_a_ping_every_ten() {
    let mut session = start(Form::Text);
    session.text().await;
    let began = Instant::now();
    let (mut heartbeats, mut pings) = (0, 0);
    while began.elapsed() < Duration::from_secs(25) {
        match session.from_server.recv().await.expect("a message") {
            Message::Text(text) => {
                assert!(text.starts_with(r#"{"type":"heartbeat","at":""#), "{text}");
                heartbeats += 1;
            }
            Message::Ping(_) => {
                pings += 1;
                session
                    .to_server
                    .send(Message::Pong(Vec::new().into()))
                    .await
                    .expect("a server");
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((heartbeats, pings), (25, 2));
}

#[tokio::test(start_paused = true)]
async fn silence_and_slowness_end_a_feed() {
    let mut silent = start(Form::Text);
    let began = Instant::now();
    while silent.from_server.recv().await.is_some() {}
    assert!(
        (30..=32).contains(&began.elapsed().as_secs()),
        "{:?}",
        began.elapsed()
    );
    silent.serving.await.expect("no panic");

    let slow = start(Form::Text);
    let began = Instant::now();
    slow.serving.await.expect("no panic");
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn a_stopping_server_sends_close_code_1001() {
    let mut session = start(Form::Text);
    session.text().await;
    session.stopping.cancel();
    let Some(Message::Close(Some(frame))) = session.from_server.recv().await else {
        panic!("a close")
    };
    assert_eq!(frame.code, CloseCode::Away);
    session.serving.await.expect("no panic");
}

#[tokio::test(start_paused = true)]
async fn a_close_frame_ends_the_session() {
    let mut session = start(Form::Text);
    session.text().await;
    session
        .to_server
        .send(Message::Close(None))
        .await
        .expect("a server");
    session.serving.await.expect("no panic");
}
