//! What one display is told, whatever way it listens.
//!
//! # Shape
//! [`Listener::next`] waits for whatever comes first and says what to write. A way to listen (WebSocket, gRPC) writes
//! it, and has of its own only what its connection needs.
//!
//! # Limits
//! [`METERS_EVERY`], [`HEARTBEAT_EVERY`], [`FEEDS_MAX`](crate::feed::feeds::FEEDS_MAX) at once. Nothing is queued here: a slow
//! display gets the newest amounts when it can take them, and a new snapshot when it missed happenings.
//!
//! # Order
//! The snapshot first, then what was missed, then happenings in the journal's order. Amounts never go back: one
//! with a batch that is not newer than the last is left out.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::{LinkName, Timestamp};
use meterhouse_domain::link::LinkTerms;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::answer::Denied;
use crate::clock;
use crate::context::Engine;
use crate::feed::audience::Audience;
use crate::feed::channel::{METERS_EVERY, Since};
use crate::feed::item::{FeedEvent, FeedItem};
use crate::feed::subscription::Subscription;
use crate::view::Place;

/// Between two heartbeats: a display shows that it is stale after three seconds without any message. None is told
/// while nobody can see that the amounts stand ([`CONFIRMED_MAX`](crate::feed::channel::CONFIRMED_MAX)).
pub const HEARTBEAT_EVERY: Duration = Duration::from_secs(1);
/// A message that a display doesn't take within this time is its last, whatever way it listens.
pub const WRITE_MAX: Duration = Duration::from_secs(10);

/// How often the token of the floor's feed is looked at: one that is revoked or expired ends its feed.
pub const TOKEN_EVERY: Duration = Duration::from_secs(5);

/// What a display is told.
#[derive(Clone, Debug)]
pub enum DisplayMessage {
    /// A message of the feed, and the terms of its link.
    Item(Arc<FeedItem>, Arc<LinkTerms>),
    /// What was told stands: the server's time.
    Heartbeat(Timestamp),
    /// A second passed, and nobody knows whether it does: a display hears nothing, and marks itself stale.
    Unconfirmed,
    /// The token of the floor's feed holds no longer; nothing follows.
    Refused,
    /// The server stops; nothing follows.
    Stopping,
}

/// A subscription that is on its way.
type Subscribing = Pin<Box<dyn Future<Output = Result<Subscription, Denied>> + Send>>;

/// The token that lets somebody hear the floor's feed.
struct Pass {
    engine: Engine,
    token: String,
    looked_at: Instant,
}

impl Pass {
    /// Checks whether the token still holds, every [`TOKEN_EVERY`]. Where nobody can be asked it does.
    async fn holds(&mut self) -> bool {
        if self.looked_at.elapsed() < TOKEN_EVERY {
            return true;
        }
        let found = self.engine.authenticate(&self.token).await;
        self.looked_at = Instant::now();
        !matches!(found, Ok(None))
    }
}

/// What came first.
enum Wakeup {
    Stop,
    Anew(Result<Subscription, Denied>),
    Item(Arc<FeedItem>),
    Behind,
    Meters,
    Second,
}

/// What one display listens with.
pub struct Listener {
    subscription: Subscription,
    /// Subscribes anew, for one that fell too far behind.
    again: Box<dyn Fn() -> Subscribing + Send>,
    /// The subscription after that, until it is there.
    anew: Option<Subscribing>,
    /// The batch of the newest amounts that were told.
    batch: u64,
    /// Before this moment no amounts are told.
    meters_at: Instant,
    seconds: Interval,
    stopping: CancellationToken,
    /// What the floor hears it with; none: it hears what players may.
    pass: Option<Pass>,
    /// Its place among the feeds, while it lives.
    _room: Option<OwnedSemaphorePermit>,
}

