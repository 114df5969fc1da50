//! Anonymous connections: they have shown no valid token, and are counted by their addresses.
//!
//! # Shape
//! A connection is anonymous from its first request until it shows a valid token or ends. Anonymous
//! connections that receive a feed are counted separately, because displays need no token and stay
//! connected for days.
//!
//! # Limits
//! [`AnonymousLimits`]. If one connection too many is added, the oldest anonymous connection is
//! closed: of the same address, otherwise of all. If one feed too many is opened, the feed is
//! refused.
//!
//! # Order
//! Anonymous connections are closed in the order in which they were added.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::trusted_proxies::TrustedProxies;

/// Length in bits of the network part of an IPv6 address. The owner of one host of a network has
/// all of them.
const NETWORK_BITS: u32 = 64;

/// Limits of anonymous connections.
#[derive(Copy, Clone, Debug)]
pub struct AnonymousLimits {
    /// Connections without a feed: in total, and of one address of this machine (a proxy, or local
    /// programs).
    pub all: usize,
    /// Connections without a feed of one remote address.
    pub of_address: usize,
    /// Feeds in total, and of one address of this machine.
    pub feeds: usize,
    /// Feeds of one remote address.
    pub feeds_of_address: usize,
}

/// An address for counting: an IPv6 address by its network.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
struct Address {
    address: IpAddr,
    /// True if many clients have this address: it is this machine's or a trusted proxy's.
    is_shared: bool,
}

/// Anonymous connections of one kind, in the order in which they were added.
struct Group<C> {
    all: BTreeMap<u64, (Address, C)>,
    of_address: HashMap<Address, BTreeSet<u64>>,
}

/// The anonymous connections without a feed, and those with one.
struct Groups<C> {
    without_feed: Group<C>,
    feeds: Group<C>,
}

/// All anonymous connections. A `C` closes one of them.
pub struct AnonymousConnections<C> {
    limits: AnonymousLimits,
    trusted: TrustedProxies,
    groups: Mutex<Groups<C>>,
}

impl<C> AnonymousConnections<C> {
    /// Creates an empty set. The address of a trusted proxy may have as many connections as all together.
    pub fn new(limits: AnonymousLimits, trusted: TrustedProxies) -> Self {
        Self {
            limits,
            trusted,
            groups: Mutex::new(Groups {
                without_feed: Group::new(),
                feeds: Group::new(),
            }),
        }
    }

    /// Locks the set. Nothing is awaited under the lock, and a panic leaves no partial change.
    fn lock(&self) -> MutexGuard<'_, Groups<C>> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection by its number, which grows. Returns the connection that has to be closed
    /// for it.
    #[must_use]
    pub fn add(&self, number: u64, address: IpAddr, connection: C) -> Option<C> {
        let address = Address::of(address, &self.trusted);
        let limits = (self.limits.all, self.limits.of_address);
        let Groups { without_feed, .. } = &mut *self.lock();
        without_feed.insert(number, address, connection);
        let oldest = without_feed.oldest_over_limit(address, limits)?;
        without_feed
            .remove(oldest)
            .map(|(_, connection)| connection)
    }

    /// Counts a connection among the feeds. Returns `false` if the limit is reached.
    #[must_use]
    pub fn count_as_feed(&self, number: u64) -> bool {
        let limits = (self.limits.feeds, self.limits.feeds_of_address);
        let Groups {
            without_feed,
            feeds,
        } = &mut *self.lock();
        // A connection that has shown a token is not counted, and one with a feed is already
        // counted.
        let Some((address, _)) = without_feed.all.get(&number) else {
            return true;
        };
        if !feeds.has_capacity(*address, limits) {
            return false;
        }
        if let Some((address, connection)) = without_feed.remove(number) {
            feeds.insert(number, address, connection);
        }
        true
    }

    /// Removes a connection that has shown a valid token or has ended.
    pub fn remove(&self, number: u64) {
        let Groups {
            without_feed,
            feeds,
        } = &mut *self.lock();
        if without_feed.remove(number).is_none() {
            feeds.remove(number);
        }
    }
}

impl<C> Group<C> {
    fn new() -> Self {
        Self {
            all: BTreeMap::new(),
            of_address: HashMap::new(),
        }
    }

    fn insert(&mut self, number: u64, address: Address, connection: C) {
        self.all.insert(number, (address, connection));
        self.of_address.entry(address).or_default().insert(number);
    }

