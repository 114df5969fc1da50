//! One watched link: what its displays were sent, and when somebody last saw that it still stands.
//!
//! # Shape
//! [`Channels`] holds one [`Channel`] a watched link. The feed's task looks at the heads and puts the newest amounts
//! here at once; what happened is read beside that, one reading a link at a time, so that a link which has to be waited
//! for holds up no other and not its own amounts either.
//!
//! # Limits
//! [`HAPPENINGS_BEHIND_MAX`] happenings a link, one set of amounts. [`CONFIRMED_MAX`] for how long amounts count as
//! confirmed.
//!
//! # Order
//! Nothing is awaited while the channels are held.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meterhouse_domain::ids::LinkId;
use meterhouse_domain::link::LinkTerms;
use meterhouse_store::HeadRow;
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;

use crate::clock::now;
use crate::feed::displayed_status::DisplayedStatus;
use crate::feed::item::{FeedEvent, FeedItem};
use crate::stored_rows::displayed;
use crate::view::Place;

/// Happenings that a display may be behind.
pub(crate) const HAPPENINGS_BEHIND_MAX: usize = 1_000;
/// Between two sets of amounts of one link, and of one display: ten a second are more than eyes read.
pub(crate) const METERS_EVERY: Duration = Duration::from_millis(100);
/// How long ago a head was seen at most for a heartbeat to say that the amounts stand: with the three seconds after
/// which a display without any message is stale, it shows that the database is away within five.
pub const CONFIRMED_MAX: Duration = Duration::from_secs(2);

/// When somebody last saw that what displays of a link were told still stands.
#[derive(Debug)]
pub struct Confirmed {
    began: Instant,
    /// Microseconds from there.
    after: AtomicU64,
}

impl Confirmed {
    /// Seen right now.
    pub fn now() -> Self {
        Self {
            began: Instant::now(),
            after: AtomicU64::new(0),
        }
    }

    /// Seen again, as of this moment.
    pub fn confirm(&self, seen: Instant) {
        let after = seen.saturating_duration_since(self.began).as_micros();
        let after = u64::try_from(after).unwrap_or(u64::MAX);
        self.after.fetch_max(after, Ordering::Relaxed);
    }

    /// Whether that was at most [`CONFIRMED_MAX`] ago.
    pub fn is_fresh(&self) -> bool {
        let after = Duration::from_micros(self.after.load(Ordering::Relaxed));
        self.began.elapsed() <= after + CONFIRMED_MAX
    }
}

/// What happened behind a place.
#[derive(Default)]
pub(crate) struct Read {
    pub(crate) events: Vec<FeedEvent>,
    /// Whether there were too many of them to be read.
    pub(crate) is_missing: bool,
    /// Whether the link's state may be another one.
    pub(crate) may_change_status: bool,
    /// The batch up to which its state was looked at, if it was.
    pub(crate) known_through: u64,
}

/// Where a display begins to listen.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Since {
    /// Now: it was told nothing before.
    Now,
    /// Behind a place that it was told.
    Place(Place),
    /// Now, having missed what it could not be told in time.
    FellBehind,
}

impl Read {
    /// Leaves out what displays know already, and remembers the rest as told.
    pub(crate) fn tell(&mut self, told: &mut DisplayedStatus) {
        self.events.retain(|event| !told.knows(event));
        for event in &self.events {
            told.tell(event);
        }
    }
}

/// One watched link.
pub(crate) struct Channel {
    pub(crate) terms: Arc<LinkTerms>,
    pub(crate) meters: watch::Sender<Arc<FeedItem>>,
    pub(crate) happenings: broadcast::Sender<Arc<FeedItem>>,
    pub(crate) confirmed: Arc<Confirmed>,
    /// Up to here everything was sent.
    pub(crate) sent: u64,
    /// What was told of the link's state; nothing before its first snapshot.
    pub(crate) standing: Option<DisplayedStatus>,
    meters_sent: u64,
    meters_at: Instant,
    /// Whether what happened is being read.
    is_reading: bool,
}

/// A head, and when it was asked for.
#[derive(Clone)]
pub(crate) struct HeadObservation {
    pub(crate) head: HeadRow,
    /// The look that it belongs to, as it was planned.
    pub(crate) look: Instant,
    /// When the database was asked.
    pub(crate) asked: Instant,
}

/// What happened since a channel's last happening is to be read.
pub(crate) struct PendingRead {
    pub(crate) terms: Arc<LinkTerms>,
    pub(crate) sent: u64,
    pub(crate) standing: Option<DisplayedStatus>,
    /// Which channel began it: by the time it ends there may be another one of the same link.
    confirmed: Arc<Confirmed>,
}

