//! Sessions of people who logged in.

use meterhouse_store::{AccessChange, NewAct, Only};

use super::by::By;
use super::control::AccessControl;
use super::error::AccessError;
use super::session_cache::SessionHolder;
use crate::answer::NotExecuted;
use crate::tokens::hash_of;

impl AccessControl {
    /// Returns the holder of a session; `None` if it is unknown or has ended.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn session(&self, secret: &str) -> Result<Option<SessionHolder>, NotExecuted> {
        self.sessions.find(secret).await
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

    async fn end(&self, act: NewAct, only: Only, change: AccessChange) -> Result<u64, AccessError> {
        let changed = self.change(only, change, act).await?;
        self.sessions.forget_all();
        Ok(changed.ended)
    }
}
