//! When tables were heard: by their commands and heartbeats here, by other nodes through the database.
//!
//! # Shape
//! One [`LastSeen`] a table, noted by a few atomic stores: nothing on a command's way waits. What was heard here is
//! written in bulk, what other nodes heard is read back, both by the task of `sweeper`.
//!
//! # Order
//! Silence is measured on this process's own monotonic clock, from when it heard the table itself or saw in the
//! database that another node had: no clock that is set can make a table lost. The wall clock's time is kept beside
//! it, as evidence. What other nodes heard comes a little later, and not at all while the database is away: what that
//! costs is no silence (see [`Exchange`]).
//!
//! # Limits
//! One contact a table of the house.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meterhouse_domain::ids::{LinkId, TableNo, Timestamp};
use meterhouse_store::Contact as Stored;
use tokio::time::Instant;

/// No moment: nothing was heard.
const NEVER: i64 = i64::MIN;

/// When one table was heard.
#[derive(Debug)]
pub(crate) struct LastSeen {
    link: LinkId,
    table: TableNo,
    /// When these contacts began: the zero of the moments below.
    zero: Instant,
    /// When it was heard last, in microseconds of this process.
    heard: AtomicI64,
    /// The same by the wall clock.
    heard_at: AtomicI64,
    /// Whether it ever sent a heartbeat.
    heartbeats: AtomicBool,
    /// Whether another node heard it last.
    elsewhere: AtomicBool,
    /// Whether something was heard here that is not written yet.
    is_new: AtomicBool,
    /// Not before this moment it is reported lost again; [`i64::MAX`] while it is known to be.
    reported: AtomicI64,
}

impl LastSeen {
    fn new(link: LinkId, table: TableNo, zero: Instant) -> Self {
        Self {
            link,
            table,
            zero,
            heard: AtomicI64::new(NEVER),
            heard_at: AtomicI64::new(NEVER),
            heartbeats: AtomicBool::new(false),
            elsewhere: AtomicBool::new(false),
            is_new: AtomicBool::new(false),
            reported: AtomicI64::new(NEVER),
        }
    }

    /// The table.
    pub(crate) const fn table(&self) -> (LinkId, TableNo) {
        (self.link, self.table)
    }

    fn now(&self) -> i64 {
        micros(self.zero.elapsed())
    }

    /// A command of the table came: at this moment, which the wall clock called `at`.
    pub(crate) fn hear(&self, received: Instant, at: Timestamp) {
        let heard = received.saturating_duration_since(self.zero);
        self.heard.store(micros(heard), Ordering::Relaxed);
        // It always moves: by that other nodes see that the table was heard, also where a clock was set back.
        let known = self.heard_at.load(Ordering::Relaxed);
        let heard_at = at.0.max(known.saturating_add(1));
        self.heard_at.store(heard_at, Ordering::Relaxed);
        self.elsewhere.store(false, Ordering::Relaxed);
        self.reported.store(NEVER, Ordering::Release);
        self.is_new.store(true, Ordering::Release);
    }

    /// A heartbeat came.
    pub(crate) fn hear_heartbeat(&self, received: Instant, at: Timestamp) {
        self.heartbeats.store(true, Ordering::Relaxed);
        self.hear(received, at);
    }

    /// What the database says: another node may have heard it since.
    pub(crate) fn follow(&self, stored: &Stored) {
        if stored.heartbeats {
            self.heartbeats.store(true, Ordering::Relaxed);
        }
        let known = self
            .heard_at
            .fetch_max(stored.heard_at.0, Ordering::Relaxed);
        if known < stored.heard_at.0 {
            self.heard.store(self.now(), Ordering::Relaxed);
            self.elsewhere.store(true, Ordering::Relaxed);
            self.reported.store(NEVER, Ordering::Release);
        }
    }

    /// What has to be written, once.
    pub(crate) fn take_new(&self) -> Option<Stored> {
        if !self.is_new.swap(false, Ordering::Acquire) {
            return None;
        }
        Some(Stored {
            link: self.link,
            table: self.table,
            heard_at: self.heard_at()?,
            heartbeats: self.sends_heartbeats(),
        })
    }

    /// It could not be written: it has to be again.
    pub(crate) fn keep_new(&self) {
        self.is_new.store(true, Ordering::Release);
    }

    /// When it was heard last, by the wall clock; `None` if never.
    pub(crate) fn heard_at(&self) -> Option<Timestamp> {
        let at = self.heard_at.load(Ordering::Relaxed);
        (at != NEVER).then_some(Timestamp(at))
    }

    /// Whether it has to resume by a heartbeat once it was lost.
    pub(crate) fn sends_heartbeats(&self) -> bool {
        self.heartbeats.load(Ordering::Relaxed)
    }

    /// Whether it was heard once, has been silent for longer than this, and should be reported.
    pub(crate) fn is_silent(&self, limit: Duration, exchange: &Exchange) -> bool {
        let (mut heard, mut limit) = (self.heard.load(Ordering::Relaxed), limit);
        if heard == NEVER {
            return false;
        }
        if self.elsewhere.load(Ordering::Relaxed) {
            let since = exchange.since.saturating_duration_since(self.zero);
            heard = heard.max(micros(since));
            limit += exchange.delay;
        }
        let now = self.now();
        now.saturating_sub(heard) > micros(limit) && now > self.reported.load(Ordering::Relaxed)
    }

    /// It is known to be lost since it was heard then: nothing to report until it is heard again, which may have been
    /// while it was reported.
    pub(crate) fn is_reported(&self, heard_at: Timestamp) {
        // Reading what was there orders the two: either it is overwritten by who hears the table, or that is seen here.
        self.reported.swap(i64::MAX, Ordering::AcqRel);
        if self.heard_at.load(Ordering::Relaxed) != heard_at.0 {
            self.reported.store(NEVER, Ordering::Relaxed);
        }
    }

