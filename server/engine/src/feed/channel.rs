//! The channel of one watched link: what was sent to its displays, and the time of its last confirmation.
//!
//! # Shape
//! [`Channels`] has one [`Channel`] per watched link. The feed's task observes the heads and publishes the newest
//! amounts here, at most every [`METERS_EVERY`] (conflation). Notable events are read concurrently, by one read per
//! link, so that a slow link delays neither the others nor its own amounts.
//!
//! # Limits
//! [`NOTABLE_EVENTS_BEHIND_MAX`] notable events a link, one set of amounts. Amounts count as confirmed for
//! [`CONFIRMED_MAX`].
//!
//! # Order
//! No code awaits while the channels are locked.

use meterhouse_journal::position::Position;
use meterhouse_journal::seal::SealKey;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meterhouse_domain::ids::LinkId;
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::presentation::LinkPresentation;
use meterhouse_store::HeadRow;
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;

use crate::clock::now;
use crate::feed::displayed_status::DisplayedStatus;
use crate::feed::item::{FeedEvent, FeedItem};
use crate::metrics::instruments;
use crate::stored_rows::displayed;
use crate::trace;

/// Maximum number of notable events that a display may be behind.
pub(crate) const NOTABLE_EVENTS_BEHIND_MAX: usize = 1_000;
/// Interval between two sets of amounts of one link, and of one display: ten a second are more than eyes can read.
pub(crate) const METERS_EVERY: Duration = Duration::from_millis(100);
/// Maximum age of a head for a heartbeat to confirm the amounts. A display is stale after three seconds without a
/// message, so an outage of the database is visible within five.
pub const CONFIRMED_MAX: Duration = Duration::from_secs(2);

/// The last confirmation of what was sent to the displays of a link.
#[derive(Debug)]
pub struct Confirmed {
    began: Instant,
    /// Microseconds since `began`.
    after: AtomicU64,
}

impl Confirmed {
    /// Returns a confirmation as of now.
    pub fn now() -> Self {
        Self {
            began: Instant::now(),
            after: AtomicU64::new(0),
        }
    }

    /// Confirms what was sent as of `seen`.
    pub fn confirm(&self, seen: Instant) {
        let after = seen.saturating_duration_since(self.began).as_micros();
        let after = u64::try_from(after).unwrap_or(u64::MAX);
        self.after.fetch_max(after, Ordering::Relaxed);
    }

    /// Returns the age of the last confirmation.
    pub(crate) fn age(&self) -> Duration {
        let after = Duration::from_micros(self.after.load(Ordering::Relaxed));
        self.began.elapsed().saturating_sub(after)
    }

    /// Returns `true` if the last confirmation is at most [`CONFIRMED_MAX`] old.
    pub fn is_fresh(&self) -> bool {
        let after = Duration::from_micros(self.after.load(Ordering::Relaxed));
        self.began.elapsed() <= after + CONFIRMED_MAX
    }
}

/// The notable events read after a position.
#[derive(Default)]
pub(crate) struct NewEvents {
    pub(crate) events: Vec<FeedEvent>,
    /// Set if there were too many events to be read.
    pub(crate) is_missing: bool,
    /// Set if the link's status may have changed.
    pub(crate) may_change_status: bool,
    /// The batch as of which the status was compared; 0 if it was not.
    pub(crate) known_through: u64,
}

/// The position from which a display begins.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Since {
    /// The present. Nothing was sent to the display before.
    Now,
    /// A position up to which the display has received everything.
    After(Position),
    /// The present. The display has missed events.
    FellBehind,
}

impl NewEvents {
    /// Removes the status changes that displays have received, and records the rest as sent.
    pub(crate) fn keep_unsent(&mut self, sent: &mut DisplayedStatus) {
        self.events.retain(|event| !sent.contains(event));
        for event in &self.events {
            sent.record(event);
        }
    }
}

/// The channel of one watched link.
pub(crate) struct Channel {
    pub(crate) terms: Arc<LinkTerms>,
    seal_key: SealKey,
    pub(crate) meters: watch::Sender<Arc<FeedItem>>,
    pub(crate) events: broadcast::Sender<Arc<FeedItem>>,
    pub(crate) confirmed: Arc<Confirmed>,
    /// The presentation that displays were last sent. Empty before the first snapshot.
    pub(crate) presentation: Option<LinkPresentation>,
    /// The batch up to which everything was sent.
    pub(crate) sent: u64,
    /// The status that displays were last sent. Empty before the first snapshot.
    pub(crate) status: Option<DisplayedStatus>,
    meters_sent: u64,
    meters_at: Instant,
    /// The time at which a batch with newer amounts was first seen.
    newer_since: Option<Instant>,
    /// Set while notable events are read.
    is_reading: bool,
}

/// A head, and the times of its query.
#[derive(Clone)]
pub(crate) struct HeadObservation {
    pub(crate) head: HeadRow,
    /// The planned time of the query.
    pub(crate) planned: Instant,
    /// The actual time of the query.
    pub(crate) queried: Instant,
}

/// A read of the notable events since the last one sent.
pub(crate) struct PendingRead {
    pub(crate) terms: Arc<LinkTerms>,
    pub(crate) sent: u64,
    pub(crate) status: Option<DisplayedStatus>,
    /// The identity of the channel that began the read. By the end of the read, the link may have another channel.
    confirmed: Arc<Confirmed>,
}

/// The channels of the watched links of this process.
#[derive(Default)]
pub(crate) struct Channels {
    all: Mutex<HashMap<LinkId, Channel>>,
}

