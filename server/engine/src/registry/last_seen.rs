//! The last contact of every table: by commands and heartbeats on this node, by other nodes through the database.
//!
//! # Shape
//! One [`LastSeen`] a table, updated by a few atomic stores, so no command waits. The background task of `liveness`
//! writes the contacts of this node in bulk and reads those of other nodes.
//!
//! # Order
//! Silence is measured on this process's monotonic clock, so a clock that is set can't make a table lost. Silence
//! starts when this node received a message, or read in the database that another node had. The wall clock's time is
//! kept as evidence. Contacts of other nodes arrive with a delay, and not at all during an outage of the database.
//! [`Exchange`] corrects the measured silence for both.
//!
//! # Limits
//! One contact a table.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meterhouse_domain::ids::{LinkId, TableNo, Timestamp};
use meterhouse_store::Contact as Stored;
use tokio::time::Instant;

use crate::clock::micros;

/// The time of a contact that never happened.
const NEVER: i64 = i64::MIN;

/// The last contact of one table.
#[derive(Debug)]
pub(crate) struct LastSeen {
    link: LinkId,
    table: TableNo,
    /// The zero of the times below.
    zero: Instant,
    /// The last contact, in microseconds since `zero`.
    contact: AtomicI64,
    /// The last contact by the wall clock.
    heard_at: AtomicI64,
    /// Set once the table sent a heartbeat.
    heartbeats: AtomicBool,
    /// Set if the last contact was with another node.
    seen_by_other_node: AtomicBool,
    /// Set if the last contact has not been written yet.
    is_unwritten: AtomicBool,
    /// The time until which the table is not reported lost again. [`i64::MAX`] while it is known to be lost.
    not_reported_until: AtomicI64,
}

impl LastSeen {
    fn new(link: LinkId, table: TableNo, zero: Instant) -> Self {
        Self {
            link,
            table,
            zero,
            contact: AtomicI64::new(NEVER),
            heard_at: AtomicI64::new(NEVER),
            heartbeats: AtomicBool::new(false),
            seen_by_other_node: AtomicBool::new(false),
            is_unwritten: AtomicBool::new(false),
            not_reported_until: AtomicI64::new(NEVER),
        }
    }

    pub(crate) const fn table(&self) -> (LinkId, TableNo) {
        (self.link, self.table)
    }

    fn now(&self) -> i64 {
        micros(self.zero.elapsed())
    }

    /// Records a command of the table. `at` is the wall clock's time.
    pub(crate) fn record(&self, received: Instant, at: Timestamp) {
        let contact = received.saturating_duration_since(self.zero);
        self.contact.store(micros(contact), Ordering::Relaxed);
        // The time always increases, even if the clock was set back, so that other nodes notice the contact.
        let known = self.heard_at.load(Ordering::Relaxed);
        let heard_at = at.0.max(known.saturating_add(1));
        self.heard_at.store(heard_at, Ordering::Relaxed);
        self.seen_by_other_node.store(false, Ordering::Relaxed);
        self.not_reported_until.store(NEVER, Ordering::Release);
        self.is_unwritten.store(true, Ordering::Release);
    }

    /// Records a heartbeat of the table.
    pub(crate) fn record_heartbeat(&self, received: Instant, at: Timestamp) {
        self.heartbeats.store(true, Ordering::Relaxed);
        self.record(received, at);
    }

    /// Merges a stored contact, which may be a newer one with another node.
    pub(crate) fn merge(&self, stored: &Stored) {
        if stored.heartbeats {
            self.heartbeats.store(true, Ordering::Relaxed);
        }
        let known = self
            .heard_at
            .fetch_max(stored.heard_at.0, Ordering::Relaxed);
        if known < stored.heard_at.0 {
            self.contact.store(self.now(), Ordering::Relaxed);
            self.seen_by_other_node.store(true, Ordering::Relaxed);
            self.not_reported_until.store(NEVER, Ordering::Release);
        }
    }

    /// Takes the contact to be written, once.
    pub(crate) fn take_unwritten(&self) -> Option<Stored> {
        if !self.is_unwritten.swap(false, Ordering::Acquire) {
            return None;
        }
        Some(Stored {
            link: self.link,
            table: self.table,
            heard_at: self.heard_at()?,
            heartbeats: self.sends_heartbeats(),
        })
    }

    /// Marks the contact to be written again, after a failure.
    pub(crate) fn mark_unwritten(&self) {
        self.is_unwritten.store(true, Ordering::Release);
    }

