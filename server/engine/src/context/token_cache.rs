//! The holders of tokens that were looked up lately.
//!
//! # Limits
//! A revoked token may be good for [`REMEMBERED`] longer on a node that has just seen it; [`TOKENS_REMEMBERED`] are
//! remembered. Unknown ones are counted out by [`KnownTokens`].

use std::time::Duration;

use meterhouse_store::{Store, TokenHash};
use moka::future::Cache;

use super::known_tokens::KnownTokens;
use crate::answer::{Denied, unavailable};
use crate::clock::now;
use crate::tokens::{Caller, caller, hash_of};

/// How long a looked-up token is believed without asking again.
const REMEMBERED: Duration = Duration::from_secs(5);
/// Tokens that are remembered at once.
const TOKENS_REMEMBERED: u64 = 10_000;
/// Characters of the longest text that is looked up as a token.
const TOKEN_LENGTH_MAX: usize = 128;

/// Tokens seen lately.
pub(crate) struct TokenCache {
    store: Store,
    callers: Cache<TokenHash, Caller>,
    known: KnownTokens,
}

impl TokenCache {
    pub(crate) fn new(store: Store) -> Self {
        let callers = Cache::builder()
            .max_capacity(TOKENS_REMEMBERED)
            .time_to_live(REMEMBERED)
            .build();
        let known = KnownTokens::new();
        Self {
            store,
            callers,
            known,
        }
    }

    /// The digests of all valid tokens.
    pub(crate) fn known(&self) -> KnownTokens {
        self.known.clone()
    }

    /// Returns the holder of a token, from the cache or from the database.
    pub(crate) async fn find(&self, token: &str) -> Result<Option<Caller>, Denied> {
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
        let actor = self
            .store
            .find_token(&hash, now())
            .await
            .map_err(unavailable)?;
        let Some(caller) = actor.as_ref().and_then(caller) else {
            return Ok(None);
        };
        self.callers.insert(hash, caller.clone()).await;
        Ok(Some(caller))
    }
}
