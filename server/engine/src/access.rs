//! Access of people and programs: logins, sessions, passwords, tokens, and the record of what was done with them.
//!
//! # Shape
//! [`AccessControl`] is shared by the server and by the commands of the program. Every change is one transaction with
//! its entries in the house's chain and its act.
//!
//! # Limits
//! Each module names its own.

mod acts;
mod admission;
mod login;
mod password;
mod second_factor;
mod session;
mod vouching;

use std::sync::Arc;

use meterhouse_domain::ids::ActorId;
use meterhouse_store::{AccessChange, Changed, Store, StoreError};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use self::acts::RefusalLimit;
pub(crate) use self::acts::record_all;
pub use self::acts::{ActPage, REFUSALS_A_MINUTE};
pub use self::admission::{CODE_GOOD, NewCode};
pub use self::login::{FREE_FAILURES, LOGIN_DELAY_MAX, LoggedIn, LoginError, LoginRequest};
use self::password::HASHES_AT_ONCE_MAX;
pub use self::password::{PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, PasswordProof};
pub use self::second_factor::NewFactor;
use self::session::SessionCache;
pub use self::session::{SESSION_IDLE, SESSION_LONGEST, SessionHolder};
pub use self::vouching::Vouching;
use crate::answer::{NotExecuted, unavailable};
use crate::clock::now;
pub use meterhouse_journal::act::Act;
pub use meterhouse_store::{ActFilter, NewAct, NewActor, Only, PersonRow, TokenRow};

/// Word of the act of a command that admits somebody without an administrator, though there is one.
pub const BREAK_GLASS: &str = "break_glass";

/// The access control of one process.
pub struct AccessControl {
    store: Store,
    vouching: Arc<Vouching>,
    hashing: Arc<Semaphore>,
    sessions: SessionCache,
    refusals: RefusalLimit,
}

/// The person or program that does something, and how the server knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct By {
    /// Number of the actor, if it is known.
    pub actor: Option<ActorId>,
    /// Name of the actor.
    pub name: Option<String>,
    /// Proof: `session`, `token`, `password`, `code` or `command line`.
    pub proof: &'static str,
    /// Address of the client.
    pub address: Option<String>,
    /// Further facts, each with its name, such as a reason.
    pub details: Vec<(String, String)>,
}

impl By {
    /// Returns the act that this person or program did.
    pub fn act(&self, act: &'static str, subject: Option<&str>) -> NewAct {
        NewAct {
            act,
            actor: self.actor,
            name: self.name.clone(),
            proof: self.proof,
            address: self.address.clone(),
            subject: subject.map(str::to_owned),
            details: self.details.clone(),
        }
    }
}

/// A change of access that was not made.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// Nobody has this name.
    #[error("there is nobody with the name {0:?}")]
    UnknownName(String),
    /// The name belongs to somebody with another role, table, link, department or rights.
    #[error("the name {0:?} belongs to somebody else")]
    Differs(String),
    /// There is an administrator, who has to be named.
    #[error("there is an administrator, without whom nobody is admitted")]
    AdministratorExists,
    /// The new password does not follow the rules.
    #[error("{0}")]
    WeakPassword(&'static str),
    /// The second factor's code does not belong to the secret.
    #[error("the code does not belong to the secret")]
    WrongCode,
    /// The name and its password or code are not right.
    #[error(transparent)]
    Login(#[from] LoginError),
    /// The database did not do it.
    #[error(transparent)]
    NotExecuted(#[from] NotExecuted),
}

impl From<StoreError> for AccessError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::UnknownActor { name } => Self::UnknownName(name),
            StoreError::ActorDiffers { name } => Self::Differs(name),
            StoreError::AdministratorExists => Self::AdministratorExists,
            error => Self::NotExecuted(unavailable(error)),
        }
    }
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
        }
    }

    /// Makes a change with its act, to its end even if the caller is gone.
    async fn change(
        &self,
        only: Only,
        change: AccessChange,
        act: NewAct,
    ) -> Result<Changed, AccessError> {
        let (store, vouching) = (self.store.clone(), Arc::clone(&self.vouching));
        let runtime = Handle::current();
        // A separate thread, because the compiler can't prove that the transaction's closure is `Send`.
        let changing = spawn_blocking(move || {
            let vouch = move |owner: &_, credential: &_| vouching.vouch(owner, credential);
            runtime.block_on(store.change_access(now(), only, &change, Some(&act), &vouch))
        });
        let changed = changing.await.map_err(|_| NotExecuted::OutcomeUnknown)?;
        Ok(changed?)
    }
}
