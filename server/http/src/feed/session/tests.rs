//! A connection's life without a socket: what a display reads, and what ends it.

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use meterhouse_domain::link::LinkSettings;
use meterhouse_domain::money::Money;
use meterhouse_domain::name::Timestamp;
use meterhouse_engine::view::{LinkView, LinkWord};
use meterhouse_journal::hit::HitState;
use serde_json::Value;
use tokio::sync::{broadcast, mpsc, watch};
use tokio_util::sync::PollSender;

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
    happenings: broadcast::Sender<Arc<FeedItem>>,
    stopping: CancellationToken,
    life: tokio::task::JoinHandle<()>,
    subscribed: Arc<AtomicUsize>,
}

/// Messages that the display's side takes before it blocks the server.
const ROOM: usize = 4;
/// Happenings that one may be behind.
const BEHIND_MAX: usize = 2;

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

fn changed(batch: u64, position: u32) -> Arc<FeedItem> {
    item(FeedEvent::HitChanged {
        place: Place { batch, position },
        at: Timestamp(0),
        hit: format!("T1.{batch}"),
        state: HitState::Rejected,
        resettled: None,
    })
}

fn snapshot(batch: u64) -> Arc<FeedItem> {
    let link = LinkView {
        terms: Arc::new(terms(LinkSettings::default())),
        state: LinkWord::Open,
        reason: None,
        disabled: Vec::new(),
        batch,
        displayed: vec![Money::from_micros(10_000_000_000); 3],
        tables: Vec::new(),
    };
    let place = Place {
        batch,
        position: u32::MAX,
    };
    item(FeedEvent::Snapshot {
        link,
        hits: Vec::new(),
        place,
        at: Timestamp(0),
    })
}

fn stage(missed: Vec<Arc<FeedItem>>) -> Stage {
    let (to_display, read) = mpsc::channel(ROOM);
    let (say, from_display) = mpsc::channel(ROOM);
    let (meters_sender, _) = watch::channel(meters(120));
    let (happenings, _) = broadcast::channel(BEHIND_MAX);
    let subscribed = Arc::new(AtomicUsize::new(0));
    let subscribe = {
        let (meters, happenings) = (meters_sender.clone(), happenings.clone());
        move |batch, missed| Subscription {
            snapshot: snapshot(batch),
            missed,
            meters: meters.subscribe(),
            happenings: happenings.subscribe(),
        }
    };
    let first = subscribe(120, missed);
    let again = {
        let subscribed = Arc::clone(&subscribed);
        move || {
            subscribed.fetch_add(1, Ordering::Relaxed);
            let subscription = subscribe(130, Vec::new());
            async move { Ok(subscription) }
        }
    };
    let stopping = CancellationToken::new();
    let wire = Wire {
        to_display: PollSender::new(to_display),
        from_display,
    };
    let life = tokio::spawn(run(wire, first, again, stopping.clone()));
    Stage {
        read,
        say,
        meters: meters_sender,
        happenings,
        stopping,
        life,
        subscribed,
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
}

#[tokio::test(start_paused = true)]
async fn the_snapshot_comes_first_then_what_was_missed_then_what_happens() {
    let mut stage = stage(vec![changed(118, 0), changed(119, 3)]);
    let first = stage.text().await;
    assert_eq!(
        (&first["type"], &first["sequence"]),
        (&"snapshot".into(), &120.into())
    );
    assert_eq!(first["position"], "120.2147483647");
    assert_eq!(first["levels"][0]["amount"], "10000.00");
    assert_eq!(first["reason"], Value::Null);
    assert_eq!(stage.text().await["position"], "118.0");
    assert_eq!(stage.text().await["position"], "119.3");
    // The snapshot contains the first; the other two are one event's.
    for it in [changed(120, 9), changed(121, 0)] {
        stage.happenings.send(it).expect("a listener");
    }
    assert_eq!(stage.text().await["position"], "121.0");
    stage.happenings.send(changed(121, 0)).expect("a listener");
    let changed = stage.text().await;
    assert_eq!(changed["position"], "121.0");
    assert_eq!(
        (&changed["type"], &changed["state"]),
        (&"hit_changed".into(), &"rejected".into())
    );
}

#[tokio::test(start_paused = true)]
async fn amounts_are_conflated_to_the_newest_and_never_go_back() {
    let mut stage = stage(Vec::new());
    stage.text().await;
    let began = Instant::now();
    stage.meters.send(meters(121)).expect("a listener");
    assert_eq!(stage.text().await["sequence"], 121);
    for batch in [122, 119, 125, 124, 126] {
        stage.meters.send(meters(batch)).expect("a listener");
    }
    let newest = stage.text().await;
    assert_eq!(
        (&newest["type"], &newest["sequence"]),
        (&"meters".into(), &126.into())
    );
    assert_eq!(newest["position"], "126.0");
    assert_eq!(
        newest["levels"],
        serde_json::json!([{"level": "mega", "amount": "10011.34"}])
    );
    assert!(began.elapsed() >= METERS_EVERY, "{:?}", began.elapsed());
    stage.meters.send(meters(126)).expect("a listener");
    stage.meters.send(meters(127)).expect("a listener");
    assert_eq!(stage.text().await["sequence"], 127);
}

#[tokio::test(start_paused = true)]
async fn whoever_falls_too_far_behind_begins_again() {
    let mut stage = stage(Vec::new());
    stage.text().await;
    for batch in 121..=124 {
        stage
            .happenings
            .send(changed(batch, 0))
            .expect("a listener");
    }
    let again = stage.text().await;
    assert_eq!(
        (&again["type"], &again["sequence"]),
        (&"snapshot".into(), &130.into())
    );
    assert_eq!(stage.subscribed.load(Ordering::Relaxed), 1);
    stage.happenings.send(changed(131, 0)).expect("a listener");
    assert_eq!(stage.text().await["position"], "131.0");
}

#[tokio::test(start_paused = true)]
async fn a_feed_beats_each_second_and_pings_every_ten() {
    let mut stage = stage(Vec::new());
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
    let mut silent = stage(Vec::new());
    let began = Instant::now();
    while silent.read.recv().await.is_some() {}
    assert!(
        (30..=32).contains(&began.elapsed().as_secs()),
        "{:?}",
        began.elapsed()
    );
    silent.life.await.expect("no panic");

    let slow = stage(Vec::new());
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
    let mut stage = stage(Vec::new());
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
    let mut stage = stage(Vec::new());
    stage.text().await;
    stage
        .say
        .send(Message::Close(None))
        .await
        .expect("a server");
    stage.life.await.expect("no panic");
}