    /// It could not be reported: again after a pause.
    pub(crate) fn report_later(&self, pause: Duration) {
        let later = self.now().saturating_add(micros(pause));
        self.reported.store(later, Ordering::Relaxed);
    }
}

/// How what other nodes hear reaches this one.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Exchange {
    /// Since when it does without a break.
    pub(crate) since: Instant,
    /// How late.
    pub(crate) delay: Duration,
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// The contacts of all tables of the house, as far as this process knows them.
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

    /// Nothing is awaited while this is held, and no code under it can panic half way.
    fn tables(&self) -> MutexGuard<'_, HashMap<(LinkId, TableNo), Arc<LastSeen>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The contact of a table.
    pub(crate) fn of(&self, link: LinkId, table: TableNo) -> Arc<LastSeen> {
        let mut tables = self.tables();
        let contact = tables
            .entry((link, table))
            .or_insert_with(|| Arc::new(LastSeen::new(link, table, self.zero)));
        Arc::clone(contact)
    }

    /// All of them.
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

    /// What other nodes hear is known here at once, since this contact began.
    const fn at_once(contact: &LastSeen) -> Exchange {
        Exchange {
            since: contact.zero,
            delay: Duration::ZERO,
        }
    }

    /// Time passes: what was heard is that much longer ago.
    fn pass(contact: &mut LastSeen, time: Duration) {
        contact.zero = contact
            .zero
            .checked_sub(time)
            .expect("the machine runs longer");
    }

    /// Proves CONFORMANCE 46, the part of who is silent: never heard, heard here, heard by another node.
    #[test]
    fn silence_is_measured_by_what_was_heard() {
        let mut contact = contact();
        pass(&mut contact, LIMIT * 2);
        assert!(
            !contact.is_silent(LIMIT, &at_once(&contact)),
            "never heard since it joined"
        );
        contact.hear(Instant::now(), Timestamp(7));
        pass(&mut contact, LIMIT / 2);
        assert!(
            !contact.is_silent(LIMIT, &at_once(&contact)),
            "not longer than the limit"
        );
        pass(&mut contact, LIMIT);
        assert!(contact.is_silent(LIMIT, &at_once(&contact)));
        contact.is_reported(Timestamp(6));
        assert!(
            contact.is_silent(LIMIT, &at_once(&contact)),
            "heard while an older silence was reported"
        );
        contact.is_reported(Timestamp(7));
        assert!(
            !contact.is_silent(LIMIT, &at_once(&contact)),
            "reported once"
        );
        contact.hear_heartbeat(Instant::now(), Timestamp(8));
        pass(&mut contact, LIMIT * 2);
        assert!(
            contact.is_silent(LIMIT, &at_once(&contact)),
            "heard again, silent again"
        );
        let of_another_node = |at| Stored {
            link: LinkId(1),
            table: TableNo(1),
            heard_at: Timestamp(at),
            heartbeats: false,
        };
        contact.follow(&of_another_node(8));
        assert!(contact.is_silent(LIMIT, &at_once(&contact)), "nothing new");
        contact.follow(&of_another_node(9));
        assert!(
            !contact.is_silent(LIMIT, &at_once(&contact)),
            "another node heard it"
        );
        assert!(contact.sends_heartbeats(), "once is for good");
    }

    #[test]
    fn what_was_heard_is_written_once() {
        let contact = contact();
        assert!(contact.take_new().is_none());
        contact.hear(Instant::now(), Timestamp(7));
        let new = contact.take_new().expect("it was heard");
        assert_eq!(new.heard_at, Timestamp(7));
        assert!(contact.take_new().is_none());
        contact.keep_new();
        assert!(contact.take_new().is_some(), "it was not written");
        // Also where the clock was set back, other nodes see that it was heard.
        contact.hear(Instant::now(), Timestamp(3));
        let new = contact.take_new().expect("it was heard");
        assert_eq!(new.heard_at, Timestamp(8));
    }

    #[test]
    fn what_could_not_be_reported_is_tried_after_a_pause() {
        let mut contact = contact();
        contact.hear(Instant::now(), Timestamp(7));
        pass(&mut contact, LIMIT * 2);
        contact.report_later(LIMIT);
        assert!(!contact.is_silent(LIMIT, &at_once(&contact)));
        pass(&mut contact, LIMIT * 2);
        assert!(contact.is_silent(LIMIT, &at_once(&contact)));
    }

    /// A table that another node serves is not lost because the news come late, or did not come for a while.
    #[test]
    fn what_another_node_heard_comes_later() {
        let mut contact = contact();
        contact.follow(&Stored {
            link: LinkId(1),
            table: TableNo(1),
            heard_at: Timestamp(7),
            heartbeats: true,
        });
        pass(&mut contact, LIMIT * 2);
        assert!(contact.is_silent(LIMIT, &at_once(&contact)));
        let late = Exchange {
            delay: LIMIT * 2,
            ..at_once(&contact)
        };
        assert!(!contact.is_silent(LIMIT, &late));
        let after_an_outage = Exchange {
            since: Instant::now(),
            delay: Duration::ZERO,
        };
        assert!(!contact.is_silent(LIMIT, &after_an_outage));
        // Heard here, it is this node that knows.
        contact.hear(Instant::now(), Timestamp(8));
        pass(&mut contact, LIMIT * 2);
        assert!(contact.is_silent(LIMIT, &late));
    }
}