impl Channels {
    /// Locks the channels. No code awaits or panics while the lock is held, so a poisoned lock is ignored.
    pub(crate) fn lock(&self) -> MutexGuard<'_, HashMap<LinkId, Channel>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the age of the oldest confirmation of a watched link's amounts.
    pub(crate) fn oldest_confirmation(&self) -> Duration {
        let channels = self.lock();
        let ages = channels.values().map(|channel| channel.confirmed.age());
        ages.max().unwrap_or_default()
    }

    /// Returns the watched links and drops the channels of the others.
    pub(crate) fn watched(&self) -> Vec<LinkId> {
        let mut channels = self.lock();
        channels.retain(|_, channel| channel.is_watched());
        channels.keys().copied().collect()
    }

    /// Processes an observed head. An unchanged head confirms the amounts. A moved head begins a read, and its
    /// amounts are published after the read. Amounts of heads observed during a read don't wait for it.
    pub(crate) fn observe(&self, observed: &HeadObservation) -> Option<PendingRead> {
        let mut channels = self.lock();
        let channel = channels.get_mut(&observed.head.link)?;
        if channel.is_reading {
            channel.publish_amounts(observed);
            return None;
        }
        if observed.head.batch <= channel.sent {
            channel.publish_amounts(observed);
            channel.confirmed.confirm(observed.queried);
            return None;
        }
        channel.is_reading = true;
        Some(PendingRead {
            terms: Arc::clone(&channel.terms),
            sent: channel.sent,
            status: channel.status.clone(),
            confirmed: Arc::clone(&channel.confirmed),
        })
    }

    /// Ends a read. After a failed read the amounts are published, but nothing is confirmed.
    pub(crate) fn end_read(
        &self,
        observed: &HeadObservation,
        pending: &PendingRead,
        new: Option<NewEvents>,
    ) {
        let mut channels = self.lock();
        let Some(channel) = channels.get_mut(&observed.head.link) else {
            return;
        };
        if !Arc::ptr_eq(&channel.confirmed, &pending.confirmed) {
            return;
        }
        channel.is_reading = false;
        // The first snapshot was sent during the read, with a status that is compared after the next head.
        let has_begun = pending.status.is_none() && channel.status.is_some();
        if let Some(new) = new.filter(|_| !has_begun) {
            channel.send(new.events);
            if let Some(status) = &mut channel.status {
                status.advance_to(new.known_through);
            }
            channel.sent = channel.sent.max(observed.head.batch).max(new.known_through);
            channel.confirmed.confirm(observed.queried);
        }
        channel.publish_amounts(observed);
    }
}

impl Channel {
    pub(crate) fn new(head: &HeadRow, terms: &Arc<LinkTerms>, seal_key: &SealKey) -> Self {
        Self {
            terms: Arc::clone(terms),
            seal_key: seal_key.clone(),
            meters: watch::Sender::new(meters_of(head, terms, seal_key)),
            events: broadcast::Sender::new(NOTABLE_EVENTS_BEHIND_MAX),
            confirmed: Arc::new(Confirmed::now()),
            presentation: None,
            sent: head.batch,
            status: None,
            meters_sent: head.batch,
            meters_at: Instant::now(),
            newer_since: None,
            is_reading: false,
        }
    }

    /// Returns `true` if a display watches the link, or a stream follows the hits of its tables.
    fn is_watched(&self) -> bool {
        self.meters.receiver_count() + self.events.receiver_count() > 0
    }

    /// Sends notable events, in order.
    pub(crate) fn send(&mut self, events: Vec<FeedEvent>) {
        for event in events {
            if let Some(status) = &mut self.status {
                status.record(&event);
            }
            // An error means that there are no receivers.
            drop(self.events.send(Arc::new(FeedItem::new(event))));
        }
    }

    /// Publishes the amounts of a head, if they are newer and due.
    fn publish_amounts(&mut self, observed: &HeadObservation) {
        let HeadObservation {
            head,
            planned,
            queried,
        } = observed;
        if head.batch <= self.meters_sent {
            return;
        }
        let since = *self.newer_since.get_or_insert(*queried);
        // The interval is measured between planned times. With actual times, a slow query would lengthen every second
        // interval.
        if planned.saturating_duration_since(self.meters_at) >= METERS_EVERY {
            instruments().record_feed_lag(since.elapsed());
            self.newer_since = None;
            self.meters_sent = head.batch;
            self.meters_at = *planned;
            let item = meters_of(head, &self.terms, &self.seal_key);
            drop(self.meters.send(item));
            trace::published(head.link, head.batch);
        }
    }
}

fn meters_of(head: &HeadRow, terms: &LinkTerms, seal_key: &SealKey) -> Arc<FeedItem> {
    let displayed = displayed(&head.balances, terms.content().levels.len());
    let at = now();
    Arc::new(FeedItem::new(FeedEvent::Meters {
        batch: head.batch,
        displayed,
        at,
        seal: seal_key.of_link(&terms.name, head.batch, &head.chain_hash, at),
    }))
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_confirmation_is_fresh_for_a_limited_time() {
        let confirmed = Confirmed::now();
        advance(CONFIRMED_MAX).await;
        assert!(confirmed.is_fresh());
        let seen = Instant::now();
        advance(Duration::from_millis(1)).await;
        assert!(!confirmed.is_fresh());
        confirmed.confirm(seen);
        assert!(confirmed.is_fresh());
        // An older observation does not shorten the confirmation.
        confirmed.confirm(seen - Duration::from_secs(1));
        assert!(confirmed.is_fresh());
    }
}