    fn remove(&mut self, number: u64) -> Option<(Address, C)> {
        let removed = self.all.remove(&number)?;
        if let Some(numbers) = self.of_address.get_mut(&removed.0) {
            numbers.remove(&number);
            if numbers.is_empty() {
                self.of_address.remove(&removed.0);
            }
        }
        Some(removed)
    }

    /// Returns the oldest connection if there are too many: of the address, otherwise of all.
    fn oldest_over_limit(
        &self,
        address: Address,
        (all, of_address): (usize, usize),
    ) -> Option<u64> {
        let numbers = self.of_address.get(&address)?;
        if numbers.len() > address.limit(all, of_address) {
            return numbers.first().copied();
        }
        let over = self.all.len() > all;
        self.all.keys().next().copied().filter(|_| over)
    }

    fn has_capacity(&self, address: Address, (all, of_address): (usize, usize)) -> bool {
        let count = self.of_address.get(&address).map_or(0, BTreeSet::len);
        self.all.len() < all && count < address.limit(all, of_address)
    }
}

impl Address {
    fn of(address: IpAddr, trusted: &TrustedProxies) -> Self {
        let address = address.to_canonical();
        let is_shared = address.is_loopback() || trusted.contains(address);
        let address = match address {
            IpAddr::V6(six) if !is_shared => {
                let network = six.to_bits() >> NETWORK_BITS << NETWORK_BITS;
                IpAddr::V6(network.into())
            }
            other => other,
        };
        Self { address, is_shared }
    }

    /// Returns the limit of this address.
    fn limit(self, all: usize, of_address: usize) -> usize {
        if self.is_shared { all } else { of_address }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: AnonymousLimits = AnonymousLimits {
        all: 4,
        of_address: 2,
        feeds: 3,
        feeds_of_address: 2,
    };

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn over_a_limit_the_oldest_connection_is_closed() {
        let connections = AnonymousConnections::new(LIMITS, TrustedProxies::default());
        let mut number = 0;
        let mut add = |from: &str| {
            number += 1;
            connections.add(number, address(from), number)
        };
        assert_eq!((add("10.0.0.1"), add("10.0.0.1")), (None, None));
        assert_eq!(add("10.0.0.1"), Some(1));
        assert_eq!(add("2001:db8::1"), None);
        assert_eq!(add("2001:db8::2"), None);
        assert_eq!(
            add("2001:db8::ffff:1"),
            Some(4),
            "one network is one address"
        );
        assert_eq!(add("10.0.0.3"), Some(2), "five in all");
        assert_eq!(add("::ffff:10.0.0.3"), Some(3));
        assert_eq!(add("10.0.0.3"), Some(7));
    }

    #[test]
    fn local_addresses_have_the_limit_of_all() {
        let connections = AnonymousConnections::new(LIMITS, TrustedProxies::default());
        for number in 1..=4 {
            assert_eq!(connections.add(number, address("127.0.0.1"), number), None);
        }
        assert_eq!(connections.add(5, address("127.0.0.1"), 5), Some(1));
    }

    #[test]
    fn a_trusted_proxy_has_the_limit_of_all() {
        let trusted = TrustedProxies::new(["10.0.0.0/8".parse().expect("a network")]);
        let connections = AnonymousConnections::new(LIMITS, trusted);
        for number in 1..=4 {
            assert_eq!(connections.add(number, address("10.0.0.1"), number), None);
        }
        assert_eq!(connections.add(5, address("10.0.0.1"), 5), Some(1));
    }

    #[test]
    fn a_connection_with_a_token_is_not_counted() {
        let connections = AnonymousConnections::new(LIMITS, TrustedProxies::default());
        for number in 1..=100 {
            assert_eq!(connections.add(number, address("10.0.0.1"), number), None);
            connections.remove(number);
        }
        assert!(connections.lock().without_feed.of_address.is_empty());
    }

    #[test]
    fn a_feed_over_the_limit_is_refused() {
        let connections = AnonymousConnections::new(LIMITS, TrustedProxies::default());
        for number in 1..=3 {
            assert_eq!(connections.add(number, address("10.0.0.1"), number), None);
            assert_eq!(connections.count_as_feed(number), number < 3);
        }
        assert!(connections.count_as_feed(1), "it has a feed already");
        assert_eq!(connections.add(4, address("10.0.0.2"), 4), None);
        assert!(connections.count_as_feed(4));
        assert_eq!(connections.add(5, address("10.0.0.4"), 5), None);
        assert!(!connections.count_as_feed(5), "three in all");
        connections.remove(1);
        assert!(connections.count_as_feed(5));
    }
}
