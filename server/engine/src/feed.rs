//! The feed: what displays are sent, read from the journal.
//!
//! # Shape
//! One task asks every [`POLL`] for the heads of the links that anybody watches. Where a head moved, its happenings
//! are read in order and sent, and the newest amounts replace the older ones, at most every [`METERS_EVERY`]. Own
//! commits and other nodes' are seen the same way. What follows from several events is told as [`Standing`] finds it.
//!
//! # What bounds it
//! A display holds one set of amounts and at most [`HAPPENINGS_BEHIND_MAX`] happenings; one that falls further behind
//! begins again with a snapshot. Links that nobody watches are not asked for.
//!
//! # Order
//! Amounts of a later batch never come before those of an earlier one; happenings come in the journal's order.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::name::{LinkId, LinkName};
use meterhouse_store::{HAPPENINGS_MAX, HeadRow, NewestHits, Position, Store};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast, watch};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::Engine;
use crate::answer::Denied;
use crate::clock::now;
use crate::feed_item::{FeedEvent, FeedItem, SNAPSHOT_HITS_MAX};
use crate::happenings::happenings;
use crate::house::{House, unavailable};
use crate::questions::{HEAD_MISSING, displayed, hit_view};
use crate::standing::{Standing, stirs};
use crate::view::{HitView, LinkView, LinkWord, Place};

/// How often the heads are asked for.
const POLL: Duration = Duration::from_millis(50);
/// Between two sets of amounts of one link, and of one display: ten a second are more than eyes read.
pub const METERS_EVERY: Duration = Duration::from_millis(100);
/// Happenings that a display may be behind.
const HAPPENINGS_BEHIND_MAX: usize = 1_000;
/// Displays that may listen at once, whatever way: what one core serves ten times a second.
pub const FEEDS_MAX: usize = 10_000;

/// What one display listens to.
pub struct Subscription {
    /// What its link opened with.
    pub terms: Arc<LinkTerms>,
    /// A snapshot, which is everything it needs to begin, and what happened after the place it had come to. Each is
    /// given away once: thousands of displays don't each keep theirs.
    pub beginning: VecDeque<Arc<FeedItem>>,
    /// Up to where the snapshot contains what happened.
    pub contained: Place,
    /// The batch that the snapshot's amounts are as of.
    pub batch: u64,
    /// The newest amounts.
    pub meters: watch::Receiver<Arc<FeedItem>>,
    /// What happens from now on; one that lags behind has to subscribe again.
    pub happenings: broadcast::Receiver<Arc<FeedItem>>,
}

impl Subscription {
    /// The next of what it begins with.
    pub(crate) fn begins_with(&mut self) -> Option<Arc<FeedItem>> {
        let item = self.beginning.pop_front();
        if self.beginning.is_empty() {
            self.beginning = VecDeque::new();
        }
        item
    }
}

/// One watched link.
struct Channel {
    terms: Arc<LinkTerms>,
    meters: watch::Sender<Arc<FeedItem>>,
    happenings: broadcast::Sender<Arc<FeedItem>>,
    /// Up to here everything was sent.
    sent: u64,
    meters_sent: u64,
    meters_at: Instant,
    /// What was told of the link's state; nothing before its first snapshot.
    standing: Option<Standing>,
}

/// What happened behind a place.
#[derive(Default)]
struct Read {
    events: Vec<FeedEvent>,
    /// Whether the link's state may be another one.
    is_stirred: bool,
    /// The batch up to which its state was looked at, if it was.
    known_through: u64,
}

/// The feeds of this process.
#[derive(Clone)]
pub(crate) struct Feeds {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    house: House,
    channels: Mutex<HashMap<LinkId, Channel>>,
    /// Room for displays.
    room: Arc<Semaphore>,
}

impl Feeds {
    /// Starts the task that reads the journal; it ends when `stop` is cancelled.
    pub(crate) fn new(store: Store, house: House, stop: CancellationToken) -> Self {
        let inner = Arc::new(Inner {
            store,
            house,
            channels: Mutex::default(),
            room: Arc::new(Semaphore::new(FEEDS_MAX)),
        });
        let feeds = Self { inner };
        let polling = feeds.clone();
        tokio::spawn(async move { stop.run_until_cancelled(polling.run()).await });
        feeds
    }

