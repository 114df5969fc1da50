//! Errors of logins and of changes of access.

use std::time::Duration;

use meterhouse_store::StoreError;

use super::announcement::NotAnnounced;
use crate::answer::{NotExecuted, unavailable};

/// A login that did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    /// The name and the password, or the code of the second factor, are not right.
    #[error("the name, the password or the code is not right")]
    Wrong,
    /// The password is right, and the code of the second factor is missing.
    #[error("the code of the second factor is missing")]
    CodeMissing,
    /// The subject of OpenID Connect has no person who may come in.
    #[error("nobody who may come in has this subject of OpenID Connect")]
    NotAdmitted,
    /// The name and the PIN are not right.
    #[error("the PIN is not right")]
    WrongPin {
        /// Number of tries until the PIN is blocked.
        tries_left: u32,
    },
    /// There were too many wrong PINs in a row.
    #[error("there were too many wrong PINs: set a new one")]
    PinBlocked,
    /// The login may configure, and could not be announced.
    #[error(transparent)]
    NotAnnounced(#[from] NotAnnounced),
    /// There were too many wrong attempts.
    #[error("there were too many wrong attempts: wait {} s", .0.as_secs())]
    Delayed(Duration),
    /// Too many logins wait.
    #[error("too many logins wait")]
    Busy,
    /// The database did not answer.
    #[error(transparent)]
    NotExecuted(#[from] NotExecuted),
}

impl From<StoreError> for LoginError {
    fn from(error: StoreError) -> Self {
        Self::NotExecuted(unavailable(error))
    }
}

/// A change of access that was not made.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// An unknown name.
    #[error("there is nobody with the name {0:?}")]
    UnknownName(String),
    /// The name belongs to a person or program with another role, table, link, department or rights.
    #[error("the name {0:?} belongs to somebody else")]
    Differs(String),
    /// Another person has the subject of OpenID Connect.
    #[error("{0:?} logs in by this subject of OpenID Connect: remove it there first")]
    OpenIdTaken(String),
    /// The access of the name has ended.
    #[error("the access of {0:?} has ended: restore it first")]
    Ended(String),
    /// An administrator asks for the own password code, factor or subject, without the password.
    #[error("another administrator does this for you")]
    Own,
    /// The access may configure, and could not be announced.
    #[error(transparent)]
    NotAnnounced(#[from] NotAnnounced),
    /// There is an administrator, who has to be named.
    #[error("there is an administrator, without whom nobody is admitted")]
    AdministratorExists,
    /// The access of the last administrator can't end.
    #[error("{0:?} is the last administrator who may come in: admit another one first")]
    LastAdministrator(String),
    /// The new password does not follow the rules.
    #[error("{0}")]
    WeakPassword(&'static str),
    /// The new PIN does not follow the rules.
    #[error("{0}")]
    WeakPin(&'static str),
    /// The person has a password, which was not sent.
    #[error("the password is missing")]
    PasswordMissing,
    /// The person has no password, and the login is not recent.
    #[error("the login is too long ago")]
    NoFreshLogin,
    /// No open pairing has the code.
    #[error("no screen shows this code")]
    UnknownPairing,
    /// Too many pairings are open.
    #[error("too many screens ask for a code")]
    TooManyPairings,
    /// The caller typed too many wrong codes.
    #[error("too many codes were wrong")]
    TooManyCodes,
    /// The key of a screen that was unpaired, or of another token.
    #[error("the key was unpaired or belongs to no screen")]
    KeyEnded,
    /// A screen has the name.
    #[error("there is a screen of this name")]
    ScreenExists,
    /// No screen has the name.
    #[error("there is no screen of this name")]
    UnknownScreen,
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
            StoreError::OpenIdTaken { name } => Self::OpenIdTaken(name),
            StoreError::AdministratorExists => Self::AdministratorExists,
            StoreError::LastAdministrator(name) => Self::LastAdministrator(name),
            StoreError::UnknownPairing => Self::UnknownPairing,
            StoreError::TooManyPairings => Self::TooManyPairings,
            StoreError::ScreenExists => Self::ScreenExists,
            StoreError::UnknownScreen => Self::UnknownScreen,
            StoreError::NotProven => LoginError::Wrong.into(),
            error => Self::NotExecuted(unavailable(error)),
        }
    }
}
