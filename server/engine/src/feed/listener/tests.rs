//! Tests of a listener alone: the messages it returns, their order and their times.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::feed::channel::Confirmed;
use crate::view::{LinkStatus, LinkView};
use meterhouse_domain::link::{LinkSettings, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::TableLimits;
use meterhouse_journal::hit::HitState;
use tokio::sync::{Notify, broadcast, watch};
use tokio::time::{advance, timeout};

/// Maximum number of events that a listener may be behind.
pub(crate) const BEHIND_MAX: usize = 2;
const SEAL: &str = "1.0000000000000000.0.00000000000000000000000000000000";
/// Longer than any test step, shorter than the interval of heartbeats.
const SOON: Duration = Duration::from_millis(500);

/// A listener and the senders of its subscription.
pub(crate) struct Fixture {
    pub(crate) listener: Listener,
    pub(crate) meters: watch::Sender<Arc<FeedItem>>,
    pub(crate) happenings: broadcast::Sender<Arc<FeedItem>>,
    pub(crate) confirmed: Arc<Confirmed>,
    pub(crate) stopping: CancellationToken,
    subscribed: Arc<AtomicUsize>,
    /// Completes a new subscription that waits.
    proceed: Arc<Notify>,
}

/// The course of a new subscription.
#[derive(Copy, Clone)]
pub(crate) enum Resubscription {
    Immediate,
    Waits,
    NotExecuted,
}

fn item(event: FeedEvent) -> Arc<FeedItem> {
    Arc::new(FeedItem::new(event))
}

fn meters(batch: u64) -> Arc<FeedItem> {
    item(FeedEvent::Meters {
        batch,
        displayed: Vec::new(),
        at: Timestamp(0),
        seal: SEAL.parse().expect("a seal"),
    })
}

pub(crate) fn changed(batch: u64, index: u32) -> Arc<FeedItem> {
    item(FeedEvent::HitChanged {
        position: Position { batch, index },
        at: Timestamp(0),
        hit: format!("T1.{batch}").parse().expect("a hit"),
        state: Some(HitState::Rejected),
        due: None,
        cards: None,
    })
}

pub(crate) fn terms() -> Arc<LinkTerms> {
    let catalogue = meterhouse_catalogue::Catalogue::compiled_in().expect("our own files");
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

pub(crate) fn snapshot(batch: u64) -> Arc<FeedItem> {
    let link = LinkView {
        terms: terms(),
        state: LinkStatus::Open,
        reason: None,
        values_accepted: Some(true),
        adopted: Arc::default(),
        disabled: Vec::new(),
        batch,
        displayed: Vec::new(),
        tables: Vec::new(),
        presentation: meterhouse_domain::presentation::LinkPresentation::default(),
    };
    item(FeedEvent::Snapshot {
        missing: false,
        link,
        hits: Vec::new(),
        position: Position::behind(batch),
        at: Timestamp(0),
        seal: SEAL.parse().expect("a seal"),
    })
}

/// Returns a listener that begins at batch 120, and again at batch 130.
pub(crate) fn fixture(missed: Vec<Arc<FeedItem>>, resubscription: Resubscription) -> Fixture {
    let (meters_sender, _) = watch::channel(meters(120));
    let (happenings, _) = broadcast::channel(BEHIND_MAX);
    let (subscribed, proceed) = (Arc::<AtomicUsize>::default(), Arc::<Notify>::default());
    let confirmed = Arc::new(Confirmed::now());
    let subscribe = {
        let (meters, happenings) = (meters_sender.clone(), happenings.clone());
        let confirmed = Arc::clone(&confirmed);
        move |batch, missed| Subscription {
            terms: terms(),
            beginning: VecDeque::from_iter([vec![snapshot(batch)], missed].concat()),
            contained: Position::behind(batch),
            batch,
            meters: meters.subscribe(),
            happenings: happenings.subscribe(),
            confirmed: Arc::clone(&confirmed),
        }
    };
    let first = subscribe(120, missed);
    let again = {
        let (subscribed, proceed) = (Arc::clone(&subscribed), Arc::clone(&proceed));
        move || {
            subscribed.fetch_add(1, Ordering::Relaxed);
            let proceed = Arc::clone(&proceed);
            let subscription = subscribe(130, Vec::new());
            async move {
                match resubscription {
                    Resubscription::Immediate => Ok(subscription),
                    Resubscription::Waits => {
                        proceed.notified().await;
                        Ok(subscription)
                    }
                    Resubscription::NotExecuted => Err(NotExecuted::DatabaseUnavailable),
                }
            }
        }
    };
    let stopping = CancellationToken::new();
    Fixture {
        listener: Listener::new(first, again, stopping.clone(), None),
        meters: meters_sender,
        happenings,
        confirmed,
        stopping,
        subscribed,
        proceed,
    }
}

/// Returns a message in one word.
pub(crate) fn describe(item: &FeedItem) -> String {
    match &item.event {
        FeedEvent::Snapshot { link, .. } => format!("snapshot {}", link.batch),
        FeedEvent::Meters { batch, .. } => format!("meters {batch}"),
        FeedEvent::HitChanged { position, .. } => {
            format!("{}.{}", position.batch, position.index)
        }
        other => panic!("{other:?}"),
    }
}

impl Fixture {
    /// Returns the next message, without heartbeats.
    async fn next_message(&mut self) -> String {
        loop {
            match self.listener.next().await.expect("a message") {
                DisplayMessage::Item(item, _) => return describe(&item),
                DisplayMessage::Heartbeat(_) | DisplayMessage::Unconfirmed => {}
                DisplayMessage::Stopping => return "stopping".to_owned(),
                DisplayMessage::Refused => return "refused".to_owned(),
            }
        }
    }

    /// Polls a wait once and cancels it. Returns the message, if there was one.
    async fn poll_once(&mut self) -> Option<String> {
        let message = timeout(Duration::ZERO, self.listener.next()).await.ok()?;
        match message.expect("a message") {
            DisplayMessage::Item(item, _) => Some(describe(&item)),
            DisplayMessage::Heartbeat(_)
            | DisplayMessage::Unconfirmed
            | DisplayMessage::Refused
            | DisplayMessage::Stopping => None,
        }
    }

    pub(crate) fn send_event(&self, item: Arc<FeedItem>) {
        self.happenings.send(item).expect("a listener");
    }

    pub(crate) fn send_amounts(&self, batch: u64) {
        self.meters.send(meters(batch)).expect("a listener");
    }
}

#[tokio::test(start_paused = true)]
async fn the_snapshot_comes_first_then_missed_events_then_new_ones() {
    let mut fixture = fixture(
        vec![changed(118, 0), changed(119, 3)],
        Resubscription::Immediate,
    );
    assert_eq!(fixture.next_message().await, "snapshot 120");
    assert_eq!(fixture.next_message().await, "118.0");
    assert_eq!(fixture.next_message().await, "119.3");
    assert_eq!(
        fixture.listener.subscription.beginning.capacity(),
        0,
        "no snapshot is kept"
    );
    // The snapshot contains the first event. The other two are changes of one later event.
    fixture.send_event(changed(120, 9));
    fixture.send_event(changed(121, 0));
    assert_eq!(fixture.next_message().await, "121.0");
    fixture.send_event(changed(121, 0));
    assert_eq!(fixture.next_message().await, "121.0");
}

#[tokio::test(start_paused = true)]
async fn amounts_are_conflated_to_the_newest_and_never_go_back() {
    let mut fixture = fixture(Vec::new(), Resubscription::Immediate);
    assert_eq!(fixture.next_message().await, "snapshot 120");
    let began = Instant::now();
    fixture.send_amounts(121);
    assert_eq!(fixture.next_message().await, "meters 121");
    for batch in [122, 119, 125, 124, 126] {
        fixture.send_amounts(batch);
    }
    assert_eq!(fixture.next_message().await, "meters 126");
    assert!(began.elapsed() >= METERS_EVERY, "{:?}", began.elapsed());
    fixture.send_amounts(126);
    assert!(timeout(SOON, fixture.listener.next()).await.is_err());
    fixture.send_amounts(125);
    assert!(timeout(SOON / 2, fixture.listener.next()).await.is_err());
    fixture.send_amounts(127);
    assert_eq!(fixture.next_message().await, "meters 127");
}

#[tokio::test(start_paused = true)]
async fn one_delay_of_the_amounts_does_not_accumulate() {
    let mut fixture = fixture(Vec::new(), Resubscription::Immediate);
    assert_eq!(fixture.next_message().await, "snapshot 120");
    fixture.send_amounts(121);
    assert_eq!(fixture.next_message().await, "meters 121");
    // A wait that is cancelled before the planned time loses nothing.
    fixture.send_amounts(122);
    assert_eq!(fixture.poll_once().await, None);
    advance(METERS_EVERY * 19 / 10).await;
    assert_eq!(fixture.next_message().await, "meters 122");
    advance(METERS_EVERY / 10).await;
    fixture.send_amounts(123);
    let due = Instant::now();
    assert_eq!(fixture.next_message().await, "meters 123");
    assert_eq!(due.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_heartbeat_is_sent_every_second_between_other_messages() {
    let mut fixture = fixture(Vec::new(), Resubscription::Immediate);
    assert_eq!(fixture.next_message().await, "snapshot 120");
    let began = Instant::now();
    let (mut heartbeats, mut amounts) = (0, 0);
    while began.elapsed() < Duration::from_secs(25) + SOON {
        match fixture.listener.next().await.expect("a message") {
            DisplayMessage::Heartbeat(_) => heartbeats += 1,
            DisplayMessage::Item(..) => amounts += 1,
            other => panic!("{other:?}"),
        }
        fixture.confirmed.confirm(Instant::now());
        fixture.send_amounts(121 + heartbeats + amounts);
    }
    assert_eq!(heartbeats, 25);
    assert!((200..=256).contains(&amounts), "{amounts}");
}

/// The task that observes the heads is stuck, or the database can't be reached. No heartbeat confirms the amounts.
#[tokio::test(start_paused = true)]
async fn without_a_confirmation_no_heartbeat_is_sent() {
    let mut fixture = fixture(Vec::new(), Resubscription::Immediate);
    assert_eq!(fixture.next_message().await, "snapshot 120");
    let mut heartbeats = String::new();
    for second in 1..=9 {
        match fixture.listener.next().await.expect("a message") {
            DisplayMessage::Heartbeat(_) => heartbeats.push('b'),
            DisplayMessage::Unconfirmed => heartbeats.push('-'),
            other => panic!("{other:?}"),
        }
        if second >= 6 {
            fixture.confirmed.confirm(Instant::now());
        }
    }
    assert_eq!(heartbeats, "bb----bbb");
}

#[tokio::test(start_paused = true)]
async fn a_display_that_falls_too_far_behind_gets_a_new_snapshot() {
    let mut fixture = fixture(Vec::new(), Resubscription::Immediate);
    assert_eq!(fixture.next_message().await, "snapshot 120");
    fixture.send_amounts(135);
    assert_eq!(fixture.next_message().await, "meters 135");
    for batch in 121..=124 {
        fixture.send_event(changed(batch, 0));
    }
    assert_eq!(fixture.next_message().await, "snapshot 130");
    assert_eq!(fixture.subscribed.load(Ordering::Relaxed), 1);
    fixture.send_event(changed(130, 0));
    fixture.send_event(changed(131, 0));
    assert_eq!(fixture.next_message().await, "131.0");
    // Older than the amounts returned before the new subscription.
    fixture.send_amounts(134);
    assert!(timeout(SOON, fixture.listener.next()).await.is_err());
    fixture.send_amounts(136);
    assert_eq!(fixture.next_message().await, "meters 136");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_wait_loses_nothing() {
    /// More polls than there are messages.
    const WAITS: usize = 20;
    let mut fixture = fixture(vec![changed(119, 0)], Resubscription::Waits);
    let mut messages = Vec::new();
    for _ in 0..WAITS {
        messages.extend(fixture.poll_once().await);
    }
    for batch in [121, 122] {
        fixture.send_event(changed(batch, 0));
        messages.extend(fixture.poll_once().await);
    }
    // Three events are more than the listener may be behind.
    for batch in 123..=125 {
        fixture.send_event(changed(batch, 0));
    }
    for _ in 0..WAITS {
        messages.extend(fixture.poll_once().await);
    }
    fixture.proceed.notify_one();
    for _ in 0..WAITS {
        messages.extend(fixture.poll_once().await);
    }
    let expected = ["snapshot 120", "119.0", "121.0", "122.0", "snapshot 130"];
    assert_eq!(messages, expected);
    assert_eq!(
        fixture.subscribed.load(Ordering::Relaxed),
        1,
        "one subscription for all polls"
    );
}

#[tokio::test(start_paused = true)]
async fn a_failed_resubscription_returns_its_denial() {
    let mut fixture = fixture(Vec::new(), Resubscription::NotExecuted);
    assert_eq!(fixture.next_message().await, "snapshot 120");
    for batch in 121..=124 {
        fixture.send_event(changed(batch, 0));
    }
    let denied = fixture.listener.next().await.expect_err("a denial");
    let is_expected = matches!(denied, NotExecuted::DatabaseUnavailable);
    assert!(is_expected, "{denied}");
}

#[tokio::test(start_paused = true)]
async fn a_stop_of_the_server_ends_every_wait() {
    let mut beginning = fixture(vec![changed(119, 0)], Resubscription::Immediate);
    assert_eq!(beginning.next_message().await, "snapshot 120");
    beginning.stopping.cancel();
    assert_eq!(beginning.next_message().await, "stopping");

    let mut idle = fixture(Vec::new(), Resubscription::Immediate);
    assert_eq!(idle.next_message().await, "snapshot 120");
    let stopping = idle.stopping.clone();
    let (message, ()) = tokio::join!(idle.next_message(), async { stopping.cancel() });
    assert_eq!(message, "stopping");

    let mut behind = fixture(Vec::new(), Resubscription::Waits);
    assert_eq!(behind.next_message().await, "snapshot 120");
    for batch in 121..=124 {
        behind.send_event(changed(batch, 0));
    }
    assert!(timeout(SOON, behind.listener.next()).await.is_err());
    behind.stopping.cancel();
    assert_eq!(behind.next_message().await, "stopping");
}

#[test]
fn a_message_is_encoded_once_in_each_form() {
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
