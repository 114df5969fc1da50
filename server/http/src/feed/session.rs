//! One connection's life.
//!
//! # Shape
//! [`run`] waits for whichever comes first: the server stops, something happens, the amounts change, a second
//! passes, the display speaks. It writes one message at a time and keeps none: a slow display gets the newest
//! amounts when it can take them, and a new snapshot when it missed happenings.
//!
//! # What bounds it
//! [`METERS_EVERY`], [`HEARTBEAT_EVERY`], [`PING_EVERY`], [`SILENCE_MAX`], [`WRITE_MAX`]; nothing is queued here.
//!
//! # What order holds
//! The snapshot first, then what was missed, then happenings in the journal's order. Amounts never go back: one
//! with a batch that is not newer than the last is left out.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, close_code};
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use meterhouse_domain::link::LinkTerms;
use meterhouse_engine::answer::Denied;
use meterhouse_engine::clock;
use meterhouse_engine::feed::Subscription;
use meterhouse_engine::feed_item::{FeedEvent, FeedItem};
use meterhouse_engine::view::Place;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::message::{heartbeat, text};

/// Between two `meters` of one connection: ten a second are more than eyes read.
const METERS_EVERY: Duration = Duration::from_millis(100);
/// Between two heartbeats: a display shows that it is stale after three seconds without any message.
const HEARTBEAT_EVERY: Duration = Duration::from_secs(1);
/// Between two pings.
const PING_EVERY: Duration = Duration::from_secs(10);
/// A display that has answered nothing for so long is gone.
const SILENCE_MAX: Duration = Duration::from_secs(30);
/// A message that a display doesn't take within this time is its last.
const WRITE_MAX: Duration = Duration::from_secs(10);

const _: () = assert!(2 * PING_EVERY.as_secs() < SILENCE_MAX.as_secs());

/// The connection is over: gone, silent, too slow, or the server stops.
struct Over;

/// What came first.
enum Came {
    Stop,
    Item(Arc<FeedItem>),
    Behind,
    Meters,
    Second,
    Heard(Message),
    Gone,
}

/// A connection.
struct Session<S> {
    socket: S,
    subscription: Subscription,
    terms: Arc<LinkTerms>,
    /// Up to where the last snapshot contains what happened.
    contained: Place,
    /// The batch of the newest amounts that were sent.
    batch: u64,
    /// Before this moment no amounts are sent.
    meters_at: Instant,
    heard_at: Instant,
    pinged_at: Instant,
    seconds: Interval,
}

/// Serves a display until one of the two goes. `again` subscribes anew for one that fell too far behind.
pub(super) async fn run<S, E, A, F>(
    socket: S,
    first: Subscription,
    again: A,
    stopping: CancellationToken,
) where
    S: Stream<Item = Result<Message, E>> + Sink<Message, Error = E> + Unpin + Send,
    E: Send,
    A: Fn() -> F + Send + Sync,
    F: Future<Output = Result<Subscription, Denied>> + Send,
{
    let Some(mut session) = Session::new(socket, first) else {
        return;
    };
    // Why it ended is no matter of the log: displays come and go.
    let _: Result<(), Over> = session.serve(&again, &stopping).await;
}

