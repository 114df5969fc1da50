//! A listener without a house: what it is told, in which order, and when.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};

use meterhouse_catalogue::Catalogue;
use meterhouse_domain::link::{LinkSettings, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::TableLimits;
use meterhouse_journal::hit::HitState;
use tokio::sync::{Notify, broadcast, watch};
use tokio::time::{advance, timeout};

use super::*;
use crate::feed::channel::Confirmed;
use crate::view::{LinkView, LinkWord};

/// Happenings that one may be behind.
const BEHIND_MAX: usize = 2;
/// Longer than anything here takes, shorter than a heartbeat.
const SOON: Duration = Duration::from_millis(500);

/// A listener and everything behind it.
struct Stage {
    listener: Listener,
    meters: watch::Sender<Arc<FeedItem>>,
    happenings: broadcast::Sender<Arc<FeedItem>>,
    confirmed: Arc<Confirmed>,
    stopping: CancellationToken,
    subscribed: Arc<AtomicUsize>,
    /// Lets it begin again, where that waits for it.
    gate: Arc<Notify>,
}

/// How subscribing anew goes.
#[derive(Copy, Clone)]
enum Anew {
    AtOnce,
    AtTheGate,
    Denied,
}

fn item(event: FeedEvent) -> Arc<FeedItem> {
    Arc::new(FeedItem::new(event))
}

fn meters(batch: u64) -> Arc<FeedItem> {
    item(FeedEvent::Meters {
        batch,
        displayed: Vec::new(),
        at: Timestamp(0),
    })
}

fn changed(batch: u64, position: u32) -> Arc<FeedItem> {
    item(FeedEvent::HitChanged {
        place: Place { batch, position },
        at: Timestamp(0),
        hit: format!("T1.{batch}"),
        state: Some(HitState::Rejected),
        resettled: None,
    })
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

fn snapshot(batch: u64) -> Arc<FeedItem> {
    let link = LinkView {
        terms: terms(),
        state: LinkWord::Open,
        reason: None,
        values_accepted: Some(true),
        disabled: Vec::new(),
        batch,
        displayed: Vec::new(),
        tables: Vec::new(),
    };
    item(FeedEvent::Snapshot {
        missing: false,
        link,
        hits: Vec::new(),
        place: Place::end_of(batch),
        at: Timestamp(0),
    })
}

/// A listener that begins at batch 120, and anew at batch 130.
fn stage(missed: Vec<Arc<FeedItem>>, anew: Anew) -> Stage {
    let (meters_sender, _) = watch::channel(meters(120));
    let (happenings, _) = broadcast::channel(BEHIND_MAX);
    let subscribed = Arc::new(AtomicUsize::new(0));
    let gate = Arc::new(Notify::new());
    let confirmed = Arc::new(Confirmed::now());
    let subscribe = {
        let (meters, happenings) = (meters_sender.clone(), happenings.clone());
        let confirmed = Arc::clone(&confirmed);
        move |batch, missed| Subscription {
            terms: terms(),
            beginning: VecDeque::from_iter([vec![snapshot(batch)], missed].concat()),
            contained: Place::end_of(batch),
            batch,
            meters: meters.subscribe(),
            happenings: happenings.subscribe(),
            confirmed: Arc::clone(&confirmed),
        }
    };
    let first = subscribe(120, missed);
    let again = {
        let (subscribed, gate) = (Arc::clone(&subscribed), Arc::clone(&gate));
        move || {
            subscribed.fetch_add(1, Ordering::Relaxed);
            let gate = Arc::clone(&gate);
            let subscription = subscribe(130, Vec::new());
            async move {
                match anew {
                    Anew::AtOnce => Ok(subscription),
                    Anew::AtTheGate => {
                        gate.notified().await;
                        Ok(subscription)
                    }
                    Anew::Denied => Err(Denied::DatabaseUnavailable),
                }
            }
        }
    };
    let stopping = CancellationToken::new();
    Stage {
        listener: Listener::new(first, again, stopping.clone(), None),
        meters: meters_sender,
        happenings,
        confirmed,
        stopping,
        subscribed,
        gate,
    }
}

/// What an item says, in a word.
fn word(item: &FeedItem) -> String {
    match &item.event {
        FeedEvent::Snapshot { link, .. } => format!("snapshot {}", link.batch),
        FeedEvent::Meters { batch, .. } => format!("meters {batch}"),
        FeedEvent::HitChanged { place, .. } => format!("{}.{}", place.batch, place.position),
        other => panic!("{other:?}"),
    }
}

impl Stage {
    /// What is told next, heartbeats left out.
    async fn told(&mut self) -> String {
        loop {
            match self.listener.next().await.expect("it goes on") {
                DisplayMessage::Item(item, _) => return word(&item),
                DisplayMessage::Heartbeat(_) | DisplayMessage::Unconfirmed => {}
                DisplayMessage::Stopping => return "stopping".to_owned(),
                DisplayMessage::Refused => return "refused".to_owned(),
            }
        }
    }

    /// What a wait tells that is dropped as soon as it has to wait.
    async fn dropped(&mut self) -> Option<String> {
        let told = timeout(Duration::ZERO, self.listener.next()).await.ok()?;
        match told.expect("it goes on") {
            DisplayMessage::Item(item, _) => Some(word(&item)),
            DisplayMessage::Heartbeat(_)
            | DisplayMessage::Unconfirmed
            | DisplayMessage::Refused
            | DisplayMessage::Stopping => None,
        }
    }

    fn happen(&self, item: Arc<FeedItem>) {
        self.happenings.send(item).expect("a listener");
    }

    fn amounts(&self, batch: u64) {
        self.meters.send(meters(batch)).expect("a listener");
    }
}

#[tokio::test(start_paused = true)]
async fn the_snapshot_comes_first_then_what_was_missed_then_what_happens() {
    let mut stage = stage(vec![changed(118, 0), changed(119, 3)], Anew::AtOnce);
    assert_eq!(stage.told().await, "snapshot 120");
    assert_eq!(stage.told().await, "118.0");
    assert_eq!(stage.told().await, "119.3");
    assert_eq!(
        stage.listener.subscription.beginning.capacity(),
        0,
        "it keeps no snapshot"
    );
    // The snapshot contains the first; the other two are one event's.
    stage.happen(changed(120, 9));
    stage.happen(changed(121, 0));
    assert_eq!(stage.told().await, "121.0");
    stage.happen(changed(121, 0));
    assert_eq!(stage.told().await, "121.0");
}

#[tokio::test(start_paused = true)]
async fn amounts_are_conflated_to_the_newest_and_never_go_back() {
    let mut stage = stage(Vec::new(), Anew::AtOnce);
    assert_eq!(stage.told().await, "snapshot 120");
    let began = Instant::now();
    stage.amounts(121);
    assert_eq!(stage.told().await, "meters 121");
    for batch in [122, 119, 125, 124, 126] {
        stage.amounts(batch);
    }
    assert_eq!(stage.told().await, "meters 126");
    assert!(began.elapsed() >= METERS_EVERY, "{:?}", began.elapsed());
    stage.amounts(126);
    assert!(timeout(SOON, stage.listener.next()).await.is_err());
    stage.amounts(125);
    assert!(timeout(SOON / 2, stage.listener.next()).await.is_err());
    stage.amounts(127);
    assert_eq!(stage.told().await, "meters 127");
}

#[tokio::test(start_paused = true)]
async fn who_was_told_late_once_is_not_told_late_ever_after() {
    let mut stage = stage(Vec::new(), Anew::AtOnce);
    assert_eq!(stage.told().await, "snapshot 120");
    stage.amounts(121);
    assert_eq!(stage.told().await, "meters 121");
    // A wait that is dropped before the moment comes loses nothing.
    stage.amounts(122);
    assert_eq!(stage.dropped().await, None);
    advance(METERS_EVERY * 19 / 10).await;
    assert_eq!(stage.told().await, "meters 122");
    advance(METERS_EVERY / 10).await;
    stage.amounts(123);
    let due = Instant::now();
    assert_eq!(stage.told().await, "meters 123");
    assert_eq!(due.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_feed_beats_each_second_whatever_else_is_told() {
    let mut stage = stage(Vec::new(), Anew::AtOnce);
    assert_eq!(stage.told().await, "snapshot 120");
    let began = Instant::now();
    let (mut beats, mut amounts) = (0, 0);
    while began.elapsed() < Duration::from_secs(25) + SOON {
        match stage.listener.next().await.expect("it goes on") {
            DisplayMessage::Heartbeat(_) => beats += 1,
            DisplayMessage::Item(..) => amounts += 1,
            other => panic!("{other:?}"),
        }
        stage.confirmed.confirm(Instant::now());
        stage.amounts(121 + beats + amounts);
    }
    assert_eq!(beats, 25);
    assert!((200..=256).contains(&amounts), "{amounts}");
}

/// The task that sees the heads is stuck, or the database away: no heartbeat says that the amounts stand.
#[tokio::test(start_paused = true)]
async fn a_feed_that_nobody_confirms_beats_no_more() {
    let mut stage = stage(Vec::new(), Anew::AtOnce);
    assert_eq!(stage.told().await, "snapshot 120");
    let mut beats = String::new();
    for second in 1..=9 {
        match stage.listener.next().await.expect("it goes on") {
            DisplayMessage::Heartbeat(_) => beats.push('b'),
            DisplayMessage::Unconfirmed => beats.push('-'),
            other => panic!("{other:?}"),
        }
        if second >= 6 {
            stage.confirmed.confirm(Instant::now());
        }
    }
    assert_eq!(beats, "bb----bbb");
}

#[tokio::test(start_paused = true)]
async fn whoever_falls_too_far_behind_begins_again() {
    let mut stage = stage(Vec::new(), Anew::AtOnce);
    assert_eq!(stage.told().await, "snapshot 120");
    stage.amounts(135);
    assert_eq!(stage.told().await, "meters 135");
    for batch in 121..=124 {
        stage.happen(changed(batch, 0));
    }
    assert_eq!(stage.told().await, "snapshot 130");
    assert_eq!(stage.subscribed.load(Ordering::Relaxed), 1);
    stage.happen(changed(130, 0));
    stage.happen(changed(131, 0));
    assert_eq!(stage.told().await, "131.0");
    // Older than what was told before it began again.
    stage.amounts(134);
    assert!(timeout(SOON, stage.listener.next()).await.is_err());
    stage.amounts(136);
    assert_eq!(stage.told().await, "meters 136");
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_is_dropped_loses_nothing() {
    /// Far more waits than there is to tell.
    const WAITS: usize = 20;
    let mut stage = stage(vec![changed(119, 0)], Anew::AtTheGate);
    let mut told = Vec::new();
    for _ in 0..WAITS {
        told.extend(stage.dropped().await);
    }
    for batch in [121, 122] {
        stage.happen(changed(batch, 0));
        told.extend(stage.dropped().await);
    }
    // Three at once are more than it may be behind.
    for batch in 123..=125 {
        stage.happen(changed(batch, 0));
    }
    for _ in 0..WAITS {
        told.extend(stage.dropped().await);
    }
    stage.gate.notify_one();
    for _ in 0..WAITS {
        told.extend(stage.dropped().await);
    }
    let expected = ["snapshot 120", "119.0", "121.0", "122.0", "snapshot 130"];
    assert_eq!(told, expected);
    assert_eq!(
        stage.subscribed.load(Ordering::Relaxed),
        1,
        "it subscribes once, however often it is asked meanwhile"
    );
}

#[tokio::test(start_paused = true)]
async fn whoever_cannot_begin_again_hears_why() {
    let mut stage = stage(Vec::new(), Anew::Denied);
    assert_eq!(stage.told().await, "snapshot 120");
    for batch in 121..=124 {
        stage.happen(changed(batch, 0));
    }
    let denied = stage
        .listener
        .next()
        .await
        .expect_err("the database is away");
    assert!(matches!(denied, Denied::DatabaseUnavailable), "{denied}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stops_says_so_whatever_it_waits_for() {
    let mut beginning = stage(vec![changed(119, 0)], Anew::AtOnce);
    assert_eq!(beginning.told().await, "snapshot 120");
    beginning.stopping.cancel();
    assert_eq!(beginning.told().await, "stopping");

    let mut idle = stage(Vec::new(), Anew::AtOnce);
    assert_eq!(idle.told().await, "snapshot 120");
    let stopping = idle.stopping.clone();
    let (told, ()) = tokio::join!(idle.told(), async { stopping.cancel() });
    assert_eq!(told, "stopping");

    let mut behind = stage(Vec::new(), Anew::AtTheGate);
    assert_eq!(behind.told().await, "snapshot 120");
    for batch in 121..=124 {
        behind.happen(changed(batch, 0));
    }
    assert!(timeout(SOON, behind.listener.next()).await.is_err());
    behind.stopping.cancel();
    assert_eq!(behind.told().await, "stopping");
}

#[test]
fn each_form_is_encoded_once() {
    let item = meters(7);
    let encoded = AtomicUsize::new(0);
    for _ in 0..3 {
        let bytes = item.bytes(|_| {
            encoded.fetch_add(1, Ordering::Relaxed);
            vec![1, 2, 3].into()
        });
        assert_eq!(&bytes[..], [1, 2, 3]);
    }
    assert_eq!(encoded.load(Ordering::Relaxed), 1);
}
