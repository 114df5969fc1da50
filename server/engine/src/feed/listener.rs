//! The listener of one display, independent of the protocol.
//!
//! # Shape
//! [`Listener::next`] waits for the next message to send. A protocol (WebSocket, gRPC) sends the message and adds only
//! what its connection needs.
//!
//! # Limits
//! [`METERS_EVERY`], [`HEARTBEAT_EVERY`], and [`FEEDS_MAX`](crate::feed::feeds::FEEDS_MAX) concurrent displays. Nothing
//! is queued here (backpressure). A slow display gets the newest amounts when it can take them, and a new snapshot if
//! it missed events.
//!
//! # Order
//! The snapshot first, then missed events, then new events in the journal's order. Amounts never go back: those of a
//! batch that is not newer than the last one are left out.

use meterhouse_journal::position::Position;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::{LinkName, Timestamp};
use meterhouse_domain::link::LinkTerms;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::answer::NotExecuted;
use crate::clock;
use crate::context::Engine;
use crate::feed::audience::Audience;
use crate::feed::channel::{METERS_EVERY, Since};
use crate::feed::feed_pass::{CheckedPass, FeedPass};
use crate::feed::item::{FeedEvent, FeedItem};
use crate::feed::subscription::Subscription;
use crate::feed::writes::Writes;
use crate::metrics::instruments;

/// Interval between two heartbeats. A display is stale after three seconds without any message. No heartbeat is sent
/// while the amounts can't be confirmed ([`CONFIRMED_MAX`](crate::feed::channel::CONFIRMED_MAX)).
pub const HEARTBEAT_EVERY: Duration = Duration::from_secs(1);

/// A message to a display.
#[derive(Clone, Debug)]
pub enum DisplayMessage {
    /// A message of the feed, and the terms of its link.
    Item(Arc<FeedItem>, Arc<LinkTerms>),
    /// The amounts are confirmed, at the server's time.
    Heartbeat(Timestamp),
    /// A second passed without a confirmation. Nothing is sent, and the display marks itself stale.
    Unconfirmed,
    /// The token or the session of the feed is no longer valid. Nothing follows.
    Refused,
    /// The server stops. Nothing follows.
    Stopping,
}

/// A subscription under way.
pub(super) type PendingSubscription =
    Pin<Box<dyn Future<Output = Result<Subscription, NotExecuted>> + Send>>;

/// The first of the events for which a listener waits.
enum Wakeup {
    Stop,
    Resubscribed(Result<Subscription, NotExecuted>),
    Item(Arc<FeedItem>),
    Behind,
    Meters,
    Tick,
}

/// The listener of one display, or of a [`Group`](crate::feed::group::Group) of them.
pub struct Listener {
    pub(super) subscription: Subscription,
    /// The new subscription, while it is under way.
    pub(super) resubscribing: Option<PendingSubscription>,
    /// The batch of the newest amounts that were returned.
    pub(super) batch: u64,
    /// The time before which no amounts are returned.
    meters_at: Instant,
    seconds: Interval,
    pub(super) display: Display,
}

/// What a display has of its own, whichever listener it has.
pub(super) struct Display {
    /// Subscribes again after the display fell too far behind.
    pub(super) resubscribe: Arc<dyn Fn() -> PendingSubscription + Send + Sync>,
    pub(super) stopping: CancellationToken,
    pub(super) audience: Audience,
    /// The pass of the feed. Without one, the feed is the players', and ends with nothing.
    pub(super) pass: Option<CheckedPass>,
    /// The messages of all displays of this process.
    pub(super) writes: Writes,
    /// The permit of the display, held until its feed ends.
    pub(super) _permit: Option<OwnedSemaphorePermit>,
}

impl Listener {
    /// Returns a listener on a subscription. `again` subscribes again after the display fell too far behind, `stopping`
    /// ends the listener, and `permit` is held as long as the listener.
    pub fn new<A, F>(
        first: Subscription,
        again: A,
        stopping: CancellationToken,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Self
    where
        A: Fn() -> F + Send + Sync + 'static,
        F: Future<Output = Result<Subscription, NotExecuted>> + Send + 'static,
    {
        let display = Display {
            resubscribe: Arc::new(move || Box::pin(again())),
            stopping,
            audience: Audience::Players,
            pass: None,
            writes: Writes::default(),
            _permit: permit,
        };
        Self::of_display(first, display)
    }

    /// Returns the listener of a display on a subscription.
    pub(super) fn of_display(subscription: Subscription, display: Display) -> Self {
        let now = Instant::now();
        let mut seconds = interval_at(now + HEARTBEAT_EVERY, HEARTBEAT_EVERY);
        seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            batch: subscription.batch,
            subscription,
            resubscribing: None,
            meters_at: now,
            seconds,
            display,
        }
    }

