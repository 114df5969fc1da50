//! Vouching: the key outside the database signs each credential, so that a row that another program inserts lets no person in.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_journal::credential::{Credential, Voucher};
use meterhouse_journal::house::HouseFact;
use meterhouse_journal::tree_head::PublicKey;
use meterhouse_store::{ActorRow, Store, StoreError, actor_fact};

use crate::error_chain::ErrorChain;
use crate::signing::HeadKey;

/// Maximum time of the signature for a voucher. A change of access holds the lock of the house's chain meanwhile, and the
/// database ends a transaction that is idle for 3 s.
const VOUCH_WAIT: Duration = Duration::from_secs(2);

/// The key that vouches for credentials, and the older keys whose vouchers still count.
pub struct Vouching {
    identity: [u8; 16],
    key: Option<Arc<dyn HeadKey>>,
    /// Public keys whose vouchers count, the own one first.
    accepted: Vec<PublicKey>,
}

impl Vouching {
    /// Creates the vouching of a database. Without a key nothing is vouched for, and every stored credential counts.
    ///
    /// # Errors
    /// [`StoreError`] if the identity of the database can't be read.
    pub async fn of(
        store: &Store,
        key: Option<Arc<dyn HeadKey>>,
        older: &[PublicKey],
    ) -> Result<Self, StoreError> {
        let own = key.as_ref().map(|key| key.public());
        Ok(Self {
            identity: store.identity_bytes().await?,
            accepted: own.into_iter().chain(older.iter().copied()).collect(),
            key,
        })
    }

    /// Returns `true` if there is a key, so that only credentials with a voucher count.
    pub const fn is_enforced(&self) -> bool {
        self.key.is_some()
    }

    /// Returns the identity of the database.
    pub(super) const fn identity(&self) -> [u8; 16] {
        self.identity
    }

    /// Vouches for a credential, if there is a key.
    ///
    /// # Errors
    /// [`StoreError::NotVouched`] if the key can't be used now.
    pub(crate) fn vouch(
        &self,
        owner: &HouseFact,
        credential: &Credential,
    ) -> Result<Option<Voucher>, StoreError> {
        let Some(key) = &self.key else {
            return Ok(None);
        };
        let statement = credential.statement(&self.identity, owner);
        let signature = key.sign(&statement, VOUCH_WAIT).map_err(|error| {
            tracing::error!(error = %ErrorChain(&error), "nobody can be admitted");
            StoreError::NotVouched
        })?;
        Ok(Some(Voucher::new(key.public(), signature)))
    }

    /// Returns `true` if a stored credential of an owner counts.
    pub(crate) fn accepts(
        &self,
        owner: &ActorRow,
        credential: &Credential,
        voucher: Option<&Voucher>,
    ) -> bool {
        let is_good = !self.is_enforced() || self.counts(owner, credential, voucher);
        if !is_good {
            let name = owner.who.name.as_str();
            tracing::error!(
                name,
                "a credential is refused: the signing key does not vouch for it; see docs/operating/people.md"
            );
        }
        is_good
    }

    /// Returns `true` if an accepted key vouches for a credential of an owner.
    pub(super) fn counts(
        &self,
        owner: &ActorRow,
        credential: &Credential,
        voucher: Option<&Voucher>,
    ) -> bool {
        let statement = credential.statement(&self.identity, &actor_fact(owner));
        voucher.is_some_and(|voucher| voucher.is_of(&self.accepted, &statement))
    }
}
