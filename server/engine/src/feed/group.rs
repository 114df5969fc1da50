//! A group of displays that are sent the same messages, with one listener for all of them.
//!
//! # Shape
//! A display that was sent what there is joins a group: its own listener ends, and it becomes a [`Member`]. The listener of
//! the group decides the messages and their order. A protocol writes each message to all members, except for those
//! that know it from before they joined ([`Member::takes`]). A member that can't take a message leaves, and gets a
//! listener of its own again.
//!
//! # Limits
//! A member that leaves is owed at most [`NOTABLE_EVENTS_BEHIND_MAX`] events. With more, it gets a new snapshot.
//!
//! # Order
//! A display joins and leaves only while both listeners are at the end of the link's events, at one moment. So no event
//! is left out, and none is sent twice.

use std::collections::VecDeque;
use std::sync::Arc;

use meterhouse_journal::position::Position;
use tokio::sync::broadcast;

use crate::answer::NotExecuted;
use crate::feed::channel::NOTABLE_EVENTS_BEHIND_MAX;
use crate::feed::feed_pass::CheckedPass;
use crate::feed::item::{FeedEvent, FeedItem};
use crate::feed::listener::{Display, DisplayMessage, Listener, batch_of, is_new};
use crate::feed::subscription::Subscription;
use crate::metrics::instruments;

/// The listener of a group of displays.
pub struct Group {
    listener: Listener,
}

/// A display of a group.
pub struct Member {
    /// The position up to which the display was sent the events.
    contained: Position,
    /// The batch of the newest amounts that the display was sent.
    batch: u64,
    /// What the display has to be sent after it has left.
    owed: VecDeque<Arc<FeedItem>>,
    display: Display,
}

impl Group {
    /// Makes a group of one display, whose listener has begun.
    pub fn of(listener: Listener) -> (Self, Member) {
        let own = &listener.display;
        let display = Display {
            resubscribe: Arc::clone(&own.resubscribe),
            stopping: own.stopping.clone(),
            audience: own.audience,
            pass: None,
            writes: own.writes.clone(),
            _permit: None,
        };
        let (contained, batch) = (listener.subscription.contained, listener.batch);
        let (subscription, own) = (listener.subscription, listener.display);
        let mut listener = Listener::of_display(subscription, display);
        listener.batch = batch;
        let member = Member {
            contained,
            batch,
            owed: VecDeque::new(),
            display: own,
        };
        (Self { listener }, member)
    }

    /// Adds a display.
    ///
    /// # Errors
    /// The display's listener, if it listens to another feed, or one of the two was not sent what the other was.
    pub fn join(&mut self, joining: Listener) -> Result<Member, Box<Listener>> {
        let own = &mut self.listener;
        let is_same = own.audience() == joining.audience()
            && (own.subscription.happenings).same_channel(&joining.subscription.happenings);
        let can_join = is_same
            && own.has_begun()
            && joining.has_begun()
            && joining.batch >= own.batch
            && are_level(
                &joining.subscription.happenings,
                &own.subscription.happenings,
            );
        if !can_join {
            return Err(Box::new(joining));
        }
        // What only one of them needs is sent to that one.
        let contained = joining.subscription.contained;
        own.subscription.contained = own.subscription.contained.min(contained);
        Ok(Member {
            contained,
            batch: joining.batch,
            owed: VecDeque::new(),
            display: joining.display,
        })
    }

    /// Waits for the next message to so many members. Cancelling the wait loses nothing.
    ///
    /// # Errors
    /// [`NotExecuted`] if a group that fell behind can't subscribe again. Nothing follows.
    pub async fn next(&mut self, members: usize) -> Result<DisplayMessage, NotExecuted> {
        let message = self.listener.next().await?;
        if let DisplayMessage::Item(item, _) = &message
            && matches!(item.event, FeedEvent::Snapshot { .. })
        {
            // The subscription has recorded one of them.
            let others = u64::try_from(members).unwrap_or_default();
            instruments().record_slow_displays(others.saturating_sub(1));
        }
        Ok(message)
    }

    /// Lets a member go on with a listener of its own, behind what it was sent.
    ///
    /// # Errors
    /// The member, while the group has events to send before. It is owed them: see [`Member::owe`].
    pub fn leave(&self, mut leaving: Box<Member>) -> Result<Listener, Box<Member>> {
        let own = &self.listener.subscription;
        let happenings = own.happenings.resubscribe();
        let is_level = self.listener.has_begun() && own.happenings.is_empty();
        let is_behind = leaving.owed.len() > NOTABLE_EVENTS_BEHIND_MAX;
        let is_over = self.listener.display.stopping.is_cancelled();
        if !(is_level || is_behind || is_over) {
            return Err(leaving);
        }
        let mut meters = own.meters.clone();
        // The member may not have been sent the newest amounts.
        meters.mark_changed();
        let subscription = Subscription {
            terms: Arc::clone(&own.terms),
            beginning: std::mem::take(&mut leaving.owed),
            contained: leaving.contained,
            batch: leaving.batch,
            meters,
            happenings,
            confirmed: Arc::clone(&own.confirmed),
        };
        let mut listener = Listener::of_display(subscription, leaving.display);
        if is_behind {
            listener.subscription.beginning = VecDeque::new();
            listener.subscribe_again();
        }
        Ok(listener)
    }
}

impl Member {
    /// Returns `true` if the display has not received a message of its group.
    fn is_new(&self, item: &FeedItem) -> bool {
        match batch_of(&item.event) {
            Some(batch) => batch > self.batch,
            None => {
                matches!(item.event, FeedEvent::Snapshot { .. })
                    || is_new(&item.event, self.contained)
            }
        }
    }

    /// Returns `true` if the display has not received a message of its group, and records it as sent.
    pub fn takes(&mut self, item: &FeedItem) -> bool {
        let is_new = self.is_new(item);
        if is_new {
            self.record_sent(item);
        }
        is_new
    }

    fn record_sent(&mut self, item: &FeedItem) {
        match &item.event {
            FeedEvent::Snapshot { link, position, .. } => {
                self.contained = *position;
                self.batch = self.batch.max(link.batch);
            }
            FeedEvent::Meters { batch, .. } => self.batch = self.batch.max(*batch),
            FeedEvent::Hit { .. }
            | FeedEvent::HitChanged { .. }
            | FeedEvent::Paid { .. }
            | FeedEvent::LinkState { .. }
            | FeedEvent::TableState { .. }
            | FeedEvent::Presentation { .. } => {}
        }
    }

    /// Records that a member that leaves is owed a message of its group. Amounts are not owed: it gets the newest.
    pub fn owe(&mut self, item: &Arc<FeedItem>) {
        if !self.is_new(item) || batch_of(&item.event).is_some() {
            return;
        }
        if let FeedEvent::Snapshot { .. } = item.event {
            self.owed.clear();
        }
        self.record_sent(item);
        if self.owed.len() <= NOTABLE_EVENTS_BEHIND_MAX {
            self.owed.push_back(Arc::clone(item));
        }
    }

    /// Returns `true` if the pass of the display has ended, or has to be looked up, for which the display leaves.
    pub fn is_check_due(&self) -> bool {
        (self.display.pass.as_ref()).is_some_and(CheckedPass::is_check_due)
    }
}

/// Returns `true` if both receivers of one channel have received what there is, at one moment.
fn are_level<T: Clone>(one: &broadcast::Receiver<T>, other: &broadcast::Receiver<T>) -> bool {
    // The first one is at the end before and after, so nothing came between, and the other one is at the same end.
    one.is_empty() && other.is_empty() && one.is_empty()
}

#[cfg(test)]
mod tests;
