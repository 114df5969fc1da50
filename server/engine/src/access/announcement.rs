//! Announcements: an access that may configure is announced to an address outside before it is granted.
//!
//! # Order
//! An access is announced after its proof was right, and before the change that grants it. No transaction is open
//! meanwhile. A caller that leaves ends the wait, and nothing was granted.
//!
//! # Limits
//! An announcement takes [`ANNOUNCE_WAIT_MAX`] at most, and [`ANNOUNCEMENTS_AT_ONCE_MAX`] are on their way at once. Each
//! further one fails immediately.

use std::fmt::Debug;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::Timestamp;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::tokens::{Caller, GivenRights, Role};

/// Maximum time of an announcement: half the time in which a request over HTTP is answered.
const ANNOUNCE_WAIT_MAX: Duration = Duration::from_secs(5);
/// Maximum number of announcements that are on their way at once.
const ANNOUNCEMENTS_AT_ONCE_MAX: usize = 16;

/// The kind of an announced access.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum AnnouncedAccess {
    /// A session of a person.
    Login,
    /// A token.
    Token,
    /// A signature by PIN.
    Signature,
}

impl AnnouncedAccess {
    /// Returns the word on the wire and in the record.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Token => "token",
            Self::Signature => "signature",
        }
    }
}

/// An access that may configure, before it is granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// Identity of the house's database.
    pub house: [u8; 16],
    /// Time of the announcement.
    pub at: Timestamp,
    /// Kind of the access.
    pub access: AnnouncedAccess,
    /// Name of the holder.
    pub name: String,
    /// Role of the holder.
    pub role: Role,
    /// Department of the holder.
    pub department: Option<String>,
    /// Rights of a holder who has fewer than the role.
    pub rights: Option<GivenRights>,
    /// Name of the person who asks for it: the holder at a login, the administrator for a token.
    pub by: Option<String>,
    /// Proof of that person, as in the record.
    pub proof: &'static str,
    /// Address of that person's client.
    pub address: Option<String>,
}

/// The running of an announcement.
pub type Announcing<'a> = Pin<Box<dyn Future<Output = Result<(), AnnouncementError>> + Send + 'a>>;

/// The way to the address that accesses are announced to.
pub trait Announcer: Debug + Send + Sync {
    /// Returns the host of the address, for the record.
    fn host(&self) -> &str;

    /// Announces an access. The caller limits the time, and drops what takes longer.
    ///
    /// # Errors
    /// [`AnnouncementError`] unless the address has confirmed it.
    fn announce(&self, announcement: Announcement) -> Announcing<'_>;
}

/// An announcement that was not confirmed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct AnnouncementError {
    why: String,
}

impl AnnouncementError {
    /// Returns the error with its cause, as in `the address answered 500`.
    pub fn new(why: impl Into<String>) -> Self {
        Self { why: why.into() }
    }
}

/// An access that was not granted, because its announcement was not confirmed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "nothing was granted: this access may configure, and {host} did not confirm its announcement ({why})"
)]
pub struct NotAnnounced {
    /// Host of the address.
    pub host: String,
    /// Cause.
    pub why: AnnouncementError,
}

/// The announcements of a house: the holders that are announced, and the way to the address.
#[derive(Clone, Debug)]
pub struct Announcements {
    announcer: Arc<dyn Announcer>,
    is_announced: fn(&Caller) -> bool,
    wait_max: Duration,
    turns: Arc<Semaphore>,
}

impl Announcements {
    /// Returns the announcements of the holders for whom a function of the policy returns `true`.
    pub fn new(announcer: Arc<dyn Announcer>, is_announced: fn(&Caller) -> bool) -> Self {
        Self {
            announcer,
            is_announced,
            wait_max: ANNOUNCE_WAIT_MAX,
            turns: Arc::new(Semaphore::new(ANNOUNCEMENTS_AT_ONCE_MAX)),
        }
    }

    /// Returns the announcements with another maximum time of each.
    #[must_use]
    pub const fn with_wait_max(mut self, wait_max: Duration) -> Self {
        self.wait_max = wait_max;
        self
    }

    /// Returns `true` if the access of this holder is announced.
    pub(super) fn is_of(&self, holder: &Caller) -> bool {
        (self.is_announced)(holder)
    }

    /// Returns the host of the address.
    pub(super) fn host(&self) -> &str {
        self.announcer.host()
    }

    /// Announces an access, and waits for its confirmation.
    ///
    /// # Errors
    /// [`AnnouncementError`] if it was not confirmed in time, or too many others wait.
    pub(super) async fn send(&self, announcement: Announcement) -> Result<(), AnnouncementError> {
        let Ok(_turn) = self.turns.try_acquire() else {
            return Err(AnnouncementError::new("too many announcements wait"));
        };
        let sent = timeout(self.wait_max, self.announcer.announce(announcement)).await;
        sent.unwrap_or_else(|_| {
            let seconds = self.wait_max.as_secs_f64();
            let why = format!("there was no answer within {seconds} s");
            Err(AnnouncementError::new(why))
        })
    }
}