    /// Returns the wait for the display to take a message.
    pub fn writes(&self) -> Writes {
        self.display.writes.clone()
    }

    /// Returns the link.
    pub fn link(&self) -> &LinkName {
        &self.subscription.terms.name
    }

    /// Returns the audience.
    pub const fn audience(&self) -> Audience {
        self.display.audience
    }

    /// Returns `true` if the display was sent what it begins with, and is not about to end.
    pub fn can_join(&self) -> bool {
        self.has_begun() && !self.display.stopping.is_cancelled()
    }

    /// Returns `true` if no message is left of those with which the subscription begins.
    pub(super) fn has_begun(&self) -> bool {
        self.subscription.beginning.is_empty() && self.resubscribing.is_none()
    }

    /// Waits for the next message. Cancelling the wait loses nothing.
    ///
    /// # Errors
    /// [`NotExecuted`] if a display that fell behind can't subscribe again. Nothing follows.
    pub async fn next(&mut self) -> Result<DisplayMessage, NotExecuted> {
        loop {
            if self.display.stopping.is_cancelled() {
                return Ok(DisplayMessage::Stopping);
            }
            if self.has_ended() {
                return Ok(DisplayMessage::Refused);
            }
            if let Some(item) = self.subscription.next_beginning() {
                return Ok(self.message(item));
            }
            let wakeup = self.wakeup().await;
            if self.has_ended() {
                return Ok(DisplayMessage::Refused);
            }
            match wakeup {
                Wakeup::Stop => return Ok(DisplayMessage::Stopping),
                Wakeup::Resubscribed(subscription) => self.replace_subscription(subscription?),
                Wakeup::Behind => self.subscribe_again(),
                Wakeup::Item(item) if is_new(&item.event, self.subscription.contained) => {
                    return Ok(self.message(item));
                }
                Wakeup::Item(_) => {}
                Wakeup::Meters => {
                    if let Some(item) = self.newer_amounts() {
                        return Ok(self.message(item));
                    }
                }
                Wakeup::Tick if !self.is_allowed().await => return Ok(DisplayMessage::Refused),
                Wakeup::Tick if self.subscription.confirmed.is_fresh() => {
                    return Ok(DisplayMessage::Heartbeat(clock::now()));
                }
                Wakeup::Tick => return Ok(DisplayMessage::Unconfirmed),
            }
        }
    }

    /// Waits for the first event. Cancelling the wait loses nothing.
    async fn wakeup(&mut self) -> Wakeup {
        if let Some(pending) = &mut self.resubscribing {
            let subscription = tokio::select! {
                biased;
                () = self.display.stopping.cancelled() => return Wakeup::Stop,
                subscription = pending => subscription,
            };
            self.resubscribing = None;
            return Wakeup::Resubscribed(subscription);
        }
        let Subscription {
            meters, happenings, ..
        } = &mut self.subscription;
        let meters_at = self.meters_at;
        let changed = pin!(async {
            // The change is awaited before the time. The time has usually passed by then, so thousands of displays need
            // no timer.
            meters.changed().await?;
            // If the wait is cancelled from here on, the next one finds the change again.
            meters.mark_changed();
            if Instant::now() < meters_at {
                sleep_until(meters_at).await;
            }
            Ok::<(), watch::error::RecvError>(())
        });
        tokio::select! {
            biased;
            () = self.display.stopping.cancelled() => Wakeup::Stop,
            item = happenings.recv() => match item {
                Ok(item) => Wakeup::Item(item),
                Err(RecvError::Lagged(_)) => Wakeup::Behind,
                Err(RecvError::Closed) => Wakeup::Stop,
            },
            changed = changed => changed.map_or(Wakeup::Stop, |()| Wakeup::Meters),
            _ = self.seconds.tick() => Wakeup::Tick,
        }
    }

    /// Returns `true` if the pass of the feed is known to have ended.
    fn has_ended(&self) -> bool {
        (self.display.pass.as_ref()).is_some_and(CheckedPass::has_ended)
    }