    /// Returns the time of the last contact by the wall clock, if there was one.
    pub(crate) fn heard_at(&self) -> Option<Timestamp> {
        let at = self.heard_at.load(Ordering::Relaxed);
        (at != NEVER).then_some(Timestamp(at))
    }

    /// Returns `true` if a lost table has to resume by a heartbeat.
    pub(crate) fn sends_heartbeats(&self) -> bool {
        self.heartbeats.load(Ordering::Relaxed)
    }

    /// Returns `true` if the table had contact, has been silent for longer than the limit, and is not known to be lost.
    pub(crate) fn is_silent(&self, limit: Duration, exchange: &Exchange) -> bool {
        let (mut contact, mut limit) = (self.contact.load(Ordering::Relaxed), limit);
        if contact == NEVER {
            return false;
        }
        if self.seen_by_other_node.load(Ordering::Relaxed) {
            let since = exchange.since.saturating_duration_since(self.zero);
            contact = contact.max(micros(since));
            limit += exchange.delay;
        }
        let now = self.now();
        now.saturating_sub(contact) > micros(limit)
            && now > self.not_reported_until.load(Ordering::Relaxed)
    }

    /// Returns the time since the last contact on any node, if there was one.
    pub(crate) fn silence(&self) -> Option<Duration> {
        let contact = self.contact.load(Ordering::Relaxed);
        let silence = u64::try_from(self.now().saturating_sub(contact)).unwrap_or_default();
        (contact != NEVER).then(|| Duration::from_micros(silence))
    }

    /// Records that the table was reported lost since the contact at `heard_at`. A newer contact may have been recorded
    /// meanwhile and cancels the report.
    pub(crate) fn set_reported(&self, heard_at: Timestamp) {
        // The swap orders the two writers: a concurrent `record` either overwrites the value, or its `heard_at` is
        // visible below.
        self.not_reported_until.swap(i64::MAX, Ordering::AcqRel);
        if self.heard_at.load(Ordering::Relaxed) != heard_at.0 {
            self.not_reported_until.store(NEVER, Ordering::Relaxed);
        }
    }

    /// Postpones the report, after a failure.
    pub(crate) fn postpone_report(&self, pause: Duration) {
        let later = self.now().saturating_add(micros(pause));
        self.not_reported_until.store(later, Ordering::Relaxed);
    }
}

/// The exchange of contacts between nodes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Exchange {
    /// The time since which contacts are exchanged without an interruption.
    pub(crate) since: Instant,
    /// The maximum delay of another node's contact.
    pub(crate) delay: Duration,
}

/// The last contacts of all tables, as seen by this process.
#[derive(Debug)]
pub(crate) struct LastSeenTables {
    zero: Instant,
    tables: Mutex<HashMap<(LinkId, TableNo), Arc<LastSeen>>>,
}

impl LastSeenTables {
    pub(crate) fn new() -> Self {
        Self {
            zero: Instant::now(),
            tables: Mutex::default(),
        }
    }

    /// Locks the contacts. No code awaits or panics while the lock is held, so a poisoned lock is ignored.
    fn tables(&self) -> MutexGuard<'_, HashMap<(LinkId, TableNo), Arc<LastSeen>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the last contact of a table.
    pub(crate) fn of(&self, link: LinkId, table: TableNo) -> Arc<LastSeen> {
        let mut tables = self.tables();
        let last_seen = tables
            .entry((link, table))
            .or_insert_with(|| Arc::new(LastSeen::new(link, table, self.zero)));
        Arc::clone(last_seen)
    }

    /// Returns the last contact of a table, if there was one.
    pub(crate) fn find(&self, link: LinkId, table: TableNo) -> Option<Arc<LastSeen>> {
        self.tables().get(&(link, table)).cloned()
    }