    /// A place for one more display.
    pub(crate) fn room(&self) -> Result<OwnedSemaphorePermit, Denied> {
        let room = Arc::clone(&self.inner.room).try_acquire_owned();
        room.map_err(|_| Denied::TooManyFeeds)
    }

    /// Nothing is awaited while this is held, and no code under it can panic half way.
    fn channels(&self) -> MutexGuard<'_, HashMap<LinkId, Channel>> {
        self.inner
            .channels
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(self) {
        let mut ticks = interval(POLL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let look = ticks.tick().await;
            let watched: Vec<LinkId> = {
                let mut channels = self.channels();
                channels.retain(|_, channel| channel.meters.receiver_count() > 0);
                channels.keys().copied().collect()
            };
            if watched.is_empty() {
                continue;
            }
            self.tell_damage(&watched);
            // While the database is away, displays hear nothing and mark themselves stale.
            let Ok(heads) = self.inner.store.heads(&watched).await.map_err(unavailable) else {
                continue;
            };
            for head in heads {
                self.advance(head, look).await;
            }
        }
    }

    /// A link that can't be served says so in no event.
    fn tell_damage(&self, watched: &[LinkId]) {
        for link in watched {
            let Some(present) = self.inner.house.present(*link) else {
                continue;
            };
            let Some(reason) = present.damaged() else {
                continue;
            };
            let mut channels = self.channels();
            let Some(channel) = channels.get_mut(link) else {
                continue;
            };
            if channel.standing.as_ref().is_some_and(Standing::is_faulted) {
                continue;
            }
            let event = FeedEvent::LinkState {
                place: Place::end_of(channel.sent),
                at: now(),
                state: LinkWord::Faulted,
                reason: Some(reason.to_owned()),
                disabled: None,
            };
            channel.send(vec![event]);
        }
    }

    /// Sends what a head says is new that was asked for at this look.
    async fn advance(&self, head: HeadRow, look: Instant) {
        let known = {
            let channels = self.channels();
            let channel = channels.get(&head.link);
            channel.map(|it| (it.sent, Arc::clone(&it.terms), it.standing.clone()))
        };
        let Some((sent, terms, standing)) = known else {
            return;
        };
        let mut read = Read::default();
        if head.batch > sent {
            let news = self.news(&head, &terms, sent, standing).await;
            read = match news {
                Ok(read) => read,
                Err(denied) => {
                    tracing::warn!(link.name = %terms.name, %denied, "happenings can't be read");
                    return;
                }
            };
        }
        let mut channels = self.channels();
        let Some(channel) = channels.get_mut(&head.link) else {
            return;
        };
        channel.send(read.events);
        if let Some(standing) = &mut channel.standing {
            standing.is_as_of(read.known_through);
        }
        channel.sent = channel.sent.max(head.batch);
        // From look to look, as they were planned: what the question took would make every second interval longer.
        if head.batch > channel.meters_sent && look - channel.meters_at >= METERS_EVERY {
            channel.meters_sent = head.batch;
            channel.meters_at = look;
            drop(channel.meters.send(meters_of(&head, &terms)));
        }
    }

    /// What happened since what was sent, and what else stands otherwise now.
    async fn news(
        &self,
        head: &HeadRow,
        terms: &LinkTerms,
        sent: u64,
        standing: Option<Standing>,
    ) -> Result<Read, Denied> {
        let mut read = self
            .read(head.link, terms, Position::behind(sent), head.batch)
            .await?;
        let Some(mut told) = standing else {
            return Ok(read);
        };
        read.events.retain(|event| !told.knows(event));
        for event in &read.events {
            told.tell(event);
        }
        if read.is_stirred || !told.is_plain() {
            let known = self.inner.house.known_at(head.link, head.batch).await?;
            let place = Place::end_of(head.batch);
            let events = told.differences(&Standing::of_known(&known), place, now());
            read.events.extend(events);
            read.known_through = known.batch;
        }
        Ok(read)
    }

