//! The cache of recently used sessions and signatures, which the database keeps for all nodes.
//!
//! # Limits
//! A session ends [`SESSION_LONGEST`] after its login, and [`SESSION_IDLE`] after its last use. A use is noted once in
//! [`SEEN_EVERY`]. A session is looked up again after [`REMEMBERED`]; an earlier end is known by [`HeldCredentials`]. Queries
//! for unknown sessions are limited by [`KnownDigests`].

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::Timestamp;
use meterhouse_journal::credential::Credential;
use meterhouse_store::{SessionRow, Store, TokenHash};
use moka::future::Cache;
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use super::vouching::Vouching;
use crate::answer::{NotExecuted, unavailable};
use crate::clock::{earlier, micros, now};
use crate::held_credentials::{Held, HeldCredentials, Standing};
use crate::known_digests::{KnownDigests, Secrets};
use crate::tokens::{Caller, caller, hash_of};

/// Maximum length of a session: a long shift.
pub const SESSION_LONGEST: Duration = Duration::from_hours(12);
/// Maximum time between two uses of a session.
const SESSION_IDLE: Duration = Duration::from_mins(15);
/// Interval at which the use of a session is noted.
const SEEN_EVERY: Duration = Duration::from_mins(1);
/// Time after which a session is looked up again.
const REMEMBERED: Duration = Duration::from_secs(5);
/// Maximum number of cached sessions.
const SESSIONS_REMEMBERED: u64 = 10_000;
/// Length of a session's secret as text.
const SECRET_LENGTH: usize = 64;
/// Beginning of a signature's token, which tells it from other tokens.
pub(super) const SIGNATURE_PREFIX: &str = "sig-";
/// Beginning of the bytes whose digest is the token against forged requests.
const CSRF: &[u8] = b"meterhouse csrf ";

/// The holder of a session or signature.
#[derive(Clone, Debug)]
pub struct SessionHolder {
    /// Person.
    pub caller: Caller,
    /// Time of the login.
    pub created_at: Timestamp,
    /// Latest end of the session.
    pub expires_at: Timestamp,
    /// Token that a request which changes something repeats in a header, so that another site can't make one.
    pub csrf: String,
}

/// The cache of recently used sessions.
pub(super) struct SessionCache {
    store: Store,
    vouching: Arc<Vouching>,
    holders: Cache<TokenHash, Held<SessionHolder>>,
    known: KnownDigests,
    held: HeldCredentials,
}

impl SessionCache {
    pub(super) fn new(store: Store, vouching: Arc<Vouching>) -> Self {
        let holders = Cache::builder()
            .max_capacity(SESSIONS_REMEMBERED)
            .time_to_live(REMEMBERED)
            .build();
        Self {
            store,
            vouching,
            holders,
            known: KnownDigests::new(Secrets::Sessions),
            held: HeldCredentials::new(Secrets::Sessions),
        }
    }

    /// Returns the digests of all valid sessions.
    pub(super) fn known(&self) -> KnownDigests {
        self.known.clone()
    }

    /// Returns the sessions that are held.
    pub(super) fn held(&self) -> HeldCredentials {
        self.held.clone()
    }

    /// Returns the holder of a session.
    pub(super) async fn find(&self, secret: &str) -> Result<Option<SessionHolder>, NotExecuted> {
        if secret.len() != SECRET_LENGTH {
            return Ok(None);
        }
        let held = self.holder(secret).await?;
        let held = held.filter(|held| !held.caller.is_signature);
        Ok(held.map(|held| (*held).clone()))
    }

    /// Returns the holder of a signature.
    pub(super) async fn find_signature(
        &self,
        token: &str,
    ) -> Result<Option<Held<Caller>>, NotExecuted> {
        if !is_signature(token) {
            return Ok(None);
        }
        let held = self.holder(token).await?;
        let held = held.filter(|held| held.caller.is_signature);
        Ok(held.map(|held| held.with(held.caller.clone())))
    }

    async fn holder(&self, secret: &str) -> Result<Option<Held<SessionHolder>>, NotExecuted> {
        let hash = hash_of(secret);
        if let Some(held) = self.holders.get(&hash).await
            && held.standing() == Standing::Valid
        {
            return Ok(Some(held));
        }
        if self.known.is_unknown(&hash) {
            return Ok(None);
        }
        let now = now();
        let seen_since = earlier(now, SESSION_IDLE);
        let asked_at = Instant::now();
        let found = self.store.find_session(&hash, now, seen_since).await;
        let Some(row) = found.map_err(unavailable)? else {
            return Ok(None);
        };
        let voucher = row.voucher.as_ref();
        let credential = credential(hash, &row);
        if !self.vouching.accepts(&row.actor, &credential, voucher) {
            return Ok(None);
        }
        let Some(caller) = caller(&row.actor) else {
            return Ok(None);
        };
        let caller = Caller {
            is_signature: row.is_signature,
            ..caller
        };
        if now.0.saturating_sub(row.seen_at.0) >= micros(SEEN_EVERY) {
            let seen = self.store.see_session(&hash, now).await;
            seen.map_err(unavailable)?;
        }
        let holder = SessionHolder {
            caller,
            created_at: row.created_at,
            expires_at: row.expires_at,
            csrf: csrf_of(secret),
        };
        let held = self
            .held
            .hold(hash, Some(holder.expires_at), asked_at, holder);
        self.holders.insert(hash, held.clone()).await;
        Ok(Some(held))
    }

    /// Returns a session that was found before, without its holder, if it has not ended. Its use is not noted.
    pub(super) async fn going_on(&self, secret: &str) -> Result<Option<Held<()>>, NotExecuted> {
        let now = now();
        let asked_at = Instant::now();
        let seen_since = earlier(now, SESSION_IDLE);
        let hash = hash_of(secret);
        let found = self.store.find_session(&hash, now, seen_since).await;
        let found = found.map_err(unavailable)?;
        let held = |row: SessionRow| self.held.hold(hash, Some(row.expires_at), asked_at, ());
        Ok(found.map(held))
    }

    /// Forgets all sessions, so that the database is asked again.
    pub(super) fn forget_all(&self) {
        self.holders.invalidate_all();
    }
}

/// Returns the credential in a row.
const fn credential(hash: TokenHash, row: &SessionRow) -> Credential {
    let (created_at, expires_at) = (row.created_at, row.expires_at);
    if row.is_signature {
        Credential::Signature {
            signature: hash,
            created_at,
            expires_at,
        }
    } else {
        Credential::Session {
            session: hash,
            created_at,
            expires_at,
        }
    }
}

/// Returns `true` for a text that has the form of a signature's token.
pub(crate) fn is_signature(token: &str) -> bool {
    let secret = token.strip_prefix(SIGNATURE_PREFIX);
    secret.is_some_and(|secret| secret.len() == SECRET_LENGTH)
}

/// Returns the token against forged requests of a session.
fn csrf_of(secret: &str) -> String {
    let digest = Sha256::new_with_prefix(CSRF).chain_update(secret.as_bytes());
    hex::encode(digest.finalize())
}
