//! Credentials that were found valid and are held: by a cache, an open connection, a stream or a feed.
//!
//! # Shape
//! A credential is looked up once and held with its holder. One query for all held ones of a kind tells which have ended, so
//! that the end of a credential reaches what is open without a query for each request.
//!
//! # Limits
//! The query follows [`CONFIRMED_EVERY`] after the one before. A held credential counts for [`CONFIRMED_MAX`] after its last
//! confirmation and not beyond its own expiry, so that a revoked one counts nowhere for longer. One query asks about at most
//! [`HASHES_ASKED_MAX`].

use std::collections::HashSet;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use meterhouse_domain::ids::Timestamp;
use meterhouse_store::{Store, StoreError, TokenHash};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

use crate::clock::{micros, now};
use crate::error_chain::ErrorChain;
use crate::known_digests::Secrets;

/// Interval between two queries for those that have ended.
pub const CONFIRMED_EVERY: Duration = Duration::from_millis(300);
/// Time for which a held credential counts, from before the query that confirmed it.
pub const CONFIRMED_MAX: Duration = Duration::from_millis(900);
/// Maximum number of credentials in one query.
const HASHES_ASKED_MAX: usize = 10_000;

const _: () = assert!(2 * CONFIRMED_EVERY.as_millis() < CONFIRMED_MAX.as_millis());

/// What a held credential is worth now.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It counts.
    Valid,
    /// It was not confirmed lately, and has to be looked up.
    Unconfirmed,
    /// It has ended or expired, for good.
    Ended,
}

/// A credential that was found valid, with its holder. Clones share both.
#[derive(Clone, Debug)]
pub struct Held<T> {
    credential: Arc<HeldCredential>,
    holder: Arc<T>,
}

impl<T> Held<T> {
    /// Returns what the credential is worth now, without a query.
    pub fn standing(&self) -> Standing {
        self.credential.standing()
    }

    /// Returns the same credential with another holder.
    pub(crate) fn with<U>(&self, holder: U) -> Held<U> {
        Held {
            credential: Arc::clone(&self.credential),
            holder: Arc::new(holder),
        }
    }
}

impl<T> Deref for Held<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.holder
    }
}

/// A credential without its holder.
#[derive(Debug)]
struct HeldCredential {
    hash: TokenHash,
    expires_at: Option<Timestamp>,
    /// Start of the process's count of time.
    start: Instant,
    /// Time of the last confirmation, in microseconds since `start`.
    confirmed_at: AtomicI64,
    has_ended: AtomicBool,
}

impl HeldCredential {
    fn standing(&self) -> Standing {
        let is_over = |expires_at: Timestamp| expires_at <= now();
        if self.has_ended.load(Ordering::Acquire) || self.expires_at.is_some_and(is_over) {
            return Standing::Ended;
        }
        let confirmed_at = self.confirmed_at.load(Ordering::Acquire);
        if micros(self.start.elapsed()) - confirmed_at < micros(CONFIRMED_MAX) {
            Standing::Valid
        } else {
            Standing::Unconfirmed
        }
    }

    /// Notes the answer to a query that began at a time.
    fn answer(&self, asked_at: Instant, has_ended: bool) {
        if has_ended {
            self.has_ended.store(true, Ordering::Release);
        } else {
            let confirmed_at = micros(asked_at.duration_since(self.start));
            self.confirmed_at.fetch_max(confirmed_at, Ordering::AcqRel);
        }
    }
}

/// All held credentials of a kind. Clones are cheap and share them.
#[derive(Clone)]
pub(crate) struct HeldCredentials {
    inner: Arc<HeldSet>,
}

struct HeldSet {
    secrets: Secrets,
    start: Instant,
    /// What is held nowhere any more drops out at the next query.
    held: Mutex<Vec<Weak<HeldCredential>>>,
    added: Notify,
}

impl HeldCredentials {
    pub(crate) fn new(secrets: Secrets) -> Self {
        let set = HeldSet {
            secrets,
            start: Instant::now(),
            held: Mutex::default(),
            added: Notify::new(),
        };
        Self {
            inner: Arc::new(set),
        }
    }

    /// Holds a credential that a query, which began at a time, found valid.
    pub(crate) fn hold<T>(
        &self,
        hash: TokenHash,
        expires_at: Option<Timestamp>,
        asked_at: Instant,
        holder: T,
    ) -> Held<T> {
        let start = self.inner.start;
        let credential = Arc::new(HeldCredential {
            hash,
            expires_at,
            start,
            confirmed_at: AtomicI64::new(micros(asked_at.duration_since(start))),
            has_ended: AtomicBool::new(false),
        });
        let mut held = self.inner.lock();
        held.push(Arc::downgrade(&credential));
        drop(held);
        self.inner.added.notify_one();
        Held {
            credential,
            holder: Arc::new(holder),
        }
    }

