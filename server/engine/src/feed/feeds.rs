//! The feed: what displays are sent, read from the journal.
//!
//! # Shape
//! One task asks every [`POLL`] for the heads of the links that anybody watches. Where a head moved, a task of its own
//! reads its happenings in order and sends them, and the newest amounts replace the older ones ([`Channels`]), at most
//! every [`METERS_EVERY`]. Own commits and other nodes' are seen the same way. What follows from several events is told
//! as [`DisplayedStatus`] finds it. A heartbeat says that the amounts stand only while somebody sees that they do.
//!
//! # Limits
//! A display holds one set of amounts and at most [`HAPPENINGS_BEHIND_MAX`] happenings; one that falls further behind
//! begins again with a snapshot, and one that was away for more hears none of them. Links that nobody watches are not
//! asked for. A link has one reading under way.
//!
//! # Order
//! Amounts of a later batch never come before those of an earlier one; happenings come in the journal's order.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::{LinkId, LinkName};
use meterhouse_domain::link::LinkTerms;
use meterhouse_store::{HAPPENINGS_MAX, HeadRow, NewestHits, Position, Store};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::answer::{Denied, unavailable};
use crate::clock::now;
use crate::fault_reason::HEAD_MISSING;
use crate::feed::audience::Audience;
use crate::feed::channel::{
    Channel, Channels, HAPPENINGS_BEHIND_MAX, HeadObservation, PendingRead, Read, Since,
};
use crate::feed::displayed_status::{DisplayedStatus, may_change_status};
use crate::feed::follower::{Follower, HitsMoved};
use crate::feed::item::{FeedEvent, FeedItem, SNAPSHOT_HITS_MAX};
use crate::feed::notable_events::happenings;
use crate::feed::subscription::Subscription;
use crate::queries::checked_hits::HitReader;
use crate::queries::link_reader::LinkReader;
use crate::registry::link_registry::LinkRegistry;
use crate::view::{HitView, LinkView, LinkWord, Place};

/// How often the heads are asked for.
const POLL: Duration = Duration::from_millis(50);
/// Snapshots that are taken, at most, until one fits what the others were told; one nearly always does.
const SNAPSHOTS_MAX: usize = 3;
/// Displays that may listen at once, whatever way: what one core serves ten times a second.
pub const FEEDS_MAX: usize = 10_000;

/// The feeds of this process.
#[derive(Clone)]
pub(crate) struct Feeds {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    registry: LinkRegistry,
    channels: Channels,
    /// Room for displays.
    room: Arc<Semaphore>,
}

impl Inner {
    fn link_reader(&self) -> LinkReader<'_> {
        LinkReader {
            store: &self.store,
            registry: &self.registry,
        }
    }
}

impl Feeds {
    /// Feeds that nobody listens to yet.
    pub(crate) fn new(store: Store, registry: LinkRegistry) -> Self {
        let inner = Arc::new(Inner {
            store,
            registry,
            channels: Channels::default(),
            room: Arc::new(Semaphore::new(FEEDS_MAX)),
        });
        Self { inner }
    }

    /// A place for one more display.
    pub(crate) fn room(&self) -> Result<OwnedSemaphorePermit, Denied> {
        let room = Arc::clone(&self.inner.room).try_acquire_owned();
        room.map_err(|_| Denied::TooManyFeeds)
    }

