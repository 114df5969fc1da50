//! The limits of tries about screens: how often they ask for their pairing, and how many wrong codes a person types.
//!
//! # Limits
//! On each node a key asks [`ASKS_OF_KEY_MAX`] times a minute, an address [`ASKS_OF_ADDRESS_MAX`] times, all screens
//! [`ASKS_MAX`] times, and a person types [`WRONG_CODES_MAX`] wrong codes in [`WRONG_CODES_WINDOW`]. More are refused
//! without a look into the database.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use meterhouse_store::TokenHash;
use moka::sync::Cache;

use super::error::AccessError;

/// Maximum number of wrong codes that a person types in a window.
const WRONG_CODES_MAX: u32 = 10;
/// Window of [`WRONG_CODES_MAX`].
const WRONG_CODES_WINDOW: Duration = Duration::from_mins(10);
/// Maximum number of times that a key asks in a minute: a screen asks every two seconds.
const ASKS_OF_KEY_MAX: u32 = 120;
/// Maximum number of times that the screens of one address ask in a minute.
const ASKS_OF_ADDRESS_MAX: u32 = 1_200;
/// Maximum number of times that all screens ask in a minute.
const ASKS_MAX: u32 = 6_000;
/// Window of [`ASKS_OF_KEY_MAX`], [`ASKS_OF_ADDRESS_MAX`] and [`ASKS_MAX`].
const ASKS_WINDOW: Duration = Duration::from_mins(1);
/// Maximum number of keys, addresses or people whose tries are counted.
const COUNTED_MAX: u64 = 10_000;

/// The tries of a window, by the name of what tries.
pub(super) struct Tries {
    counts: Cache<String, Arc<AtomicU32>>,
    most: u32,
}

impl Tries {
    fn new(most: u32, window: Duration) -> Self {
        let counts = Cache::builder().max_capacity(COUNTED_MAX);
        let counts = counts.time_to_live(window).build();
        Self { counts, most }
    }

    /// Counts a try, and returns its counter; `None` after too many.
    pub(super) fn count(&self, who: &str) -> Option<Arc<AtomicU32>> {
        let count = self.counts.get_with(who.to_owned(), Arc::default);
        if count.fetch_add(1, Ordering::Relaxed) < self.most {
            return Some(count);
        }
        count.fetch_sub(1, Ordering::Relaxed);
        None
    }
}

/// The tries of screens and of people, on this node.
pub(super) struct PairingLimits {
    of_key: Tries,
    of_address: Tries,
    of_all: Tries,
    pub(super) wrong_codes: Tries,
}

impl PairingLimits {
    pub(super) fn new() -> Self {
        Self {
            of_key: Tries::new(ASKS_OF_KEY_MAX, ASKS_WINDOW),
            of_address: Tries::new(ASKS_OF_ADDRESS_MAX, ASKS_WINDOW),
            of_all: Tries::new(ASKS_MAX, ASKS_WINDOW),
            wrong_codes: Tries::new(WRONG_CODES_MAX, WRONG_CODES_WINDOW),
        }
    }

    /// Counts that a screen asks.
    pub(super) fn count_ask(&self, key: &TokenHash, address: &str) -> Result<(), AccessError> {
        let key = hex::encode(key);
        let counted = self.of_address.count(address);
        let counted = counted.and_then(|_| self.of_key.count(&key));
        let counted = counted.and_then(|_| self.of_all.count(""));
        counted.map(drop).ok_or(AccessError::TooManyPairings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A person may be wrong ten times, and a right code costs no try. Another person is not held up.
    #[test]
    fn wrong_codes_are_few() {
        let wrong = PairingLimits::new().wrong_codes;
        for _ in 0..WRONG_CODES_MAX {
            let right = wrong.count("mia").expect("a try");
            right.fetch_sub(1, Ordering::Relaxed);
            assert!(wrong.count("mia").is_some());
        }
        for _ in 0..2 {
            assert!(wrong.count("mia").is_none());
        }
        assert!(wrong.count("ana").is_some());
    }

    /// A screen that asks all the time holds up no other one, and neither do those of one address.
    #[test]
    fn screens_ask_within_limits() {
        let limits = PairingLimits::new();
        let key = |number: u8| [number; 32];
        let ask = |number: u8, address: &str| limits.count_ask(&key(number), address).is_ok();
        let admitted = (0..200).filter(|_| ask(1, "10.0.0.1"));
        assert_eq!(admitted.count(), 120);
        let asks = (0..24).flat_map(|_| 2..52);
        let admitted = asks.filter(|number| ask(*number, "10.0.0.1"));
        assert_eq!(admitted.count(), 1_000);
        assert!(ask(100, "10.0.0.2"));
    }
}