    /// The happenings of a link behind a place, up to a batch.
    async fn read(
        &self,
        link: LinkId,
        terms: &LinkTerms,
        mut after: Position,
        through: u64,
    ) -> Result<Read, Denied> {
        let mut read = Read::default();
        let (store, house) = (&self.inner.store, &self.inner.house);
        loop {
            let page = store
                .happenings(link, after, through, HAPPENINGS_MAX)
                .await
                .map_err(unavailable)?;
            for happening in &page {
                let events = happenings(store, house, link, terms, happening).await?;
                read.events.extend(events);
                read.is_stirred |= stirs(happening.event.kind);
            }
            match page.last() {
                Some(last) if page.len() == HAPPENINGS_MAX => after = last.place,
                Some(_) | None => return Ok(read),
            }
        }
    }

    /// Listens to a link: its channel first, then the snapshot, so that nothing falls between them.
    pub(crate) async fn subscribe(
        &self,
        engine: &Engine,
        name: &LinkName,
        after: Option<Place>,
    ) -> Result<Subscription, Denied> {
        let link = self.inner.house.find_link(name).await?;
        let terms = self.inner.house.terms(link).await?;
        let heads = self.inner.store.heads(&[link]).await.map_err(unavailable)?;
        let head = heads
            .into_iter()
            .next()
            .ok_or_else(|| Denied::LinkFaulted {
                reason: HEAD_MISSING.to_owned(),
            })?;
        let (meters, happenings) = {
            let mut channels = self.channels();
            let channel = channels
                .entry(link)
                .or_insert_with(|| Channel::new(&head, &terms));
            (channel.meters.subscribe(), channel.happenings.subscribe())
        };
        let view = engine.link(name).await?;
        self.begin_standing(link, &view);
        let place = Place::end_of(view.batch);
        let hits = self.newest_hits(link).await?;
        let batch = view.batch;
        let mut beginning = VecDeque::from([Arc::new(FeedItem::new(FeedEvent::Snapshot {
            link: view,
            hits,
            place,
            at: now(),
        }))]);
        if let Some(after) = after.filter(|it| it.batch <= batch) {
            let after = Position {
                batch: after.batch,
                position: after.position,
            };
            let read = self.read(link, &terms, after, batch).await?;
            if read.events.len() <= HAPPENINGS_BEHIND_MAX {
                let items = read.events.into_iter();
                beginning.extend(items.map(|event| Arc::new(FeedItem::new(event))));
            }
        }
        Ok(Subscription {
            terms,
            beginning,
            contained: place,
            batch,
            meters,
            happenings,
        })
    }

    /// The first snapshot of a channel says what its displays know.
    fn begin_standing(&self, link: LinkId, view: &LinkView) {
        if let Some(channel) = self.channels().get_mut(&link)
            && channel.standing.is_none()
            && channel.sent <= view.batch
        {
            channel.standing = Some(Standing::of(view));
        }
    }

    async fn newest_hits(&self, link: LinkId) -> Result<Vec<HitView>, Denied> {
        let limit = usize::try_from(SNAPSHOT_HITS_MAX).unwrap_or(usize::MAX);
        let newest = NewestHits::default();
        let found = self.inner.store.newest_hits(link, newest, limit).await;
        let mut hits = Vec::new();
        for hit in found.map_err(unavailable)? {
            hits.push(hit_view(&self.inner.house, hit).await?);
        }
        Ok(hits)
    }
}

impl Channel {
    fn new(head: &HeadRow, terms: &Arc<LinkTerms>) -> Self {
        Self {
            terms: Arc::clone(terms),
            meters: watch::Sender::new(meters_of(head, terms)),
            happenings: broadcast::Sender::new(HAPPENINGS_BEHIND_MAX),
            sent: head.batch,
            meters_sent: head.batch,
            meters_at: Instant::now(),
            standing: None,
        }
    }

    /// Sends happenings, in order.
    fn send(&mut self, events: Vec<FeedEvent>) {
        for event in events {
            if let Some(standing) = &mut self.standing {
                standing.tell(&event);
            }
            // Nobody listens: then nobody misses it.
            drop(self.happenings.send(Arc::new(FeedItem::new(event))));
        }
    }
}

fn meters_of(head: &HeadRow, terms: &LinkTerms) -> Arc<FeedItem> {
    let displayed = displayed(&head.balances, terms.content().levels.len());
    Arc::new(FeedItem::new(FeedEvent::Meters {
        batch: head.batch,
        displayed,
        at: now(),
    }))
}
