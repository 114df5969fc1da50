//! The cache of recently used tokens and their holders.
//!
//! # Limits
//! A token is looked up again after [`REMEMBERED`]. Its end is known before, by [`HeldCredentials`]. The cache has
//! [`TOKENS_REMEMBERED`] entries. Queries for unknown tokens are limited by [`KnownDigests`].

use std::sync::Arc;
use std::time::Duration;

use meterhouse_journal::credential::Credential;
use meterhouse_store::{Store, TokenHash};
use moka::future::Cache;
use tokio::time::Instant;

use crate::access::Vouching;
use crate::answer::{NotExecuted, unavailable};
use crate::clock::now;
use crate::held_credentials::{Held, HeldCredentials, Standing};
use crate::known_digests::{KnownDigests, Secrets};
use crate::tokens::{Caller, caller, hash_of};

/// Time after which a token is looked up again.
const REMEMBERED: Duration = Duration::from_secs(5);
/// Maximum number of cached tokens.
const TOKENS_REMEMBERED: u64 = 10_000;
/// Maximum length of a token that is looked up, in characters.
const TOKEN_LENGTH_MAX: usize = 128;

/// The cache of recently used tokens.
pub(crate) struct TokenCache {
    store: Store,
    callers: Cache<TokenHash, Held<Caller>>,
    known: KnownDigests,
    held: HeldCredentials,
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
            held: HeldCredentials::new(Secrets::Tokens),
            vouching,
        }
    }

    /// Returns the digests of all valid tokens.
    pub(crate) fn known(&self) -> KnownDigests {
        self.known.clone()
    }

    /// Returns the tokens that are held.
    pub(crate) fn held(&self) -> HeldCredentials {
        self.held.clone()
    }

    /// Returns the holder of a token, from the cache or from the database.
    pub(crate) async fn find(&self, token: &str) -> Result<Option<Held<Caller>>, NotExecuted> {
        if token.len() > TOKEN_LENGTH_MAX {
            return Ok(None);
        }
        let hash = hash_of(token);
        if let Some(held) = self.callers.get(&hash).await
            && held.standing() == Standing::Valid
        {
            return Ok(Some(held));
        }
        if self.known.is_unknown(&hash) {
            return Ok(None);
        }
        let asked_at = Instant::now();
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
        let found = found.and_then(|found| Some((caller(&found.actor)?, found.expires_at)));
        let Some((caller, expires_at)) = found else {
            return Ok(None);
        };
        let held = self.held.hold(hash, expires_at, asked_at, caller);
        self.callers.insert(hash, held.clone()).await;
        Ok(Some(held))
    }
}