    /// Asks again and again which of the held credentials have ended. Never returns.
    pub(crate) async fn confirm(self, store: Store) {
        let mut failed = false;
        loop {
            let held = self.inner.living();
            if held.is_empty() {
                self.inner.added.notified().await;
                continue;
            }
            for some in held.chunks(HASHES_ASKED_MAX) {
                let asked_at = Instant::now();
                match self.inner.secrets.ended(&store, some).await {
                    Ok(ended) => {
                        failed = false;
                        for credential in some {
                            credential.answer(asked_at, ended.contains(&credential.hash));
                        }
                    }
                    Err(error) if !failed => {
                        failed = true;
                        tracing::warn!(secrets = ?self.inner.secrets, error = %ErrorChain(&error), "valid credentials can't be confirmed");
                    }
                    Err(_) => {}
                }
            }
            drop(held);
            sleep(CONFIRMED_EVERY).await;
        }
    }
}

impl HeldSet {
    /// No code awaits or panics while the lock is held, so a poisoned lock is ignored.
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Weak<HeldCredential>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what is still held and has not ended.
    fn living(&self) -> Vec<Arc<HeldCredential>> {
        let mut living = Vec::new();
        self.lock().retain(|held| {
            let held = held.upgrade();
            let held = held.filter(|held| held.standing() != Standing::Ended);
            let is_living = held.is_some();
            living.extend(held);
            is_living
        });
        living
    }
}

impl Secrets {
    /// Reads which of some credentials have ended.
    async fn ended(
        self,
        store: &Store,
        some: &[Arc<HeldCredential>],
    ) -> Result<HashSet<TokenHash>, StoreError> {
        let hashes: HashSet<TokenHash> = some.iter().map(|held| held.hash).collect();
        let hashes: Vec<TokenHash> = hashes.into_iter().collect();
        let ended = match self {
            Self::Tokens => store.ended_tokens(&hashes, now()).await?,
            Self::Sessions => store.ended_sessions(&hashes, now()).await?,
        };
        Ok(ended.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: TokenHash = [1; 32];

    #[tokio::test(start_paused = true)]
    async fn a_held_credential_counts_while_it_is_confirmed() {
        let all = HeldCredentials::new(Secrets::Tokens);
        let held = all.hold(HASH, None, Instant::now(), "ana");
        assert_eq!((*held, held.standing()), ("ana", Standing::Valid));
        tokio::time::advance(CONFIRMED_MAX).await;
        assert_eq!(held.standing(), Standing::Unconfirmed);
        held.credential.answer(Instant::now(), false);
        assert_eq!(held.standing(), Standing::Valid);
        held.credential.answer(Instant::now(), true);
        assert_eq!(held.standing(), Standing::Ended);
        held.credential.answer(Instant::now(), false);
        assert_eq!(held.standing(), Standing::Ended, "the end is final");
        assert!(all.inner.living().is_empty(), "nothing is asked about it");
    }

    /// A query that began before another one and ends after it takes nothing back.
    #[tokio::test(start_paused = true)]
    async fn the_newest_confirmation_counts() {
        let all = HeldCredentials::new(Secrets::Tokens);
        let early = Instant::now();
        let held = all.hold(HASH, None, early, ());
        tokio::time::advance(CONFIRMED_MAX).await;
        held.credential.answer(Instant::now(), false);
        held.credential.answer(early, false);
        assert_eq!(held.standing(), Standing::Valid);
    }

    #[tokio::test(start_paused = true)]
    async fn an_expired_credential_has_ended() {
        let all = HeldCredentials::new(Secrets::Sessions);
        let held = |expires_at| all.hold(HASH, Some(expires_at), Instant::now(), ());
        assert_eq!(held(now()).standing(), Standing::Ended);
        let later = Timestamp(now().0 + 60_000_000);
        assert_eq!(held(later).standing(), Standing::Valid);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_held_nowhere_is_not_asked_about() {
        let all = HeldCredentials::new(Secrets::Tokens);
        let held = all.hold(HASH, None, Instant::now(), ());
        let again = held.clone();
        drop(held);
        assert_eq!(all.inner.living().len(), 1);
        drop(again);
        assert_eq!(all.inner.living().len(), 0);
        assert_eq!(all.inner.lock().len(), 0);
    }
}
