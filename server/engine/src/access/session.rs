//! Sessions of people who logged in.

use meterhouse_domain::ids::Timestamp;
use meterhouse_store::{AccessChange, NewAct, Only, Proven};

use super::announcement::AnnouncedAccess;
use super::by::By;
use super::control::AccessControl;
use super::error::{AccessError, LoginError};
use super::session_cache::{SESSION_LONGEST, SessionHolder};
use crate::answer::NotExecuted;
use crate::clock::{micros, now};
use crate::held_credentials::Held;
use crate::tokens::{Caller, hash_of, new_token};

/// A login that succeeded.
pub struct LoggedIn {
    /// Secret of the session, shown once.
    pub secret: String,
    /// Person.
    pub caller: Caller,
    /// Latest end of the session.
    pub expires_at: Timestamp,
}

impl AccessControl {
    /// Begins a session of a person whose proof was right, and records the login. One that may configure is announced
    /// before.
    pub(super) async fn begin(
        &self,
        by: &By,
        caller: Caller,
        proven: Proven,
    ) -> Result<LoggedIn, LoginError> {
        let by = By {
            actor: Some(caller.person.actor),
            ..by.clone()
        };
        let announced = self.announce(&by, AnnouncedAccess::Login, &caller).await;
        let announced = announced.map_err(not_begun)?;
        let secret = new_token();
        let expires_at = Timestamp(now().0.saturating_add(micros(SESSION_LONGEST)));
        let change = AccessChange::Session {
            name: caller.person.name.to_string(),
            session: hash_of(&secret),
            expires_at,
            proven,
        };
        let mut act = by.act("login", None);
        act.details.extend(announced);
        let begun = self.change(Only::Always, change, act).await;
        begun.map_err(not_begun)?;
        Ok(LoggedIn {
            secret,
            caller,
            expires_at,
        })
    }

    /// Returns the holder of a session; `None` if it is unknown or has ended.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn session(&self, secret: &str) -> Result<Option<SessionHolder>, NotExecuted> {
        self.sessions.find(secret).await
    }

    /// Returns a session without its holder, if it has not ended. That is no use of the session.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub(crate) async fn session_going_on(
        &self,
        secret: &str,
    ) -> Result<Option<Held<()>>, NotExecuted> {
        self.sessions.going_on(secret).await
    }

    /// Ends a session of a person, and returns 0 if it had ended.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn logout(&self, by: &By, name: &str, secret: &str) -> Result<u64, AccessError> {
        let change = AccessChange::Logout {
            name: name.to_owned(),
            session: hash_of(secret),
        };
        self.end(by.act("logout", None), Only::Always, change).await
    }

    /// Ends all sessions of a person, and returns their number.
    ///
    /// # Errors
    /// [`AccessError::UnknownName`], or if the database refuses.
    pub async fn end_sessions(&self, by: &By, only: Only, name: &str) -> Result<u64, AccessError> {
        let change = AccessChange::Sessions {
            name: name.to_owned(),
        };
        let act = by.act("sessions_ended", Some(name));
        self.end(act, only, change).await
    }

    /// Makes a change that ends sessions, and returns their number.
    pub(super) async fn end(
        &self,
        act: NewAct,
        only: Only,
        change: AccessChange,
    ) -> Result<u64, AccessError> {
        let changed = self.change(only, change, act).await?;
        self.sessions.forget_all();
        Ok(changed.ended)
    }
}

/// Returns the error of a session that did not begin.
pub(super) fn not_begun(error: AccessError) -> LoginError {
    match error {
        AccessError::NotExecuted(error) => error.into(),
        AccessError::NotAnnounced(error) => error.into(),
        _ => LoginError::Wrong,
    }
}