    /// Returns `true` if the feed is public, or its pass is still valid.
    pub async fn is_allowed(&mut self) -> bool {
        match &mut self.display.pass {
            Some(pass) => pass.is_valid().await,
            None => true,
        }
    }

    /// Begins a new subscription, because the display fell too far behind.
    pub(super) fn subscribe_again(&mut self) {
        self.resubscribing = Some((self.display.resubscribe)());
    }

    fn replace_subscription(&mut self, subscription: Subscription) {
        self.batch = self.batch.max(subscription.batch);
        self.subscription = subscription;
    }

    /// Returns the newest amounts, if they are newer than the last ones.
    fn newer_amounts(&mut self) -> Option<Arc<FeedItem>> {
        let item = Arc::clone(&self.subscription.meters.borrow_and_update());
        let batch = batch_of(&item.event).filter(|batch| *batch > self.batch)?;
        self.batch = batch;
        // Schedules from the planned time, so that one delay does not accumulate.
        self.meters_at = Instant::now().max(self.meters_at + METERS_EVERY);
        Some(item)
    }

    fn message(&self, item: Arc<FeedItem>) -> DisplayMessage {
        let item = item.for_audience(self.display.audience);
        DisplayMessage::Item(item, Arc::clone(&self.subscription.terms))
    }
}

/// Returns `true` if a snapshot that contains the events up to a position does not contain this one. A presentation is no
/// event of the journal, and is sent in any case: the newest one is sent last.
pub(super) fn is_new(event: &FeedEvent, contained: Position) -> bool {
    if let FeedEvent::Presentation { .. } = event {
        return true;
    }
    position_of(event).is_some_and(|position| position > contained)
}

/// Returns the batch of a message with amounts.
pub(super) const fn batch_of(event: &FeedEvent) -> Option<u64> {
    match event {
        FeedEvent::Meters { batch, .. } => Some(*batch),
        FeedEvent::Snapshot { .. }
        | FeedEvent::Hit { .. }
        | FeedEvent::HitChanged { .. }
        | FeedEvent::Paid { .. }
        | FeedEvent::LinkState { .. }
        | FeedEvent::TableState { .. }
        | FeedEvent::Presentation { .. } => None,
    }
}

/// Returns the position of a notable event in the journal.
const fn position_of(event: &FeedEvent) -> Option<Position> {
    match event {
        FeedEvent::Hit { position, .. }
        | FeedEvent::HitChanged { position, .. }
        | FeedEvent::Paid { position, .. }
        | FeedEvent::LinkState { position, .. }
        | FeedEvent::TableState { position, .. } => Some(*position),
        FeedEvent::Snapshot { .. } | FeedEvent::Meters { .. } | FeedEvent::Presentation { .. } => {
            None
        }
    }
}

impl Engine {
    /// Listens to a link until `stopping` is cancelled, beginning with the events after a position if there are not too
    /// many. With the `pass` of a person who may read the link, the feed is the floor's, otherwise the players'. It ends
    /// with the pass.
    ///
    /// # Errors
    /// [`NotExecuted`] if too many displays listen, there is no such link, or the database can't be queried.
    pub async fn listen(
        &self,
        link: &LinkName,
        after: Option<Position>,
        pass: Option<FeedPass>,
        stopping: CancellationToken,
    ) -> Result<Listener, NotExecuted> {
        let displays = self.context.feeds.displays();
        let permit = displays.permit()?;
        let since = after.map_or(Since::Now, Since::After);
        let audience = pass.as_ref().map_or(Audience::Players, FeedPass::audience);
        let feeds = &self.context.feeds;
        let first = feeds.subscribe(link, audience, since).await?;
        let again = {
            let (engine, link) = (self.clone(), link.clone());
            move || {
                let (engine, link) = (engine.clone(), link.clone());
                async move {
                    instruments().record_slow_displays(1);
                    let feeds = &engine.context.feeds;
                    let since = Since::FellBehind;
                    feeds.subscribe(&link, audience, since).await
                }
            }
        };
        let mut listener = Listener::new(first, again, stopping, Some(permit));
        listener.display.writes = displays.writes();
        listener.display.audience = audience;
        listener.display.pass = pass.map(|pass| CheckedPass::new(self.clone(), pass));
        Ok(listener)
    }
}

#[cfg(test)]
pub(super) mod tests;