/// The watched links of this process.
#[derive(Default)]
pub(crate) struct Channels {
    all: Mutex<HashMap<LinkId, Channel>>,
}

impl Channels {
    /// Nothing is awaited while this is held, and no code under it can panic half way.
    pub(crate) fn lock(&self) -> MutexGuard<'_, HashMap<LinkId, Channel>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The links that anybody watches; the others are forgotten.
    pub(crate) fn watched(&self) -> Vec<LinkId> {
        let mut channels = self.lock();
        channels.retain(|_, channel| channel.is_watched());
        channels.keys().copied().collect()
    }

    /// What a head says: where nothing happened its amounts are confirmed; otherwise what is to be read first, unless
    /// that is under way. Amounts wait for that only once.
    pub(crate) fn look(&self, seen: &HeadObservation) -> Option<PendingRead> {
        let mut channels = self.lock();
        let channel = channels.get_mut(&seen.head.link)?;
        if channel.is_reading {
            channel.show(seen);
            return None;
        }
        if seen.head.batch <= channel.sent {
            channel.show(seen);
            channel.confirmed.confirm(seen.asked);
            return None;
        }
        channel.is_reading = true;
        Some(PendingRead {
            terms: Arc::clone(&channel.terms),
            sent: channel.sent,
            standing: channel.standing.clone(),
            confirmed: Arc::clone(&channel.confirmed),
        })
    }

    /// A reading has ended. Where it failed, the amounts are shown all the same, but nothing is confirmed.
    pub(crate) fn end(&self, seen: &HeadObservation, reading: &PendingRead, read: Option<Read>) {
        let mut channels = self.lock();
        let Some(channel) = channels.get_mut(&seen.head.link) else {
            return;
        };
        if !Arc::ptr_eq(&channel.confirmed, &reading.confirmed) {
            return;
        }
        channel.is_reading = false;
        // A snapshot was given away meanwhile: what it says is to be compared as well, at the next look.
        let has_begun = reading.standing.is_none() && channel.standing.is_some();
        if let Some(read) = read.filter(|_| !has_begun) {
            channel.send(read.events);
            if let Some(standing) = &mut channel.standing {
                standing.is_as_of(read.known_through);
            }
            channel.sent = channel.sent.max(seen.head.batch).max(read.known_through);
            channel.confirmed.confirm(seen.asked);
        }
        channel.show(seen);
    }
}

impl Channel {
    pub(crate) fn new(head: &HeadRow, terms: &Arc<LinkTerms>) -> Self {
        Self {
            terms: Arc::clone(terms),
            meters: watch::Sender::new(meters_of(head, terms)),
            happenings: broadcast::Sender::new(HAPPENINGS_BEHIND_MAX),
            confirmed: Arc::new(Confirmed::now()),
            sent: head.batch,
            standing: None,
            meters_sent: head.batch,
            meters_at: Instant::now(),
            is_reading: false,
        }
    }

    /// Checks whether a display watches the link, or a table on it follows its hits.
    fn is_watched(&self) -> bool {
        self.meters.receiver_count() + self.happenings.receiver_count() > 0
    }

    /// Sends happenings, in order.
    pub(crate) fn send(&mut self, events: Vec<FeedEvent>) {
        for event in events {
            if let Some(standing) = &mut self.standing {
                standing.tell(&event);
            }
            // Nobody listens: then nobody misses it.
            drop(self.happenings.send(Arc::new(FeedItem::new(event))));
        }
    }

    /// Shows the amounts of a head, if they are newer and due.
    fn show(&mut self, seen: &HeadObservation) {
        let HeadObservation { head, look, .. } = seen;
        // From look to look, as they were planned: what the question took would make every second interval longer.
        if head.batch > self.meters_sent
            && look.saturating_duration_since(self.meters_at) >= METERS_EVERY
        {
            self.meters_sent = head.batch;
            self.meters_at = *look;
            drop(self.meters.send(meters_of(head, &self.terms)));
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

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_nobody_has_seen_for_long_is_confirmed_no_more() {
        let confirmed = Confirmed::now();
        advance(CONFIRMED_MAX).await;
        assert!(confirmed.is_fresh());
        let seen = Instant::now();
        advance(Duration::from_millis(1)).await;
        assert!(!confirmed.is_fresh());
        confirmed.confirm(seen);
        assert!(confirmed.is_fresh());
        // An older look that ends later takes nothing back.
        confirmed.confirm(seen - Duration::from_secs(1));
        assert!(confirmed.is_fresh());
    }
}
