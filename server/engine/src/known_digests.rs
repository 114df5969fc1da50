//! The digests of all valid tokens, or of all valid sessions, so that an unknown one costs no query.
//!
//! # Shape
//! A limited number of unknown secrets a second is looked up, so that a new one is valid immediately. Beyond the
//! limit, a copy of the valid digests decides. A task reads the copy again while unknown secrets come.
//!
//! # Limits
//! [`LOOKED_UP_PER_SECOND`] queries for unknown secrets; [`DIGESTS_COPIED_MAX`] digests. A copy is used for
//! [`COPY_USED`], so a new secret is valid on every node within that time.

use std::collections::HashSet;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use meterhouse_store::{Store, StoreError, TokenHash};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

use crate::clock::now;
use crate::error_chain::ErrorChain;

/// Unknown secrets that are looked up in a second.
const LOOKED_UP_PER_SECOND: NonZeroU32 = NonZeroU32::new(256).unwrap();
/// Digests of the largest copy: three megabytes. With more valid secrets, every unknown one is looked up.
const DIGESTS_COPIED_MAX: usize = 100_000;
/// Interval between two readings of the copy.
const COPIED_EVERY: Duration = Duration::from_millis(400);
/// Time for which a copy is used, from before it was read.
const COPY_USED: Duration = Duration::from_millis(900);

/// The secrets of a set of digests.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Secrets {
    /// Tokens.
    Tokens,
    /// Sessions.
    Sessions,
}

impl Secrets {
    /// Reads the digests of at most one more than fit into a copy.
    async fn read(self, store: &Store) -> Result<Vec<TokenHash>, StoreError> {
        let limit = DIGESTS_COPIED_MAX + 1;
        match self {
            Self::Tokens => store.token_hashes(now(), limit).await,
            Self::Sessions => store.session_hashes(now(), limit).await,
        }
    }
}

/// The digests that were valid at a time.
struct DigestCopy {
    at: Instant,
    hashes: HashSet<TokenHash>,
}

/// The digests of all valid secrets of a kind. Clones are cheap and share the digests.
#[derive(Clone)]
pub(crate) struct KnownDigests {
    inner: Arc<SharedCopy>,
}

struct SharedCopy {
    secrets: Secrets,
    copied: Mutex<Option<DigestCopy>>,
    looked_up: DefaultDirectRateLimiter,
    missed: Notify,
}

impl KnownDigests {
    pub(crate) fn new(secrets: Secrets) -> Self {
        let inner = SharedCopy {
            secrets,
            copied: Mutex::default(),
            looked_up: RateLimiter::direct(Quota::per_second(LOOKED_UP_PER_SECOND)),
            missed: Notify::new(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Returns `true` if the secret is not among the valid ones and needs no query.
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

    /// Looks the secret up in the copy, if the copy is recent enough.
    fn is_copied(&self, hash: &TokenHash) -> Option<bool> {
        // No code awaits or panics while the lock is held, so a poisoned lock is ignored.
        let copied = self.inner.copied.lock();
        let copied = copied.unwrap_or_else(PoisonError::into_inner);
        let copied = copied.as_ref();
        let copied = copied.filter(|copied| copied.at.elapsed() < COPY_USED);
        copied.map(|copied| copied.hashes.contains(hash))
    }

    /// Reads the copy while unknown secrets come. Never returns.
    pub(crate) async fn refresh(self, store: Store) {
        loop {
            self.inner.missed.notified().await;
            let at = Instant::now();
            let copied = match self.inner.secrets.read(&store).await {
                Ok(hashes) if hashes.len() <= DIGESTS_COPIED_MAX => {
                    let hashes = hashes.into_iter().collect();
                    Some(DigestCopy { at, hashes })
                }
                Ok(_) => None,
                Err(error) => {
                    tracing::warn!(secrets = ?self.inner.secrets, error = %ErrorChain(&error), "valid digests can't be read");
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
    async fn a_recent_copy_decides_on_unknown_tokens() {
        let known = KnownDigests::new(Secrets::Tokens);
        let is_unknown = |hash: &TokenHash| (0..10_000).filter(|_| known.is_unknown(hash)).count();
        assert_eq!(is_unknown(&UNKNOWN), 0, "without a copy each is looked up");
        let copied = DigestCopy {
            at: Instant::now(),
            hashes: HashSet::from([VALID]),
        };
        *known.inner.copied.lock().expect("the lock is not poisoned") = Some(copied);
        assert_eq!(is_unknown(&VALID), 0);
        assert!(is_unknown(&UNKNOWN) > 9_000, "few are looked up");
        tokio::time::advance(COPY_USED).await;
        assert_eq!(is_unknown(&UNKNOWN), 0, "a token may have been made since");
        known.inner.missed.notified().await;
    }
}