    /// Reads the journal for whoever listens, for good.
    pub(crate) async fn run(self) {
        let mut ticks = interval(POLL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // Dropped with this, what is under way ends as well.
        let mut readings = JoinSet::new();
        loop {
            let look = ticks.tick().await;
            while readings.try_join_next().is_some() {}
            let watched = self.inner.channels.watched();
            if watched.is_empty() {
                continue;
            }
            self.tell_damage(&watched);
            let asked = Instant::now();
            // While the database is away nothing is confirmed: displays hear nothing and mark themselves stale.
            let Ok(heads) = self.inner.store.heads(&watched).await.map_err(unavailable) else {
                continue;
            };
            for head in heads {
                let seen = HeadObservation { head, look, asked };
                if let Some(reading) = self.inner.channels.look(&seen) {
                    let feeds = self.clone();
                    readings.spawn(async move { feeds.advance(seen, reading).await });
                }
            }
        }
    }

    /// A link that can't be served says so in no event.
    fn tell_damage(&self, watched: &[LinkId]) {
        for link in watched {
            let Some(present) = self.inner.registry.published(*link) else {
                continue;
            };
            let Some(reason) = present.damaged() else {
                continue;
            };
            let mut channels = self.inner.channels.lock();
            let Some(channel) = channels.get_mut(link) else {
                continue;
            };
            if channel
                .standing
                .as_ref()
                .is_some_and(DisplayedStatus::is_faulted)
            {
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

    /// Sends what a head says is new.
    async fn advance(&self, seen: HeadObservation, reading: PendingRead) {
        let read = match self.news(&seen, &reading).await {
            Ok(read) => Some(read),
            Err(denied) => {
                let name = &reading.terms.name;
                tracing::warn!(link.name = %name, %denied, "happenings can't be read");
                None
            }
        };
        self.inner.channels.end(&seen, &reading, read);
    }

    /// What happened since what was sent, and what else stands otherwise now.
    async fn news(&self, seen: &HeadObservation, reading: &PendingRead) -> Result<Read, Denied> {
        let (link, head, terms) = (seen.head.link, seen.head.batch, &reading.terms);
        let after = Position::behind(reading.sent);
        let mut read = self.read(link, terms, after, head, usize::MAX).await?;
        let Some(mut told) = reading.standing.clone() else {
            return Ok(read);
        };
        read.tell(&mut told);
        if read.may_change_status || !told.is_default() {
            let known = self.inner.registry.known_at(link, head).await?;
            if known.batch > head {
                // Its state is further than the head that was asked for: so is what is told.
                let after = Position::behind(head);
                let most = usize::MAX;
                let mut later = self.read(link, terms, after, known.batch, most).await?;
                later.tell(&mut told);
                read.events.append(&mut later.events);
            }
            let place = Place::end_of(known.batch);
            let events = told.differences(&DisplayedStatus::of_known(&known), place, now());
            read.events.extend(events);
            read.known_through = known.batch;
        }
        Ok(read)
    }

    /// The happenings of a link behind a place, up to a batch; none where there are more than so many.
    async fn read(
        &self,
        link: LinkId,
        terms: &LinkTerms,
        mut after: Position,
        through: u64,
        most: usize,
    ) -> Result<Read, Denied> {
        let (store, registry) = (&self.inner.store, &self.inner.registry);
        let mut found = Vec::new();
        loop {
            let page = store
                .happenings(link, after, through, HAPPENINGS_MAX)
                .await
                .map_err(unavailable)?;
            let last = page.last().map(|it| it.place);
            let is_full = page.len() == HAPPENINGS_MAX;
            found.extend(page);
            if found.len() > most {
                return Ok(Read {
                    is_missing: true,
                    ..Read::default()
                });
            }
            match last {
                Some(last) if is_full => after = last,
                Some(_) | None => break,
            }
        }
        let mut read = Read::default();
        for happening in &found {
            let events = happenings(store, registry, link, terms, happening).await?;
            read.events.extend(events);
            read.may_change_status |= may_change_status(happening.event.kind);
        }
        Ok(read)
    }

    /// Subscribes to a link's channel, which begins where nothing watches it yet. Returns the head beside it.
    async fn with_channel<T>(
        &self,
        link: LinkId,
        subscribe: impl FnOnce(&Channel) -> T,
    ) -> Result<(HeadRow, T), Denied> {
        let terms = self.inner.registry.terms(link).await?;
        let heads = self.inner.store.heads(&[link]).await.map_err(unavailable)?;
        let head = heads
            .into_iter()
            .next()
            .ok_or_else(|| Denied::LinkFaulted {
                reason: HEAD_MISSING.to_owned(),
            })?;
        let mut channels = self.inner.channels.lock();
        let channel = channels
            .entry(link)
            .or_insert_with(|| Channel::new(&head, &terms));
        let subscribed = subscribe(channel);
        drop(channels);
        Ok((head, subscribed))
    }

    /// Follows the hits of a link's tables from now on.
    pub(crate) async fn follow(&self, link: LinkId) -> Result<(u64, Follower), Denied> {
        let subscribe = |channel: &Channel| Follower::new(channel.happenings.subscribe());
        let (head, follower) = self.with_channel(link, subscribe).await?;
        Ok((head.batch, follower))
    }

    /// Returns what happened to tables' hits behind a place, up to a batch; [`HitsMoved::ALL`] where there is more.
    pub(crate) async fn moved(
        &self,
        link: LinkId,
        after: Place,
        through: u64,
    ) -> Result<Vec<HitsMoved>, Denied> {
        let (store, registry) = (&self.inner.store, &self.inner.registry);
        let terms = registry.terms(link).await?;
        let after = after.stored();
        let found = store.happenings(link, after, through, HAPPENINGS_MAX).await;
        let found = found.map_err(unavailable)?;
        if found.len() == HAPPENINGS_MAX {
            return Ok(vec![HitsMoved::ALL]);
        }
        let mut moved = Vec::new();
        for happening in &found {
            let events = happenings(store, registry, link, &terms, happening).await?;
            moved.extend(events.iter().filter_map(HitsMoved::of));
        }
        Ok(moved)
    }

    /// Listens to a link: its channel first, then the snapshot, so that nothing falls between them.
    pub(crate) async fn subscribe(
        &self,
        name: &LinkName,
        audience: Audience,
        since: Since,
    ) -> Result<Subscription, Denied> {
        let link = self.inner.registry.find_link(name).await?;
        let (_, (terms, meters, happenings, confirmed)) = self
            .with_channel(link, |channel| {
                let (meters, happenings) = (&channel.meters, &channel.happenings);
                let terms = Arc::clone(&channel.terms);
                let confirmed = Arc::clone(&channel.confirmed);
                (terms, meters.subscribe(), happenings.subscribe(), confirmed)
            })
            .await?;
        let view = self.fitting_view(link).await?;
        let place = Place::end_of(view.batch);
        let mut hits = self.newest_hits(link).await?;
        hits.retain(|hit| audience.sees(hit));
        let batch = view.batch;
        let mut missed = Read {
            is_missing: matches!(since, Since::FellBehind),
            ..Read::default()
        };
        if let Since::Place(after) = since
            && after.batch <= batch
        {
            let after = after.stored();
            let most = HAPPENINGS_BEHIND_MAX;
            missed = self.read(link, &terms, after, batch, most).await?;
        }
        let snapshot = FeedEvent::Snapshot {
            link: audience.link(view),
            hits,
            place,
            missing: missed.is_missing,
            at: now(),
        };
        let events = [snapshot].into_iter().chain(missed.events);
        let beginning = events.map(|event| Arc::new(FeedItem::new(event))).collect();
        Ok(Subscription {
            terms,
            beginning,
            contained: place,
            batch,
            meters,
            happenings,
            confirmed,
        })
    }

    /// The link as it stands, no older than what its other displays were told.
    async fn fitting_view(&self, link: LinkId) -> Result<LinkView, Denied> {
        let reader = self.inner.link_reader();
        let mut view = reader.read(link).await?;
        for _ in 1..SNAPSHOTS_MAX {
            if self.begin_standing(link, &view) {
                return Ok(view);
            }
            view = reader.read(link).await?;
        }
        self.begin_standing(link, &view);
        Ok(view)
    }

    /// The first snapshot of a channel says what its displays know; whether it does.
    fn begin_standing(&self, link: LinkId, view: &LinkView) -> bool {
        let mut channels = self.inner.channels.lock();
        let Some(channel) = channels.get_mut(&link) else {
            return true;
        };
        if channel.standing.is_none() && channel.sent <= view.batch {
            channel.standing = Some(DisplayedStatus::of(view));
        }
        channel.standing.is_some()
    }

    async fn newest_hits(&self, link: LinkId) -> Result<Vec<HitView>, Denied> {
        let limit = usize::try_from(SNAPSHOT_HITS_MAX).unwrap_or(usize::MAX);
        let newest = NewestHits::default();
        let found = self.inner.store.newest_hits(link, newest, limit).await;
        let reader = HitReader {
            store: &self.inner.store,
            registry: &self.inner.registry,
        };
        let mut hits = Vec::new();
        for hit in reader.check(found.map_err(unavailable)?).await? {
            hits.push(self.inner.link_reader().hit_view(hit).await?);
        }
        Ok(hits)
    }
}
