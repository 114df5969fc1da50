//! The feed: what displays are sent, read from the journal.
//!
//! # Shape
//! One task asks every [`POLL`] for the heads of the links that anybody watches. Where a head moved, its happenings
//! are read in order and sent, and the newest amounts replace the older ones, at most every [`METERS_EVERY`]. Own
//! commits and other nodes' are seen the same way.
//!
//! # What bounds it
//! A display holds one set of amounts and at most [`HAPPENINGS_BEHIND_MAX`] happenings; one that falls further behind
//! begins again with a snapshot. Links that nobody watches are not asked for.
//!
//! # Order
//! Amounts of a later batch never come before those of an earlier one; happenings come in the journal's order.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::name::{LinkId, LinkName};
use meterhouse_store::{HAPPENINGS_MAX, HeadRow, Position, Store};
use tokio::sync::{broadcast, watch};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::Engine;
use crate::answer::Denied;
use crate::clock::now;
use crate::feed_item::{FeedEvent, FeedItem, SNAPSHOT_HITS_MAX};
use crate::happenings::happenings;
use crate::house::{House, unavailable};
use crate::questions::displayed;
use crate::view::{HitView, Place};

/// How often the heads are asked for.
const POLL: Duration = Duration::from_millis(50);
/// The least time between two sets of amounts of one link.
const METERS_EVERY: Duration = Duration::from_millis(100);
/// Happenings that a display may be behind.
const HAPPENINGS_BEHIND_MAX: usize = 1_000;

/// What one display listens to.
pub struct Subscription {
    /// Everything it needs to begin.
    pub snapshot: Arc<FeedItem>,
    /// What happened after the place it had come to.
    pub missed: Vec<Arc<FeedItem>>,
    /// The newest amounts.
    pub meters: watch::Receiver<Arc<FeedItem>>,
    /// What happens from now on; one that lags behind has to subscribe again.
    pub happenings: broadcast::Receiver<Arc<FeedItem>>,
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
}

impl Feeds {
    /// Starts the task that reads the journal; it ends when `stop` is cancelled.
    pub(crate) fn new(store: Store, house: House, stop: CancellationToken) -> Self {
        let inner = Arc::new(Inner {
            store,
            house,
            channels: Mutex::default(),
        });
        let feeds = Self { inner };
        let polling = feeds.clone();
        tokio::spawn(async move { stop.run_until_cancelled(polling.run()).await });
        feeds
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
            ticks.tick().await;
            let watched: Vec<LinkId> = {
                let mut channels = self.channels();
                channels.retain(|_, channel| channel.meters.receiver_count() > 0);
                channels.keys().copied().collect()
            };
            if watched.is_empty() {
                continue;
            }
            // While the database is away, displays hear nothing and mark themselves stale.
            let Ok(heads) = self.inner.store.heads(&watched).await.map_err(unavailable) else {
                continue;
            };
            for head in heads {
                self.advance(head).await;
            }
        }
    }

    /// Sends what a head says is new.
    async fn advance(&self, head: HeadRow) {
        let known = {
            let channels = self.channels();
            channels
                .get(&head.link)
                .map(|it| (it.sent, Arc::clone(&it.terms)))
        };
        let Some((sent, terms)) = known else { return };
        let items = if head.batch > sent {
            match self
                .read(head.link, &terms, Position::behind(sent), head.batch)
                .await
            {
                Ok(items) => items,
                Err(denied) => {
                    tracing::warn!(link.name = %terms.name, %denied, "happenings can't be read");
                    return;
                }
            }
        } else {
            Vec::new()
        };
        let mut channels = self.channels();
        let Some(channel) = channels.get_mut(&head.link) else {
            return;
        };
        for item in items {
            // Nobody listens: then nobody misses it.
            drop(channel.happenings.send(item));
        }
        channel.sent = channel.sent.max(head.batch);
        if head.batch > channel.meters_sent && channel.meters_at.elapsed() >= METERS_EVERY {
            channel.meters_sent = head.batch;
            channel.meters_at = Instant::now();
            drop(channel.meters.send(meters_of(&head, &terms)));
        }
    }

    /// The happenings of a link behind a place, up to a batch.
    async fn read(
        &self,
        link: LinkId,
        terms: &LinkTerms,
        mut after: Position,
        through: u64,
    ) -> Result<Vec<Arc<FeedItem>>, Denied> {
        let mut items = Vec::new();
        loop {
            let page = self
                .inner
                .store
                .happenings(link, after, through, HAPPENINGS_MAX)
                .await;
            let page = page.map_err(unavailable)?;
            for happening in &page {
                let events = happenings(&self.inner.store, link, terms, happening).await?;
                items.extend(
                    events
                        .into_iter()
                        .map(|event| Arc::new(FeedItem::new(event))),
                );
            }
            match page.last() {
                Some(last) if page.len() == HAPPENINGS_MAX => after = last.place,
                Some(_) | None => return Ok(items),
            }
        }
    }

    /// Listens to a link: its channel first, then the snapshot, so that nothing falls between them.
    async fn subscribe(
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
            .ok_or_else(|| Denied::UnknownLink(name.to_string()))?;
        let (meters, happenings) = {
            let mut channels = self.channels();
            let channel = channels
                .entry(link)
                .or_insert_with(|| Channel::new(&head, &terms));
            (channel.meters.subscribe(), channel.happenings.subscribe())
        };
        let view = engine.link(name).await?;
        let place = Place {
            batch: view.batch,
            position: u32::MAX,
        };
        let hits = self.newest_hits(link).await?;
        let missed = match after {
            Some(after) if after.batch <= view.batch => {
                let after = Position {
                    batch: after.batch,
                    position: after.position,
                };
                let items = self.read(link, &terms, after, view.batch).await?;
                if items.len() > HAPPENINGS_BEHIND_MAX {
                    Vec::new()
                } else {
                    items
                }
            }
            Some(_) | None => Vec::new(),
        };
        let snapshot = FeedEvent::Snapshot {
            link: view,
            hits,
            place,
            at: now(),
        };
        let snapshot = Arc::new(FeedItem::new(snapshot));
        Ok(Subscription {
            snapshot,
            missed,
            meters,
            happenings,
        })
    }

    async fn newest_hits(&self, link: LinkId) -> Result<Vec<HitView>, Denied> {
        let limit = usize::try_from(SNAPSHOT_HITS_MAX).unwrap_or(usize::MAX);
        let found = self.inner.store.newest_hits(link, limit).await;
        let mut hits = Vec::new();
        for hit in found.map_err(unavailable)? {
            hits.push(crate::questions::hit_view(&self.inner.house, hit).await?);
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

impl Engine {
    /// Listens to a link, with what happened after a place if it is not too long ago.
    ///
    /// # Errors
    /// [`Denied`] where there is no such link or the database can't be asked.
    pub async fn subscribe(
        &self,
        link: &LinkName,
        after: Option<Place>,
    ) -> Result<Subscription, Denied> {
        self.inner.feeds.subscribe(self, link, after).await
    }
}
