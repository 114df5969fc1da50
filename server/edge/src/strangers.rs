//! Connections that have shown no valid token, counted by their addresses.
//!
//! # Shape
//! A connection is a stranger from its first request until it shows a valid token or ends.
//! Strangers that listen to a feed are counted separately, because displays need no token and stay
//! connected for days.
//!
//! # What bounds it
//! [`StrangerLimits`]. If one stranger too many connects, it is accepted, and the oldest stranger
//! is disconnected: of the same address, otherwise of all. If one feed too many is opened, it is
//! refused.
//!
//! # Order
//! Strangers are disconnected in the order in which they connected.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Length in bits of the network part of an IPv6 address. The owner of one host of a network has
/// all of them.
const NETWORK_BITS: u32 = 64;

/// Limits of connections without a valid token.
#[derive(Copy, Clone, Debug)]
pub struct StrangerLimits {
    /// Strangers in total, and of one address of this machine: a proxy, or local programs.
    pub all: usize,
    /// Strangers of one remote address.
    pub of_address: usize,
    /// Feeds in total, and of one address of this machine.
    pub feeds: usize,
    /// Feeds of one remote address.
    pub feeds_of_address: usize,
}

/// An address for counting: an IPv6 address by its network.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
struct Address(IpAddr);

/// Strangers of one kind, in the order in which they connected.
struct Kind<C> {
    all: BTreeMap<u64, (Address, C)>,
    of_address: HashMap<Address, BTreeSet<u64>>,
}

/// All strangers. A `C` disconnects one of them.
pub struct Strangers<C> {
    limits: StrangerLimits,
    open: Mutex<(Kind<C>, Kind<C>)>,
}

impl<C> Strangers<C> {
    /// Creates an empty set.
    pub fn new(limits: StrangerLimits) -> Self {
        Self {
            limits,
            open: Mutex::new((Kind::new(), Kind::new())),
        }
    }

    /// Locks the strangers. Nothing is awaited under the lock, and a panic leaves no partial
    /// change.
    fn lock(&self) -> MutexGuard<'_, (Kind<C>, Kind<C>)> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection by its number, which grows. Returns the connection that has to be
    /// disconnected for it.
    #[must_use]
    pub fn come_in(&self, number: u64, address: IpAddr, connection: C) -> Option<C> {
        let address = Address::of(address);
        let limits = (self.limits.all, self.limits.of_address);
        let (waiting, _) = &mut *self.lock();
        waiting.insert(number, address, connection);
        let longest = waiting.longest_over(address, limits)?;
        waiting.remove(longest).map(|(_, connection)| connection)
    }

    /// Counts a connection among the feeds. Returns `false` if the limit is reached.
    #[must_use]
    pub fn listen(&self, number: u64) -> bool {
        let limits = (self.limits.feeds, self.limits.feeds_of_address);
        let (waiting, feeds) = &mut *self.lock();
        // A connection that has shown a token is not counted, and one that listens is already
        // counted.
        let Some((address, _)) = waiting.all.get(&number) else {
            return true;
        };
        if !feeds.has_room(*address, limits) {
            return false;
        }
        if let Some((address, connection)) = waiting.remove(number) {
            feeds.insert(number, address, connection);
        }
        true
    }

    /// Removes a connection that has shown a valid token or has ended.
    pub fn leave(&self, number: u64) {
        let (waiting, feeds) = &mut *self.lock();
        if waiting.remove(number).is_none() {
            feeds.remove(number);
        }
    }
}

impl<C> Kind<C> {
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

    /// Returns the oldest stranger if there are too many: of the address, otherwise of all.
    fn longest_over(&self, address: Address, (all, of_address): (usize, usize)) -> Option<u64> {
        let numbers = self.of_address.get(&address)?;
        if numbers.len() > address.limit(all, of_address) {
            return numbers.first().copied();
        }
        let over = self.all.len() > all;
        self.all.keys().next().copied().filter(|_| over)
    }

    fn has_room(&self, address: Address, (all, of_address): (usize, usize)) -> bool {
        let count = self.of_address.get(&address).map_or(0, BTreeSet::len);
        self.all.len() < all && count < address.limit(all, of_address)
    }
}

impl Address {
    fn of(address: IpAddr) -> Self {
        let IpAddr::V6(six) = address.to_canonical() else {
            return Self(address.to_canonical());
        };
        if six.is_loopback() {
            return Self(address);
        }
        let network = six.to_bits() >> NETWORK_BITS << NETWORK_BITS;
        Self(IpAddr::V6(network.into()))
    }

    /// Returns the limit of this address.
    fn limit(self, all: usize, of_address: usize) -> usize {
        if self.0.is_loopback() {
            all
        } else {
            of_address
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: StrangerLimits = StrangerLimits {
        all: 4,
        of_address: 2,
        feeds: 3,
        feeds_of_address: 2,
    };

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn over_a_limit_the_oldest_stranger_is_disconnected() {
        let strangers = Strangers::new(LIMITS);
        let mut number = 0;
        let mut come = |from: &str| {
            number += 1;
            strangers.come_in(number, address(from), number)
        };
        assert_eq!((come("10.0.0.1"), come("10.0.0.1")), (None, None));
        assert_eq!(come("10.0.0.1"), Some(1));
        assert_eq!(come("2001:db8::1"), None);
        assert_eq!(come("2001:db8::2"), None);
        assert_eq!(
            come("2001:db8::ffff:1"),
            Some(4),
            "one network is one address"
        );
        assert_eq!(come("10.0.0.3"), Some(2), "five in all");
        assert_eq!(come("::ffff:10.0.0.3"), Some(3));
        assert_eq!(come("10.0.0.3"), Some(7));
    }

    #[test]
    fn local_addresses_have_the_limit_of_all() {
        let strangers = Strangers::new(LIMITS);
        for number in 1..=4 {
            assert_eq!(
                strangers.come_in(number, address("127.0.0.1"), number),
                None
            );
        }
        assert_eq!(strangers.come_in(5, address("127.0.0.1"), 5), Some(1));
    }

    #[test]
    fn a_connection_with_a_token_is_not_counted() {
        let strangers = Strangers::new(LIMITS);
        for number in 1..=100 {
            assert_eq!(strangers.come_in(number, address("10.0.0.1"), number), None);
            strangers.leave(number);
        }
        assert!(strangers.lock().0.of_address.is_empty());
    }

    #[test]
    fn a_feed_over_the_limit_is_refused() {
        let strangers = Strangers::new(LIMITS);
        for number in 1..=3 {
            assert_eq!(strangers.come_in(number, address("10.0.0.1"), number), None);
            assert_eq!(strangers.listen(number), number < 3);
        }
        assert!(strangers.listen(1), "it listens already");
        assert_eq!(strangers.come_in(4, address("10.0.0.2"), 4), None);
        assert!(strangers.listen(4));
        assert_eq!(strangers.come_in(5, address("10.0.0.4"), 5), None);
        assert!(!strangers.listen(5), "three in all");
        strangers.leave(1);
        assert!(strangers.listen(5));
    }
}