impl<S, E> Session<S>
where
    S: Stream<Item = Result<Message, E>> + Sink<Message, Error = E> + Unpin,
{
    /// A session on a subscription that begins with a snapshot.
    fn new(socket: S, subscription: Subscription) -> Option<Self> {
        let (terms, contained, batch) = begins(&subscription)?;
        let now = Instant::now();
        let mut seconds = interval_at(now + HEARTBEAT_EVERY, HEARTBEAT_EVERY);
        seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Some(Self {
            socket,
            subscription,
            terms,
            contained,
            batch,
            meters_at: now,
            heard_at: now,
            pinged_at: now,
            seconds,
        })
    }

    async fn serve<A, F>(&mut self, again: &A, stopping: &CancellationToken) -> Result<(), Over>
    where
        A: Fn() -> F,
        F: Future<Output = Result<Subscription, Denied>>,
    {
        self.begin().await?;
        loop {
            match self.next(stopping).await {
                Came::Stop => return self.close().await,
                Came::Item(item) => self.happened(&item).await?,
                Came::Behind => self.begin_again(again().await).await?,
                Came::Meters => self.amounts().await?,
                Came::Second => self.second().await?,
                Came::Heard(Message::Close(_)) | Came::Gone => return Err(Over),
                Came::Heard(_) => self.heard_at = Instant::now(),
            }
        }
    }

    /// Waits for whatever comes first; dropping any of these waits loses nothing.
    async fn next(&mut self, stopping: &CancellationToken) -> Came {
        let Subscription {
            meters, happenings, ..
        } = &mut self.subscription;
        let meters_at = self.meters_at;
        let changed = pin!(async {
            sleep_until(meters_at).await;
            meters.changed().await
        });
        tokio::select! {
            biased;
            () = stopping.cancelled() => Came::Stop,
            item = happenings.recv() => match item {
                Ok(item) => Came::Item(item),
                Err(RecvError::Lagged(_)) => Came::Behind,
                Err(RecvError::Closed) => Came::Stop,
            },
            changed = changed => changed.map_or(Came::Stop, |()| Came::Meters),
            _ = self.seconds.tick() => Came::Second,
            message = self.socket.next() => match message {
                Some(Ok(message)) => Came::Heard(message),
                Some(Err(_)) | None => Came::Gone,
            },
        }
    }

    /// The snapshot, then what was missed.
    async fn begin(&mut self) -> Result<(), Over> {
        let snapshot = Arc::clone(&self.subscription.snapshot);
        self.send_item(&snapshot).await?;
        for item in std::mem::take(&mut self.subscription.missed) {
            self.send_item(&item).await?;
        }
        Ok(())
    }

    async fn begin_again(
        &mut self,
        subscription: Result<Subscription, Denied>,
    ) -> Result<(), Over> {
        let subscription = subscription.map_err(|_| Over)?;
        let (terms, contained, batch) = begins(&subscription).ok_or(Over)?;
        self.subscription = subscription;
        self.terms = terms;
        self.contained = contained;
        self.batch = self.batch.max(batch);
        self.begin().await
    }

    /// Something happened that the snapshot doesn't contain.
    async fn happened(&mut self, item: &FeedItem) -> Result<(), Over> {
        match place_of(&item.event) {
            Some(place) if place > self.contained => self.send_item(item).await,
            Some(_) | None => Ok(()),
        }
    }

    /// The newest amounts, if they are newer than the last.
    async fn amounts(&mut self) -> Result<(), Over> {
        let item = Arc::clone(&self.subscription.meters.borrow_and_update());
        match item.event {
            FeedEvent::Meters { batch, .. } if batch > self.batch => {
                self.batch = batch;
                self.meters_at = Instant::now() + METERS_EVERY;
                self.send_item(&item).await
            }
            FeedEvent::Meters { .. }
            | FeedEvent::Snapshot { .. }
            | FeedEvent::Hit { .. }
            | FeedEvent::HitChanged { .. }
            | FeedEvent::Paid { .. }
            | FeedEvent::LinkState { .. }
            | FeedEvent::TableState { .. } => Ok(()),
        }
    }

    /// A second passed: a heartbeat, now and then a ping, and an end to silence.
    async fn second(&mut self) -> Result<(), Over> {
        let now = Instant::now();
        if now.duration_since(self.heard_at) > SILENCE_MAX {
            return Err(Over);
        }
        if now.duration_since(self.pinged_at) >= PING_EVERY {
            self.pinged_at = now;
            self.send(Message::Ping(Vec::new().into())).await?;
        }
        self.send(Message::text(heartbeat(clock::now()))).await
    }

    async fn close(&mut self) -> Result<(), Over> {
        let reason = "the server stops".into();
        let frame = CloseFrame {
            code: close_code::AWAY,
            reason,
        };
        self.send(Message::Close(Some(frame))).await
    }

    async fn send_item(&mut self, item: &FeedItem) -> Result<(), Over> {
        let text = item.text(|event| text(event, &self.terms));
        self.send(Message::text(&*text)).await
    }

    async fn send(&mut self, message: Message) -> Result<(), Over> {
        match timeout(WRITE_MAX, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Over),
        }
    }
}

/// What a subscription's snapshot says about where it begins.
fn begins(subscription: &Subscription) -> Option<(Arc<LinkTerms>, Place, u64)> {
    match &subscription.snapshot.event {
        FeedEvent::Snapshot { link, place, .. } => {
            Some((Arc::clone(&link.terms), *place, link.batch))
        }
        FeedEvent::Meters { .. }
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

#[cfg(test)]
mod tests;
