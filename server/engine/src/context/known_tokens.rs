//! The digests of all valid tokens, so that an unknown token costs no query.
//!
//! # Shape
//! A few unknown tokens a second are looked up, so that a new one is good immediately. Past these, a copy of the valid
//! digests decides; a task reads it again while unknown tokens come.
//!
//! # Limits
//! [`LOOKED_UP_PER_SECOND`] queries for unknown tokens; [`TOKENS_COPIED_MAX`] digests. A copy is used for
//! [`COPY_USED`]: a token just made is good within that time on every node.

use std::collections::HashSet;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use meterhouse_store::{Store, TokenHash};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

use crate::clock::now;
use crate::error_chain::ErrorChain;

/// Unknown tokens that are looked up in a second, and immediately.
const LOOKED_UP_PER_SECOND: NonZeroU32 = NonZeroU32::new(256).unwrap();
/// Digests of the largest copy: three megabytes. With more valid tokens every unknown one is looked up.
const TOKENS_COPIED_MAX: usize = 100_000;
/// Interval between two readings of the copy.
const COPIED_EVERY: Duration = Duration::from_millis(400);
/// Time for which a copy is used, from before it was read.
const COPY_USED: Duration = Duration::from_millis(900);

/// The digests that were valid at a time.
struct Copied {
    at: Instant,
    hashes: HashSet<TokenHash>,
}

/// The digests of all valid tokens. Cloning it is cheap; all clones are one.
#[derive(Clone)]
pub(crate) struct KnownTokens {
    inner: Arc<Inner>,
}

struct Inner {
    copied: Mutex<Option<Copied>>,
    looked_up: DefaultDirectRateLimiter,
    missed: Notify,
}

impl KnownTokens {
    pub(crate) fn new() -> Self {
        let inner = Inner {
            copied: Mutex::default(),
            looked_up: RateLimiter::direct(Quota::per_second(LOOKED_UP_PER_SECOND)),
            missed: Notify::new(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Returns `true` for a token that needs no query: it is not among the valid ones.
    pub(crate) fn is_unknown(&self, hash: &TokenHash) -> bool {
        match self.is_copied(hash) {
            Some(true) => false,
            Some(false) | None if self.inner.looked_up.check().is_ok() => false,
            Some(false) => {
                self.inner.missed.notify_one();
                true
            }
            None => {
                self.inner.missed.notify_one();
                false
            }
        }
    }

    /// Looks into the copy, if it is new enough.
    fn is_copied(&self, hash: &TokenHash) -> Option<bool> {
        // Nothing is awaited while this is held, and no code under it can panic half way.
        let copied = self.inner.copied.lock();
        let copied = copied.unwrap_or_else(PoisonError::into_inner);
        let copied = copied.as_ref();
        let copied = copied.filter(|copied| copied.at.elapsed() < COPY_USED);
        copied.map(|copied| copied.hashes.contains(hash))
    }

    /// Reads the copy while unknown tokens come, for good.
    pub(crate) async fn keep(self, store: Store) {
        loop {
            self.inner.missed.notified().await;
            let at = Instant::now();
            let copied = match store.token_hashes(now(), TOKENS_COPIED_MAX + 1).await {
                Ok(hashes) if hashes.len() <= TOKENS_COPIED_MAX => {
                    let hashes = hashes.into_iter().collect();
                    Some(Copied { at, hashes })
                }
                Ok(_) => None,
                Err(error) => {
                    tracing::warn!(error = %ErrorChain(&error), "the digests of tokens can't be read");
                    None
                }
            };
            *self
                .inner
                .copied
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = copied;
            sleep(COPIED_EVERY).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALID: TokenHash = [1; 32];
    const UNKNOWN: TokenHash = [2; 32];

    #[tokio::test(start_paused = true)]
    async fn a_copy_decides_while_it_is_new() {
        let known = KnownTokens::new();
        let is_unknown = |hash: &TokenHash| (0..10_000).filter(|_| known.is_unknown(hash)).count();
        assert_eq!(is_unknown(&UNKNOWN), 0, "without a copy each is looked up");
        let copied = Copied {
            at: Instant::now(),
            hashes: HashSet::from([VALID]),
        };
        *known.inner.copied.lock().expect("nobody panicked") = Some(copied);
        assert_eq!(is_unknown(&VALID), 0);
        assert!(is_unknown(&UNKNOWN) > 9_000, "few are looked up");
        tokio::time::advance(COPY_USED).await;
        assert_eq!(is_unknown(&UNKNOWN), 0, "a token may have been made since");
        known.inner.missed.notified().await;
    }
}
