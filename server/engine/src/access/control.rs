//! The access control of one process: its parts, and the one way to make a change.

use std::sync::Arc;

use meterhouse_store::{AccessChange, Changed, NewAct, Only, Store};
use tokio::sync::Semaphore;

use super::announcement::Announcements;
use super::error::AccessError;
use super::pairing_limits::PairingLimits;
use super::refusal_limit::RefusalLimit;
use super::session_cache::SessionCache;
use super::vouching::Vouching;
use crate::answer::NotExecuted;
use crate::clock::now;
use crate::held_credentials::HeldCredentials;
use crate::known_digests::KnownDigests;
use crate::own_thread::to_the_end;

/// Maximum number of hashes that are computed at once: each takes 19 MiB and a core for some 30 ms.
const HASHES_AT_ONCE_MAX: usize = 2;
/// The access control of one process.
pub struct AccessControl {
    pub(super) store: Store,
    pub(super) vouching: Arc<Vouching>,
    pub(super) hashing: Arc<Semaphore>,
    pub(super) sessions: SessionCache,
    pub(super) refusals: RefusalLimit,
    pub(super) pairing_limits: PairingLimits,
    pub(super) announcements: Option<Announcements>,
}

impl AccessControl {
    /// Creates the access control over a database.
    pub fn new(store: Store, vouching: Arc<Vouching>) -> Self {
        Self {
            sessions: SessionCache::new(store.clone(), Arc::clone(&vouching)),
            store,
            vouching,
            hashing: Arc::new(Semaphore::new(HASHES_AT_ONCE_MAX)),
            refusals: RefusalLimit::new(),
            pairing_limits: PairingLimits::new(),
            announcements: None,
        }
    }

    /// Returns the digests of all valid sessions, which a task reads while unknown ones come.
    pub(crate) fn known_sessions(&self) -> KnownDigests {
        self.sessions.known()
    }

    /// Returns the sessions that are held, whose end a task asks for.
    pub(crate) fn held_sessions(&self) -> HeldCredentials {
        self.sessions.held()
    }

    /// Announces each access that may configure before it is granted, if there are announcements.
    #[must_use]
    pub fn with_announcements(mut self, announcements: Option<Announcements>) -> Self {
        self.announcements = announcements;
        self
    }

    /// Makes a change with its act, to its end even if the caller is gone.
    pub(super) async fn change(
        &self,
        only: Only,
        change: AccessChange,
        act: NewAct,
    ) -> Result<Changed, AccessError> {
        let (store, vouching) = (self.store.clone(), Arc::clone(&self.vouching));
        let changing = to_the_end(async move || {
            let vouch = move |owner: &_, credential: &_| vouching.vouch(owner, credential);
            let changing = store.change_access(now(), only, &change, Some(&act), &vouch);
            changing.await
        });
        let changed = changing.await.map_err(|_| NotExecuted::OutcomeUnknown)?;
        Ok(changed?)
    }
}
