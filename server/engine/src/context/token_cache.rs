//! The cache of recently used tokens and their holders.
//!
//! # Limits
//! A revoked token may be valid for [`REMEMBERED`] longer on a node that has just seen it. The cache has
//! [`TOKENS_REMEMBERED`] entries. Queries for unknown tokens are limited by [`KnownDigests`].

use std::sync::Arc;
use std::time::Duration;

use meterhouse_journal::credential::Credential;
use meterhouse_store::{Store, TokenHash};
use moka::future::Cache;

use crate::access::Vouching;
use crate::answer::{NotExecuted, unavailable};
use crate::clock::now;
use crate::known_digests::{KnownDigests, Secrets};
use crate::tokens::{Caller, caller, hash_of};

/// Time for which a token is valid without another query.
const REMEMBERED: Duration = Duration::from_secs(5);
/// Maximum number of cached tokens.
const TOKENS_REMEMBERED: u64 = 10_000;
/// Maximum length of a token that is looked up, in characters.
const TOKEN_LENGTH_MAX: usize = 128;

/// The cache of recently used tokens.
pub(crate) struct TokenCache {
    store: Store,
    callers: Cache<TokenHash, Caller>,
    known: KnownDigests,
    vouching: Arc<Vouching>,
}

impl TokenCache {
    pub(crate) fn new(store: Store, vouching: Arc<Vouching>) -> Self {
        let callers = Cache::builder()
            .max_capacity(TOKENS_REMEMBERED)
            .time_to_live(REMEMBERED)
            .build();
        let known = KnownDigests::new(Secrets::Tokens);
        Self {
            store,
            callers,
            known,
            vouching,
        }
    }

    /// Returns the digests of all valid tokens.
    pub(crate) fn known(&self) -> KnownDigests {
        self.known.clone()
    }

    /// Returns the holder of a token, from the cache or from the database.
    pub(crate) async fn find(&self, token: &str) -> Result<Option<Caller>, NotExecuted> {
        if token.len() > TOKEN_LENGTH_MAX {
            return Ok(None);
        }
        let hash = hash_of(token);
        if let Some(caller) = self.callers.get(&hash).await {
            return Ok(Some(caller));
        }
        if self.known.is_unknown(&hash) {
            return Ok(None);
        }
        let found = self
            .store
            .find_token(&hash, now())
            .await
            .map_err(unavailable)?;
        let found = found.filter(|found| {
            let credential = Credential::Token {
                token: hash,
                created_at: found.created_at,
                expires_at: found.expires_at,
            };
            let voucher = found.voucher.as_ref();
            self.vouching.accepts(&found.actor, &credential, voucher)
        });
        let Some(caller) = found.and_then(|found| caller(&found.actor)) else {
            return Ok(None);
        };
        self.callers.insert(hash, caller.clone()).await;
        Ok(Some(caller))
    }
}
