//! The signing keys that the house's chain introduced and ended, and which of them a reader may trust.

use std::collections::BTreeSet;

use meterhouse_domain::ids::Timestamp;

use crate::codec::DecodeError;
use crate::house::{HouseEntry, HouseFact, key_statement};
use crate::month::IDENTITY_BYTES;
use crate::tree_head::PublicKey;

/// Longest time in microseconds between the clocks of two nodes, one of which ends a key while the other signs: 5 minutes.
pub const CLOCKS_MICROS_MAX: i64 = 300_000_000;

/// A key of the house's chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownKey {
    /// Public key.
    pub key: PublicKey,
    /// Number of the entry that introduced it.
    pub entry: u64,
    /// Server time of the introduction.
    pub introduced_at: Timestamp,
    /// Earlier key whose signature for it is valid.
    pub vouched_by: Option<PublicKey>,
    /// Time of its end.
    pub ended_at: Option<Timestamp>,
    /// Time from which others may have had the secret key.
    pub compromised_since: Option<Timestamp>,
}

impl KnownKey {
    /// Returns why a signature of this time proves nothing, if it does not.
    pub fn why_not_at(&self, at: Timestamp) -> Option<&'static str> {
        if self.compromised_since.is_some_and(|since| at >= since) {
            return Some("was compromised by then");
        }
        let is_ended = self
            .ended_at
            .is_some_and(|ended| at.0.saturating_sub(ended.0) > CLOCKS_MICROS_MAX);
        is_ended.then_some("was ended by then")
    }
}

/// The keys of a house, in the order of their introduction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SigningKeys {
    keys: Vec<KnownKey>,
}

impl SigningKeys {
    /// Adds what an entry of the house's chain says. Entries of other kinds add nothing.
    ///
    /// # Errors
    /// [`DecodeError`] if the entry can't be read.
    pub fn add(
        &mut self,
        identity: &[u8; IDENTITY_BYTES],
        entry: &HouseEntry,
    ) -> Result<(), DecodeError> {
        match entry.key_fact()? {
            Some(HouseFact::SigningKey {
                key,
                introduced_at,
                vouched,
            }) if self.find(key).is_none() => {
                let statement = key_statement(identity, key, introduced_at);
                let is_valid = |by: PublicKey| {
                    let earlier = self.find(by);
                    earlier.is_some_and(|by| by.why_not_at(introduced_at).is_none())
                };
                let vouched = vouched.filter(|vouched| {
                    vouched.by.verifies(&statement, &vouched.signature) && is_valid(vouched.by)
                });
                self.keys.push(KnownKey {
                    key,
                    entry: entry.number,
                    introduced_at,
                    vouched_by: vouched.map(|vouched| vouched.by),
                    ended_at: None,
                    compromised_since: None,
                });
            }
            Some(HouseFact::SigningKeyEnded {
                key,
                ended_at,
                compromised_since,
            }) => {
                for known in self.keys.iter_mut().filter(|known| known.key == key) {
                    known.ended_at = known.ended_at.or(Some(ended_at));
                    // The earliest suspicion counts.
                    let since = [known.compromised_since, compromised_since];
                    known.compromised_since = since.into_iter().flatten().min();
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns all keys.
    pub fn all(&self) -> &[KnownKey] {
        &self.keys
    }

    /// Returns a key.
    pub fn find(&self, key: PublicKey) -> Option<&KnownKey> {
        self.keys.iter().find(|known| known.key == key)
    }

    /// Returns the keys that a reader may trust who trusts the given ones: those, and each for which a trusted key vouched
    /// before it was compromised.
    pub fn trusted(&self, given: &[PublicKey]) -> BTreeSet<PublicKey> {
        let mut trusted: BTreeSet<PublicKey> = given.iter().copied().collect();
        for known in &self.keys {
            let voucher = known.vouched_by.filter(|by| trusted.contains(by));
            let voucher = voucher.and_then(|by| self.find(by));
            // The end of the voucher may have been written later than the introduction.
            if voucher.is_some_and(|by| by.why_not_at(known.introduced_at).is_none()) {
                trusted.insert(known.key);
            }
        }
        trusted
    }
}
