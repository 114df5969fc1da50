//! The feeds of this process: notable events and amounts, read from the journal and sent to displays.
//!
//! # Shape
//! One task queries the heads of all watched links every [`POLL`]. If a head moved, a task reads the notable events and
//! sends them in order. The newest amounts replace older ones (conflation), at most every [`METERS_EVERY`]. Commits of
//! this node and of other nodes are treated alike. Status changes that have no event of their own are found by
//! [`DisplayedStatus`]. Heartbeats confirm the amounts only while the heads can be read.
//!
//! # Limits
//! A display buffers one set of amounts and at most [`NOTABLE_EVENTS_BEHIND_MAX`] notable events. A display that falls
//! further behind gets a new snapshot. A display that reconnects after more events gets none of them. Links without
//! watchers are not queried. A link has one read under way.
//!
//! # Order
//! Amounts of a later batch never precede those of an earlier one. Notable events are sent in the journal's order.

use meterhouse_journal::position::Position;
use meterhouse_journal::seal::SealKey;
use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::{LinkId, LinkName};
use meterhouse_domain::link::LinkTerms;
use meterhouse_store::{HeadRow, NOTABLE_MAX, NewestHits, Store};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::answer::{NotExecuted, unavailable};
use crate::clock::now;
use crate::fault_reason::HEAD_MISSING;
use crate::feed::audience::Audience;
use crate::feed::channel::{
    Channel, Channels, HeadObservation, NOTABLE_EVENTS_BEHIND_MAX, NewEvents, PendingRead, Since,
};
use crate::feed::displayed_status::{DisplayedStatus, may_change_status};
use crate::feed::follower::{Follower, HitsMoved};
use crate::feed::item::{FeedEvent, FeedItem, SNAPSHOT_HITS_MAX};
use crate::feed::notable_events::messages_of;
use crate::feed::subscription::Subscription;
use crate::feed::writes::Displays;
use crate::queries::checked_hits::HitReader;
use crate::queries::link_reader::LinkReader;
use crate::registry::link_registry::LinkRegistry;
use crate::view::{HitView, LinkStatus, LinkView};

/// Interval at which the heads are queried.
const POLL: Duration = Duration::from_millis(50);
/// Maximum number of snapshots taken until one is as new as the status that the other displays were sent. The first one
/// nearly always is.
const SNAPSHOTS_MAX: usize = 3;
/// Maximum number of concurrent displays, over all protocols: as many as one core serves ten times a second.
pub const FEEDS_MAX: usize = 10_000;

/// The feeds of this process.
#[derive(Clone)]
pub(crate) struct Feeds {
    pub(super) inner: Arc<SharedFeeds>,
}

pub(super) struct SharedFeeds {
    pub(super) store: Store,
    registry: LinkRegistry,
    pub(super) channels: Channels,
    displays: Displays,
    seal_key: SealKey,
}

impl SharedFeeds {
    fn link_reader(&self) -> LinkReader<'_> {
        LinkReader {
            store: &self.store,
            registry: &self.registry,
        }
    }
}

impl Feeds {
    /// Creates the feeds, without watchers.
    pub(crate) fn new(store: Store, registry: LinkRegistry, seal_key: SealKey) -> Self {
        let inner = Arc::new(SharedFeeds {
            store,
            registry,
            channels: Channels::default(),
            displays: Displays::new(FEEDS_MAX),
            seal_key,
        });
        Self { inner }
    }

    /// Returns the displays of this process.
    pub(crate) fn displays(&self) -> &Displays {
        &self.inner.displays
    }

    /// Returns the age of the oldest confirmation of a watched link's amounts.
    pub(crate) fn age(&self) -> Duration {
        self.inner.channels.oldest_confirmation()
    }

