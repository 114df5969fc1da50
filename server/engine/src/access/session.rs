//! Sessions of people who logged in, kept in the database for all nodes.
//!
//! # Limits
//! A session ends [`SESSION_LONGEST`] after its login, and [`SESSION_IDLE`] after its last use. A use is noted once in
//! [`SEEN_EVERY`]. Another node may accept a session for [`REMEMBERED`] after its end.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::Timestamp;
use meterhouse_journal::credential::Credential;
use meterhouse_store::{AccessChange, Only, Store, TokenHash};
use moka::future::Cache;
use sha2::{Digest as _, Sha256};

use super::login::micros;
use super::{AccessControl, AccessError, By, Vouching};
use crate::answer::{NotExecuted, unavailable};
use crate::clock::now;
use crate::tokens::{Caller, caller, hash_of};

/// Maximum length of a session: a long shift.
pub const SESSION_LONGEST: Duration = Duration::from_hours(12);
/// Maximum time between two uses of a session.
pub const SESSION_IDLE: Duration = Duration::from_mins(15);
/// Interval at which the use of a session is noted.
const SEEN_EVERY: Duration = Duration::from_mins(1);
/// Time for which a session is valid without another query.
const REMEMBERED: Duration = Duration::from_secs(5);
/// Maximum number of cached sessions.
const SESSIONS_REMEMBERED: u64 = 10_000;
/// Length of a session's secret as text.
const SECRET_LENGTH: usize = 64;
/// Beginning of the bytes whose digest is the token against forged requests.
const CSRF: &[u8] = b"meterhouse csrf ";

/// The holder of a session.
#[derive(Clone, Debug)]
pub struct SessionHolder {
    /// Person.
    pub caller: Caller,
    /// Latest end of the session.
    pub expires_at: Timestamp,
    /// Token that a request which changes something repeats in a header, so that another site can't make one.
    pub csrf: String,
}

/// The cache of recently used sessions.
pub(super) struct SessionCache {
    store: Store,
    vouching: Arc<Vouching>,
    holders: Cache<TokenHash, SessionHolder>,
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
        }
    }

    async fn find(&self, secret: &str) -> Result<Option<SessionHolder>, NotExecuted> {
        if secret.len() != SECRET_LENGTH {
            return Ok(None);
        }
        let hash = hash_of(secret);
        if let Some(holder) = self.holders.get(&hash).await {
            return Ok(Some(holder));
        }
        let now = now();
        let seen_since = Timestamp(now.0.saturating_sub(micros(SESSION_IDLE)));
        let found = self.store.find_session(&hash, now, seen_since).await;
        let Some(row) = found.map_err(unavailable)? else {
            return Ok(None);
        };
        let credential = Credential::Session {
            session: hash,
            created_at: row.created_at,
            expires_at: row.expires_at,
        };
        let voucher = row.voucher.as_ref();
        if !self.vouching.accepts(&row.actor, &credential, voucher) {
            return Ok(None);
        }
        let Some(caller) = caller(&row.actor) else {
            return Ok(None);
        };
        if now.0.saturating_sub(row.seen_at.0) >= micros(SEEN_EVERY) {
            let seen = self.store.see_session(&hash, now).await;
            seen.map_err(unavailable)?;
        }
        let holder = SessionHolder {
            caller,
            expires_at: row.expires_at,
            csrf: csrf_of(secret),
        };
        self.holders.insert(hash, holder.clone()).await;
        Ok(Some(holder))
    }

    /// Forgets all sessions, so that the database is asked again.
    pub(super) fn forget_all(&self) {
        self.holders.invalidate_all();
    }
}

impl AccessControl {
    /// Returns the holder of a session; `None` if it is unknown or has ended.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn session(&self, secret: &str) -> Result<Option<SessionHolder>, NotExecuted> {
        self.sessions.find(secret).await
    }

    /// Ends a session.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database refuses.
    pub async fn logout(&self, by: &By, secret: &str) -> Result<(), NotExecuted> {
        let ended = self.store.end_session(&hash_of(secret), now()).await;
        let was_open = ended.map_err(unavailable)?;
        self.sessions.forget_all();
        if was_open {
            self.record(by.act("logout", None)).await?;
        }
        Ok(())
    }

    /// Ends all sessions of a person, and returns their number.
    ///
    /// # Errors
    /// [`AccessError::UnknownName`], or if the database refuses.
    pub async fn end_sessions(&self, by: &By, name: &str) -> Result<u64, AccessError> {
        let change = AccessChange::Sessions {
            name: name.to_owned(),
        };
        let act = by.act("sessions_ended", Some(name));
        let changed = self.change(Only::Always, change, act).await?;
        self.sessions.forget_all();
        Ok(changed.ended)
    }
}

/// Returns the token against forged requests of a session.
pub(super) fn csrf_of(secret: &str) -> String {
    let digest = Sha256::new_with_prefix(CSRF).chain_update(secret.as_bytes());
    hex::encode(digest.finalize())
}
