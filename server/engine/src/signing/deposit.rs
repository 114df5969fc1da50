//! The deposit of another house's signed heads: this house is its witness.
//!
//! # Shape
//! The first key that is seen of a house is pinned. A later key is known if a known one vouches for it, as `verify` trusts
//! keys. A head has to be signed by a known key, and its chain is taken from number 1 without gaps.
//!
//! A head follows the stored head whose hash it names. A second one that follows the same head, and one that follows no
//! stored head, is a fork: it is stored as one. What follows a fork is stored again, so that both histories are kept.
//!
//! # Limits
//! [`ATTEMPTS_MAX`] comparisons of one head, if other nodes store heads of the same chain at the same moment.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::house::key_statement;
use meterhouse_journal::month::IDENTITY_BYTES;
use meterhouse_journal::tree_head::{PublicKey, SIGNATURE_BYTES, SignedHead};
use meterhouse_store::{StoreError, WitnessedNear};
pub use meterhouse_store::{WitnessCursor, WitnessedHead as StoredHead};

use crate::answer::{NotExecuted, unavailable};
use crate::clock::now;
use crate::context::Engine;
use crate::metrics::instruments;
use crate::view::{Page, Person};

/// Maximum number of comparisons of one head.
const ATTEMPTS_MAX: u32 = 3;

/// The word of one key for a later one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vouch {
    /// Later key.
    pub key: PublicKey,
    /// Time of its introduction.
    pub introduced_at: Timestamp,
    /// Earlier key.
    pub by: PublicKey,
    /// Signature of the earlier key over the statement of the introduction.
    pub signature: [u8; SIGNATURE_BYTES],
}

impl Vouch {
    /// Checks the signature.
    fn is_signed(&self, identity: &[u8; IDENTITY_BYTES]) -> bool {
        let statement = key_statement(identity, self.key, self.introduced_at);
        self.by.verifies(&statement, &self.signature)
    }
}

/// The result of a deposit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Deposit {
    /// The head is stored.
    Stored,
    /// The head was stored before.
    StoredBefore,
    /// The head contradicts a stored one, and is kept as evidence.
    Forks,
    /// The head was found to contradict another one before.
    ForksBefore,
    /// Heads before this one are missing.
    Gap {
        /// Number of the next head.
        expected: u64,
    },
    /// The signature is not the key's.
    NotSigned,
    /// The house has other keys, and none of them vouches for this one.
    UnknownKey,
    /// The head is one of this house.
    Own,
}

impl Engine {
    /// Takes a signed head of another house.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried or takes no writes.
    pub async fn deposit_head(
        &self,
        person: &Person,
        signed: &SignedHead,
        vouches: &[Vouch],
    ) -> Result<Deposit, NotExecuted> {
        if !signed.is_signed() {
            return Ok(Deposit::NotSigned);
        }
        let own = self.context.store.identity_bytes().await;
        if own.map_err(unavailable)? == signed.head.identity {
            return Ok(Deposit::Own);
        }
        let deposit = self.deposit(person, signed, vouches).await;
        let deposit = deposit.map_err(unavailable)?.ok_or(NotExecuted::Busy)?;
        if deposit == Deposit::Forks {
            instruments().record_fork();
            tracing::error!(
                house = hex::encode(signed.head.identity),
                link = signed.head.name,
                head = signed.head.number,
                key = %signed.key,
                "another house signed a head that contradicts an earlier one; both are kept"
            );
        }
        Ok(deposit)
    }

    /// Stores a head. Returns nothing if other nodes were first each time.
    async fn deposit(
        &self,
        person: &Person,
        signed: &SignedHead,
        vouches: &[Vouch],
    ) -> Result<Option<Deposit>, StoreError> {
        let store = &self.context.store;
        let by = (now(), person.actor);
        if !self.is_known(signed, vouches, by).await? {
            return Ok(Some(Deposit::UnknownKey));
        }
        let mut is_fork = false;
        for _ in 0..ATTEMPTS_MAX {
            let deposit = compare(signed, &store.witnessed_near(&signed.head).await?);
            is_fork = match deposit {
                Deposit::Stored => false,
                Deposit::Forks => true,
                settled => return Ok(Some(settled)),
            };
            if store.add_witnessed_head(signed, is_fork, by).await? {
                return Ok(Some(deposit));
            }
        }
        // A chain with its maximum of forks stores no further one.
        Ok(is_fork.then_some(Deposit::Forks))
    }

    /// Returns `true` if a known key of the house signed. Adds the keys that known ones vouch for, and the first key.
    async fn is_known(
        &self,
        signed: &SignedHead,
        vouches: &[Vouch],
        by: (Timestamp, ActorId),
    ) -> Result<bool, StoreError> {
        let store = &self.context.store;
        let identity = &signed.head.identity;
        let mut keys = store.witness_keys(identity).await?;
        if keys.contains(&signed.key) {
            return Ok(true);
        }
        if keys.is_empty() {
            // Another node may pin another key at the same moment: the database decides.
            if store
                .add_witness_key(identity, signed.key, None, by)
                .await?
            {
                tracing::warn!(house = hex::encode(identity), key = %signed.key, "the first key of another house is pinned");
                return Ok(true);
            }
            keys = store.witness_keys(identity).await?;
        }
        for vouch in vouches {
            if keys.contains(&vouch.by) && vouch.is_signed(identity) {
                let earlier = Some(vouch.by);
                store
                    .add_witness_key(identity, vouch.key, earlier, by)
                    .await?;
                keys.push(vouch.key);
            }
        }
        Ok(keys.contains(&signed.key))
    }

    /// Returns deposited heads after a place, of one house or of all.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn deposited_heads(
        &self,
        of: Option<[u8; IDENTITY_BYTES]>,
        after: Option<WitnessCursor>,
        limit: u32,
    ) -> Result<Page<StoredHead, WitnessCursor>, NotExecuted> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let after = after.unwrap_or(WitnessCursor::start());
        let heads = self.context.store.witnessed_heads(of, &after, limit).await;
        let items = heads.map_err(unavailable)?;
        let last = items.last().filter(|_| items.len() == limit);
        Ok(Page {
            next: last.map(|last| WitnessCursor::of(&last.signed.head)),
            items,
        })
    }
}

/// Compares a head with those of its number and of the number before.
fn compare(signed: &SignedHead, near: &WitnessedNear) -> Deposit {
    let head = &signed.head;
    let stored = || near.heads.iter().map(|stored| &stored.signed.head);
    if let Some(same) = near.heads.iter().find(|stored| stored.signed.head == *head) {
        return if same.is_fork {
            Deposit::ForksBefore
        } else {
            Deposit::StoredBefore
        };
    }
    if head.number > near.newest + 1 || head.number == 0 {
        let expected = near.newest + 1;
        return Deposit::Gap { expected };
    }
    let follows = if head.number == 1 {
        head.previous == [0; HASH_BYTES]
    } else {
        stored().any(|before| {
            before.number + 1 == head.number
                && before.hash() == head.previous
                && before.batch < head.batch
                && before.name == head.name
        })
    };
    let has_sibling =
        stored().any(|other| other.number == head.number && other.previous == head.previous);
    if follows && !has_sibling {
        Deposit::Stored
    } else {
        Deposit::Forks
    }
}
