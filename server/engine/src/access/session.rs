//! Sessions of people who logged in.

use meterhouse_store::{AccessChange, Only};

use super::by::By;
use super::control::AccessControl;
use super::error::AccessError;
use super::session_cache::SessionHolder;
use crate::answer::{NotExecuted, unavailable};
use crate::clock::now;
use crate::tokens::hash_of;

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
