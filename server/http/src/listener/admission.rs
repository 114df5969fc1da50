//! Admission control of connections.
//!
//! # Shape
//! A new connection is always admitted, as a silent one. If too many are silent, the oldest of them is closed. With its
//! first complete head a connection becomes active, unless too many are. An active connection is anonymous until one of
//! its tokens is found valid.
//!
//! # Limits
//! [`Limits::silent`], [`Limits::connections`] and [`Limits::anonymous`]. A few silent and anonymous connections above
//! the limits may still be closing.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meterhouse_edge::anonymous_connections::AnonymousConnections;
use meterhouse_edge::log_throttle::LogThrottle;
use meterhouse_edge::trusted_proxies::TrustedProxies;

use super::connection_state::ConnectionState;
use super::limits::Limits;

/// The admission control of one listener.
pub(super) struct Admission {
    /// The limits.
    pub(super) limits: Limits,
    /// The proxies whose word about a client's address counts.
    pub(super) trusted: TrustedProxies,
    anonymous: AnonymousConnections<Arc<ConnectionState>>,
    open: Mutex<OpenConnections>,
}

/// The open connections, by their numbers in the order of their admission.
#[derive(Default)]
struct OpenConnections {
    count: u64,
    silent: BTreeMap<u64, Arc<ConnectionState>>,
    active: HashMap<u64, Arc<ConnectionState>>,
    refused: LogThrottle,
}

impl Admission {
    /// Creates an admission control without connections.
    pub(super) fn new(limits: Limits, trusted: TrustedProxies) -> Self {
        Self {
            limits,
            anonymous: AnonymousConnections::new(limits.anonymous, trusted.clone()),
            trusted,
            open: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a new connection as a silent one.
    pub(super) fn admit(&self) -> Arc<ConnectionState> {
        let mut open = self.lock();
        if open.silent.len() >= self.limits.silent {
            open.close_oldest_silent();
        }
        open.count += 1;
        let connection = Arc::new(ConnectionState::new(open.count));
        open.silent
            .insert(connection.number, Arc::clone(&connection));
        connection
    }

    /// Closes the oldest silent connection.
    pub(super) fn close_oldest_silent(&self) {
        self.lock().close_oldest_silent();
    }

    /// Makes a connection active, because it has sent its first complete head. Returns `false` if too many are active.
    pub(super) fn activate(&self, connection: &Arc<ConnectionState>, address: IpAddr) -> bool {
        if !self.add_active(connection) {
            return false;
        }
        let oldest = self
            .anonymous
            .add(connection.number, address, Arc::clone(connection));
        if let Some(oldest) = oldest {
            oldest.close();
        }
        true
    }

    /// Removes a connection from the anonymous ones, because it has shown a valid token.
    pub(super) fn mark_authenticated(&self, connection: &ConnectionState) {
        if connection.mark_authenticated() {
            self.anonymous.remove(connection.number);
        }
    }

    /// Counts an anonymous connection among the feeds. Returns `false` if the limit is reached.
    pub(super) fn count_as_feed(&self, connection: &ConnectionState) -> bool {
        self.anonymous.count_as_feed(connection.number)
    }

    fn add_active(&self, connection: &Arc<ConnectionState>) -> bool {
        let mut open = self.lock();
        open.silent.remove(&connection.number);
        let limit = self.limits.connections;
        if open.active.len() < limit {
            open.active
                .insert(connection.number, Arc::clone(connection));
            return true;
        }
        if open.refused.is_due() {
            tracing::warn!(limit, "too many connections");
        }
        false
    }

    /// Removes a connection that has ended.
    pub(super) fn remove(&self, connection: &ConnectionState) {
        let mut open = self.lock();
        open.silent.remove(&connection.number);
        open.active.remove(&connection.number);
        drop(open);
        self.anonymous.remove(connection.number);
    }

    /// Ends every connection, because the server stops. No connection is admitted after this.
    pub(super) fn stop(&self) {
        let open = self.lock();
        for connection in open.silent.values().chain(open.active.values()) {
            connection.stop();
        }
    }
}

impl OpenConnections {
    fn close_oldest_silent(&mut self) {
        if let Some((_, oldest)) = self.silent.pop_first() {
            oldest.close();
        }
    }
}