    /// Returns the last contacts of all tables.
    pub(crate) fn all(&self) -> Vec<Arc<LastSeen>> {
        self.tables().values().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use meterhouse_domain::ids::{LinkId, TableNo, Timestamp};
    use meterhouse_store::Contact as Stored;
    use tokio::time::Instant;

    use super::{Exchange, LastSeen};

    const LIMIT: Duration = Duration::from_secs(5);

    fn contact() -> LastSeen {
        LastSeen::new(LinkId(1), TableNo(1), Instant::now())
    }

    /// An exchange without delay, since the contact began.
    const fn no_delay(contact: &LastSeen) -> Exchange {
        Exchange {
            since: contact.zero,
            delay: Duration::ZERO,
        }
    }

    /// Lets time pass since the last contact.
    fn pass(contact: &mut LastSeen, time: Duration) {
        contact.zero = contact
            .zero
            .checked_sub(time)
            .expect("the machine runs longer");
    }

    /// Proves CONFORMANCE 46, the part of silent tables: without contact, with contact here, with contact on another node.
    #[test]
    fn silence_is_measured_from_the_last_contact_on_any_node() {
        let mut contact = contact();
        pass(&mut contact, LIMIT * 2);
        assert!(
            !contact.is_silent(LIMIT, &no_delay(&contact)),
            "no contact since it joined"
        );
        assert_eq!(contact.silence(), None);
        contact.record(Instant::now(), Timestamp(7));
        pass(&mut contact, LIMIT / 2);
        assert!(
            !contact.is_silent(LIMIT, &no_delay(&contact)),
            "not longer than the limit"
        );
        pass(&mut contact, LIMIT);
        assert!(contact.is_silent(LIMIT, &no_delay(&contact)));
        assert_eq!(contact.silence().map(|silence| silence > LIMIT), Some(true));
        contact.set_reported(Timestamp(6));
        assert!(
            contact.is_silent(LIMIT, &no_delay(&contact)),
            "a contact while an older silence was reported"
        );
        contact.set_reported(Timestamp(7));
        assert!(
            !contact.is_silent(LIMIT, &no_delay(&contact)),
            "reported once"
        );
        contact.record_heartbeat(Instant::now(), Timestamp(8));
        pass(&mut contact, LIMIT * 2);
        assert!(
            contact.is_silent(LIMIT, &no_delay(&contact)),
            "a contact, then silence again"
        );
        let of_another_node = |at| Stored {
            link: LinkId(1),
            table: TableNo(1),
            heard_at: Timestamp(at),
            heartbeats: false,
        };
        contact.merge(&of_another_node(8));
        assert!(contact.is_silent(LIMIT, &no_delay(&contact)), "nothing new");
        contact.merge(&of_another_node(9));
        assert!(
            !contact.is_silent(LIMIT, &no_delay(&contact)),
            "contact with another node"
        );
        assert!(contact.sends_heartbeats(), "one heartbeat is enough");
    }

    #[test]
    fn a_contact_is_written_once() {
        let contact = contact();
        assert!(contact.take_unwritten().is_none());
        contact.record(Instant::now(), Timestamp(7));
        let unwritten = contact.take_unwritten().expect("a contact");
        assert_eq!(unwritten.heard_at, Timestamp(7));
        assert!(contact.take_unwritten().is_none());
        contact.mark_unwritten();
        assert!(contact.take_unwritten().is_some(), "not written yet");
        // A contact is newer even if the clock was set back.
        contact.record(Instant::now(), Timestamp(3));
        let unwritten = contact.take_unwritten().expect("a contact");
        assert_eq!(unwritten.heard_at, Timestamp(8));
    }

    #[test]
    fn a_failed_report_is_retried_after_a_pause() {
        let mut contact = contact();
        contact.record(Instant::now(), Timestamp(7));
        pass(&mut contact, LIMIT * 2);
        contact.postpone_report(LIMIT);
        assert!(!contact.is_silent(LIMIT, &no_delay(&contact)));
        pass(&mut contact, LIMIT * 2);
        assert!(contact.is_silent(LIMIT, &no_delay(&contact)));
    }

    /// A table that another node serves is not lost because of a delayed or interrupted exchange.
    #[test]
    fn a_delayed_or_interrupted_exchange_loses_no_table() {
        let mut contact = contact();
        contact.merge(&Stored {
            link: LinkId(1),
            table: TableNo(1),
            heard_at: Timestamp(7),
            heartbeats: true,
        });
        pass(&mut contact, LIMIT * 2);
        assert!(contact.is_silent(LIMIT, &no_delay(&contact)));
        let late = Exchange {
            delay: LIMIT * 2,
            ..no_delay(&contact)
        };
        assert!(!contact.is_silent(LIMIT, &late));
        let after_an_outage = Exchange {
            since: Instant::now(),
            delay: Duration::ZERO,
        };
        assert!(!contact.is_silent(LIMIT, &after_an_outage));
        // The newest contact is with this node.
        contact.record(Instant::now(), Timestamp(8));
        pass(&mut contact, LIMIT * 2);
        assert!(contact.is_silent(LIMIT, &late));
    }
}