    /// Reads the journal for all watchers. Never returns.
    pub(crate) async fn run(self) {
        let mut ticks = interval(POLL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The reads are aborted together with this task.
        let mut reads = JoinSet::new();
        loop {
            let planned = ticks.tick().await;
            while reads.try_join_next().is_some() {}
            let watched = self.inner.channels.watched();
            if watched.is_empty() {
                continue;
            }
            self.send_faults(&watched);
            let queried = Instant::now();
            // During an outage of the database nothing is confirmed. Displays get no heartbeat and mark themselves
            // stale.
            let Ok(heads) = self.inner.store.heads(&watched).await.map_err(unavailable) else {
                continue;
            };
            for head in heads {
                let observed = HeadObservation {
                    head,
                    planned,
                    queried,
                };
                if let Some(pending) = self.inner.channels.observe(&observed) {
                    let feeds = self.clone();
                    reads.spawn(async move { feeds.send_news(observed, pending).await });
                }
            }
        }
    }

    /// Sends the fault of links that can't be served, because no event in their journal contains it.
    fn send_faults(&self, watched: &[LinkId]) {
        for link in watched {
            let Some(published) = self.inner.registry.published(*link) else {
                continue;
            };
            let Some(reason) = published.damaged() else {
                continue;
            };
            let mut channels = self.inner.channels.lock();
            let Some(channel) = channels.get_mut(link) else {
                continue;
            };
            if channel
                .status
                .as_ref()
                .is_some_and(DisplayedStatus::is_faulted)
            {
                continue;
            }
            let event = FeedEvent::LinkState {
                position: Position::behind(channel.sent),
                at: now(),
                state: LinkStatus::Faulted,
                reason: Some(reason.to_owned()),
                disabled: None,
            };
            channel.send(vec![event]);
        }
    }

    /// Reads and sends the news of an observed head.
    async fn send_news(&self, observed: HeadObservation, pending: PendingRead) {
        let new = match self.read_news(&observed, &pending).await {
            Ok(new) => Some(new),
            Err(denied) => {
                let name = &pending.terms.name;
                tracing::warn!(link.name = %name, %denied, "notable events can't be read");
                None
            }
        };
        self.inner.channels.end_read(&observed, &pending, new);
    }

    /// Reads the notable events since the last one sent, and the differences of the status.
    async fn read_news(
        &self,
        observed: &HeadObservation,
        pending: &PendingRead,
    ) -> Result<NewEvents, NotExecuted> {
        let (link, head, terms) = (observed.head.link, observed.head.batch, &pending.terms);
        let after = Position::behind(pending.sent);
        let mut new = self
            .read_events(link, terms, after, head, usize::MAX)
            .await?;
        let Some(mut sent) = pending.status.clone() else {
            return Ok(new);
        };
        new.keep_unsent(&mut sent);
        if new.may_change_status || !sent.is_default() {
            let known = self.inner.registry.known_at(link, head).await?;
            if known.batch > head {
                // The published state is newer than the observed head, so its events are sent too.
                let after = Position::behind(head);
                let later = self.read_events(link, terms, after, known.batch, usize::MAX);
                let mut later = later.await?;
                later.keep_unsent(&mut sent);
                new.events.append(&mut later.events);
            }
            let position = Position::behind(known.batch);
            let events = sent.differences(&DisplayedStatus::of_known(&known), position, now());
            new.events.extend(events);
            new.known_through = known.batch;
        }
        Ok(new)
    }

    /// Reads the notable events of a link after a position, up to a batch. Returns none of them if there are more than
    /// `most`.
    async fn read_events(
        &self,
        link: LinkId,
        terms: &LinkTerms,
        mut after: Position,
        through: u64,
        most: usize,
    ) -> Result<NewEvents, NotExecuted> {
        let (store, registry) = (&self.inner.store, &self.inner.registry);
        let mut found = Vec::new();
        loop {
            let page = store
                .new_notable(link, after, through, NOTABLE_MAX)
                .await
                .map_err(unavailable)?;
            let last = page.last().map(|notable| notable.position);
            let is_full = page.len() == NOTABLE_MAX;
            found.extend(page);
            if found.len() > most {
                return Ok(NewEvents {
                    is_missing: true,
                    ..NewEvents::default()
                });
            }
            match last {
                Some(last) if is_full => after = last,
                Some(_) | None => break,
            }
        }
        let mut new = NewEvents::default();
        for notable in &found {
            let events = messages_of(store, registry, link, terms, notable).await?;
            new.events.extend(events);
            new.may_change_status |= may_change_status(notable.event.kind);
        }
        Ok(new)
    }

    /// Subscribes to a link's channel, and creates the channel if necessary. Returns the link's head too.
    async fn with_channel<T>(
        &self,
        link: LinkId,
        subscribe: impl FnOnce(&Channel) -> T,
    ) -> Result<(HeadRow, T), NotExecuted> {
        let terms = self.inner.registry.terms(link).await?;
        let heads = self.inner.store.heads(&[link]).await.map_err(unavailable)?;
        let head = heads
            .into_iter()
            .next()
            .ok_or_else(|| NotExecuted::LinkFaulted {
                reason: HEAD_MISSING.to_owned(),
            })?;
        let mut channels = self.inner.channels.lock();
        let channel = channels
            .entry(link)
            .or_insert_with(|| Channel::new(&head, &terms, &self.inner.seal_key));
        let subscribed = subscribe(channel);
        drop(channels);
        Ok((head, subscribed))
    }

    /// Follows the hits of a link's tables from now on.
    pub(crate) async fn follow(&self, link: LinkId) -> Result<(u64, Follower), NotExecuted> {
        let subscribe = |channel: &Channel| Follower::new(channel.events.subscribe());
        let (head, follower) = self.with_channel(link, subscribe).await?;
        Ok((head.batch, follower))
    }

    /// Returns the changes of tables' hits after a position, up to a batch. Returns [`HitsMoved::ALL`] if there are
    /// more than one page.
    pub(crate) async fn moved(
        &self,
        link: LinkId,
        after: Position,
        through: u64,
    ) -> Result<Vec<HitsMoved>, NotExecuted> {
        let (store, registry) = (&self.inner.store, &self.inner.registry);
        let terms = registry.terms(link).await?;
        let found = store.new_notable(link, after, through, NOTABLE_MAX).await;
        let found = found.map_err(unavailable)?;
        if found.len() == NOTABLE_MAX {
            return Ok(vec![HitsMoved::ALL]);
        }
        let mut moved = Vec::new();
        for notable in &found {
            let events = messages_of(store, registry, link, &terms, notable).await?;
            moved.extend(events.iter().filter_map(HitsMoved::of));
        }
        Ok(moved)
    }

    /// Subscribes to a link: to its channel first, then to the snapshot, so that no event falls between them.
    pub(crate) async fn subscribe(
        &self,
        name: &LinkName,
        audience: Audience,
        since: Since,
    ) -> Result<Subscription, NotExecuted> {
        let link = self.inner.registry.find_link(name).await?;
        let (head, (terms, meters, happenings, confirmed)) = self
            .with_channel(link, |channel| {
                let (meters, events) = (&channel.meters, &channel.events);
                let terms = Arc::clone(&channel.terms);
                let confirmed = Arc::clone(&channel.confirmed);
                (terms, meters.subscribe(), events.subscribe(), confirmed)
            })
            .await?;
        let view = self.fitting_view(link).await?;
        let position = Position::behind(view.batch);
        let mut hits = self.newest_hits(link).await?;
        hits.retain(|hit| audience.sees(hit));
        let batch = view.batch;
        let mut missed = NewEvents {
            is_missing: matches!(since, Since::FellBehind),
            ..NewEvents::default()
        };
        if let Since::After(after) = since
            && after.batch <= batch
        {
            let most = NOTABLE_EVENTS_BEHIND_MAX;
            missed = self.read_events(link, &terms, after, batch, most).await?;
            let refused = self.inner.store.refuse_archived(link, after, None).await;
            refused.map_err(unavailable)?;
        }
        // The head was read before the view, so the view contains its batch.
        let (at, key) = (now(), &self.inner.seal_key);
        let snapshot = FeedEvent::Snapshot {
            link: audience.link(view),
            hits,
            position,
            missing: missed.is_missing,
            at,
            seal: key.of_link(name, head.batch, &head.chain_hash, at),
        };
        let events = [snapshot].into_iter().chain(missed.events);
        let beginning = events.map(|event| Arc::new(FeedItem::new(event))).collect();
        Ok(Subscription {
            terms,
            beginning,
            contained: position,
            batch,
            meters,
            happenings,
            confirmed,
        })
    }

    /// Returns a view of the link that is no older than the status sent to its other displays.
    async fn fitting_view(&self, link: LinkId) -> Result<LinkView, NotExecuted> {
        let reader = self.inner.link_reader();
        let mut view = reader.read(link).await?;
        for _ in 1..SNAPSHOTS_MAX {
            if self.begin_status(link, &view) {
                return Ok(view);
            }
            view = reader.read(link).await?;
        }
        self.begin_status(link, &view);
        Ok(view)
    }

    /// Records the status of a channel's first snapshot. Returns `true` if the view fits the channel's status.
    fn begin_status(&self, link: LinkId, view: &LinkView) -> bool {
        let mut channels = self.inner.channels.lock();
        let Some(channel) = channels.get_mut(&link) else {
            return true;
        };
        if channel.status.is_none() && channel.sent <= view.batch {
            channel.status = Some(DisplayedStatus::of(view));
        }
        channel.begin_presentation(view);
        channel.status.is_some()
    }

    async fn newest_hits(&self, link: LinkId) -> Result<Vec<HitView>, NotExecuted> {
        let limit = usize::try_from(SNAPSHOT_HITS_MAX).unwrap_or(usize::MAX);
        let (store, registry) = (&self.inner.store, &self.inner.registry);
        let found = store.newest_hits(link, NewestHits::default(), limit).await;
        let reader = HitReader { store, registry };
        let mut hits = Vec::new();
        for hit in reader.check(found.map_err(unavailable)?).await? {
            hits.push(self.inner.link_reader().hit_view(hit).await?);
        }
        Ok(hits)
    }
}