impl Listener {
    /// A listener on a subscription. `again` subscribes anew when it fell too far behind, `stopping` ends it, `room` is
    /// its place among the feeds where they are counted.
    pub fn new<A, F>(
        first: Subscription,
        again: A,
        stopping: CancellationToken,
        room: Option<OwnedSemaphorePermit>,
    ) -> Self
    where
        A: Fn() -> F + Send + 'static,
        F: Future<Output = Result<Subscription, Denied>> + Send + 'static,
    {
        let now = Instant::now();
        let mut seconds = interval_at(now + HEARTBEAT_EVERY, HEARTBEAT_EVERY);
        seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            batch: first.batch,
            subscription: first,
            again: Box::new(move || Box::pin(again())),
            anew: None,
            meters_at: now,
            seconds,
            stopping,
            pass: None,
            _room: room,
        }
    }

    /// What to tell next. Dropping the wait loses nothing.
    ///
    /// # Errors
    /// [`Denied`] where a display that fell behind can't begin again; nothing follows.
    pub async fn next(&mut self) -> Result<DisplayMessage, Denied> {
        loop {
            if self.stopping.is_cancelled() {
                return Ok(DisplayMessage::Stopping);
            }
            if let Some(item) = self.subscription.begins_with() {
                return Ok(self.told(item));
            }
            match self.comes().await {
                Wakeup::Stop => return Ok(DisplayMessage::Stopping),
                Wakeup::Anew(subscription) => self.begin_again(subscription?),
                Wakeup::Behind => self.anew = Some((self.again)()),
                Wakeup::Item(item) if self.is_news(&item) => return Ok(self.told(item)),
                Wakeup::Item(_) => {}
                Wakeup::Meters => {
                    if let Some(item) = self.newer_amounts() {
                        return Ok(self.told(item));
                    }
                }
                Wakeup::Second if !self.may_hear().await => return Ok(DisplayMessage::Refused),
                Wakeup::Second if self.subscription.confirmed.is_fresh() => {
                    return Ok(DisplayMessage::Heartbeat(clock::now()));
                }
                Wakeup::Second => return Ok(DisplayMessage::Unconfirmed),
            }
        }
    }

    /// Waits for whatever comes first; dropping any of these waits loses nothing.
    async fn comes(&mut self) -> Wakeup {
        if let Some(anew) = &mut self.anew {
            let came = tokio::select! {
                biased;
                () = self.stopping.cancelled() => return Wakeup::Stop,
                came = anew => came,
            };
            self.anew = None;
            return Wakeup::Anew(came);
        }
        let Subscription {
            meters, happenings, ..
        } = &mut self.subscription;
        let meters_at = self.meters_at;
        let changed = pin!(async {
            // First the change, then the moment: most often that has come by then, and thousands of displays need no
            // timer and don't wake for nothing.
            meters.changed().await?;
            // Dropped from here on, the wait finds the change again.
            meters.mark_changed();
            if Instant::now() < meters_at {
                sleep_until(meters_at).await;
            }
            Ok::<(), watch::error::RecvError>(())
        });
        tokio::select! {
            biased;
            () = self.stopping.cancelled() => Wakeup::Stop,
            item = happenings.recv() => match item {
                Ok(item) => Wakeup::Item(item),
                Err(RecvError::Lagged(_)) => Wakeup::Behind,
                Err(RecvError::Closed) => Wakeup::Stop,
            },
            changed = changed => changed.map_or(Wakeup::Stop, |()| Wakeup::Meters),
            _ = self.seconds.tick() => Wakeup::Second,
        }
    }

    /// Checks whether it may hear what it is told.
    async fn may_hear(&mut self) -> bool {
        match &mut self.pass {
            Some(pass) => pass.holds().await,
            None => true,
        }
    }

    fn begin_again(&mut self, subscription: Subscription) {
        self.batch = self.batch.max(subscription.batch);
        self.subscription = subscription;
    }

    /// Whether something happened that the snapshot doesn't contain.
    fn is_news(&self, item: &FeedItem) -> bool {
        place_of(&item.event).is_some_and(|place| place > self.subscription.contained)
    }

    /// The newest amounts, if they are newer than the last.
    fn newer_amounts(&mut self) -> Option<Arc<FeedItem>> {
        let item = Arc::clone(&self.subscription.meters.borrow_and_update());
        let batch = batch_of(&item.event).filter(|batch| *batch > self.batch)?;
        self.batch = batch;
        // From the moment that was planned: who was told late once is not told late ever after.
        self.meters_at = Instant::now().max(self.meters_at + METERS_EVERY);
        Some(item)
    }

    fn told(&self, item: Arc<FeedItem>) -> DisplayMessage {
        let audience = match self.pass {
            Some(_) => Audience::Floor,
            None => Audience::Players,
        };
        let item = item.for_audience(audience);
        DisplayMessage::Item(item, Arc::clone(&self.subscription.terms))
    }
}

/// The batch that amounts are as of.
const fn batch_of(event: &FeedEvent) -> Option<u64> {
    match event {
        FeedEvent::Meters { batch, .. } => Some(*batch),
        FeedEvent::Snapshot { .. }
        | FeedEvent::Hit { .. }
        | FeedEvent::HitChanged { .. }
        | FeedEvent::Paid { .. }
        | FeedEvent::LinkState { .. }
        | FeedEvent::TableState { .. } => None,
    }
}

/// Where a happening stands in the journal.
const fn place_of(event: &FeedEvent) -> Option<Place> {
    match event {
        FeedEvent::Hit { place, .. }
        | FeedEvent::HitChanged { place, .. }
        | FeedEvent::Paid { place, .. }
        | FeedEvent::LinkState { place, .. }
        | FeedEvent::TableState { place, .. } => Some(*place),
        FeedEvent::Snapshot { .. } | FeedEvent::Meters { .. } => None,
    }
}

impl Engine {
    /// Listens to a link until `stopping` is cancelled, with what happened after a place if it is not too long ago. With
    /// the `pass` of somebody who may read the link it is the floor's feed, else the players'.
    ///
    /// # Errors
    /// [`Denied`] where too many listen already, there is no such link, or the database can't be asked.
    pub async fn listen(
        &self,
        link: &LinkName,
        after: Option<Place>,
        pass: Option<&str>,
        stopping: CancellationToken,
    ) -> Result<Listener, Denied> {
        let room = self.context.feeds.room()?;
        let since = after.map_or(Since::Now, Since::Place);
        let audience = pass.map_or(Audience::Players, |_| Audience::Floor);
        let feeds = &self.context.feeds;
        let first = feeds.subscribe(link, audience, since).await?;
        let again = {
            let (engine, link) = (self.clone(), link.clone());
            move || {
                let (engine, link) = (engine.clone(), link.clone());
                async move {
                    let feeds = &engine.context.feeds;
                    let since = Since::FellBehind;
                    feeds.subscribe(&link, audience, since).await
                }
            }
        };
        let mut listener = Listener::new(first, again, stopping, Some(room));
        listener.pass = pass.map(|token| Pass {
            engine: self.clone(),
            token: token.to_owned(),
            looked_at: Instant::now(),
        });
        Ok(listener)
    }
}

#[cfg(test)]
mod tests;
