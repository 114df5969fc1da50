//! Room for connections: for those that speak, and for those that have not spoken yet.
//!
//! # Shape
//! A newcomer is always let in among the silent; where all their places are taken, whoever has been silent longest
//! gives its own. With its first whole head a connection moves to those that speak, where there is room. There it is a
//! stranger until a token of its is found valid.
//!
//! # What bounds it
//! [`Limits::silent`], [`Limits::connections`] and [`Limits::anonymous`]. Of the silent and the strangers that were told to go a few may still be on their way.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meterhouse_edge::anonymous_connections::AnonymousConnections;
use meterhouse_edge::log_throttle::LogThrottle;

use super::Limits;
use super::connection_state::Line;

/// Room for all connections.
pub(super) struct Room {
    /// What they may take.
    pub(super) limits: Limits,
    anonymous: AnonymousConnections<Arc<Line>>,
    open: Mutex<Open>,
}

/// Connections that are open, by their numbers: the order in which they came.
#[derive(Default)]
struct Open {
    count: u64,
    silent: BTreeMap<u64, Arc<Line>>,
    speaking: HashMap<u64, Arc<Line>>,
    refused: LogThrottle,
}

impl Room {
    /// Empty.
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            anonymous: AnonymousConnections::new(limits.anonymous),
            open: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a newcomer in.
    pub(super) fn come_in(&self) -> Arc<Line> {
        let mut open = self.lock();
        if open.silent.len() >= self.limits.silent {
            open.end_longest();
        }
        open.count += 1;
        let line = Arc::new(Line::new(open.count));
        open.silent.insert(line.number, Arc::clone(&line));
        line
    }

    /// Tells the one that has been silent longest to go.
    pub(super) fn end_longest(&self) {
        self.lock().end_longest();
    }

    /// A connection has sent its first whole head; whether there is room for it.
    pub(super) fn speak(&self, line: &Arc<Line>, address: IpAddr) -> bool {
        if !self.takes(line) {
            return false;
        }
        let longest = self.anonymous.add(line.number, address, Arc::clone(line));
        if let Some(longest) = longest {
            longest.need();
        }
        true
    }

    /// A connection has shown a valid token.
    pub(super) fn know(&self, line: &Line) {
        if line.know() {
            self.anonymous.remove(line.number);
        }
    }

    /// A connection listens to a feed from here on; whether there is room for that.
    pub(super) fn listen(&self, line: &Line) -> bool {
        self.anonymous.count_as_feed(line.number)
    }

    fn takes(&self, line: &Arc<Line>) -> bool {
        let mut open = self.lock();
        open.silent.remove(&line.number);
        let limit = self.limits.connections;
        if open.speaking.len() < limit {
            open.speaking.insert(line.number, Arc::clone(line));
            return true;
        }
        if open.refused.is_due() {
            tracing::warn!(limit, "too many connections");
        }
        false
    }

    /// A connection has ended.
    pub(super) fn leave(&self, line: &Line) {
        let mut open = self.lock();
        open.silent.remove(&line.number);
        open.speaking.remove(&line.number);
        drop(open);
        self.anonymous.remove(line.number);
    }

    /// Tells all that the server stops. Nobody comes in any more.
    pub(super) fn stop(&self) {
        let open = self.lock();
        for line in open.silent.values().chain(open.speaking.values()) {
            line.stop();
        }
    }
}

impl Open {
    fn end_longest(&mut self) {
        if let Some((_, longest)) = self.silent.pop_first() {
            longest.need();
        }
    }
}
