//! Admission of people and programs by an administrator, and the end of their access.

use std::time::Duration;

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_store::{
    AccessChange, NewActor, NewToken, Only, PEOPLE_MAX, PersonRow, TOKENS_MAX, TokenRow,
};

use super::announcement::AnnouncedAccess;
use super::by::By;
use super::control::AccessControl;
use super::error::AccessError;
use super::login::hash_of_code;
use crate::answer::{NotExecuted, unavailable};
use crate::clock::{micros, now};
use crate::tokens::{caller_of, hash_of, new_token};
use crate::view::Page;

/// Time for which a code for a new password is good.
const CODE_GOOD: Duration = Duration::from_hours(24);

/// A code with which a person sets a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCode {
    /// Code, shown once.
    pub code: String,
    /// End of validity.
    pub expires_at: Timestamp,
}

impl AccessControl {
    /// Admits a person, if the name is new, and makes a code for a password. Older codes end.
    ///
    /// # Errors
    /// [`AccessError`], for example if the name belongs to a person with another role.
    pub async fn new_code(
        &self,
        by: &By,
        only: Only,
        who: NewActor,
    ) -> Result<NewCode, AccessError> {
        refuse_own(by, &who.name)?;
        self.refuse_ended(&who.name).await?;
        let code = new_token();
        let expires_at = Timestamp(now().0.saturating_add(micros(CODE_GOOD)));
        let mut act = by.act("code_made", Some(&who.name));
        act.details.extend(described(&who));
        let change = AccessChange::Code {
            who,
            code: hash_of_code(&code),
            expires_at,
        };
        self.change(only, change, act).await?;
        Ok(NewCode { code, expires_at })
    }

    /// Admits a person or program, if the name is new, and makes a token. The text is shown once. A token that may
    /// configure is announced before.
    ///
    /// # Errors
    /// [`AccessError`], for example if the name belongs to another role, or the token could not be announced.
    pub async fn new_token(
        &self,
        by: &By,
        only: Only,
        who: NewActor,
        expires_at: Option<Timestamp>,
    ) -> Result<String, AccessError> {
        self.refuse_ended(&who.name).await?;
        let mut act = by.act("token_made", Some(&who.name));
        act.details.extend(described(&who));
        // A name may be new and without a number, on which no right depends. What can't be read lets no caller in.
        if let Some(holder) = caller_of(ActorId(0), &who) {
            let announced = self.announce(by, AnnouncedAccess::Token, &holder).await?;
            act.details.extend(announced);
        }
        let token = new_token();
        let change = AccessChange::Token {
            who,
            token: NewToken {
                hash: hash_of(&token),
                created_at: now(),
                expires_at,
            },
        };
        self.change(only, change, act).await?;
        Ok(token)
    }

    /// Refuses a credential for a name whose access has ended: it would become good when the access is restored.
    pub(super) async fn refuse_ended(&self, name: &str) -> Result<(), AccessError> {
        let known = self.store.find_person(name).await?;
        if known.is_some_and(|known| known.is_ended) {
            return Err(AccessError::Ended(name.to_owned()));
        }
        Ok(())
    }

    /// Ends all tokens of a name, and returns their number.
    ///
    /// # Errors
    /// [`AccessError::UnknownName`], or if the database refuses.
    pub async fn revoke_tokens(&self, by: &By, only: Only, name: &str) -> Result<u64, AccessError> {
        let change = AccessChange::Revoke {
            name: name.to_owned(),
        };
        let act = by.act("tokens_revoked", Some(name));
        Ok(self.change(only, change, act).await?.ended)
    }

    /// Ends the access of a person or program with all tokens and sessions, or restores it.
    ///
    /// # Errors
    /// [`AccessError::UnknownName`], or if the database refuses.
    pub async fn set_access(
        &self,
        by: &By,
        only: Only,
        name: &str,
        is_ended: bool,
    ) -> Result<(), AccessError> {
        let word = if is_ended {
            "access_ended"
        } else {
            "access_restored"
        };
        let change = AccessChange::Access {
            name: name.to_owned(),
            is_ended,
        };
        let act = by.act(word, Some(name));
        self.change(only, change, act).await?;
        self.sessions.forget_all();
        Ok(())
    }

    /// Lets a name that waits after wrong attempts try again at once. Returns `false` if it did not wait.
    ///
    /// # Errors
    /// [`AccessError::UnknownName`], or if the database refuses.
    pub async fn end_delay(&self, by: &By, name: &str) -> Result<bool, AccessError> {
        let change = AccessChange::EndDelay {
            name: name.to_owned(),
        };
        let act = by.act("delay_ended", Some(name));
        let changed = self.change(Only::Always, change, act).await?;
        Ok(changed.ended > 0)
    }

    /// Returns `true` if there is an administrator.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn has_administrator(&self) -> Result<bool, NotExecuted> {
        self.store.has_administrator().await.map_err(unavailable)
    }

    /// Returns a page of people after a name.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn people(
        &self,
        after: &str,
        limit: u32,
    ) -> Result<Page<PersonRow, String>, NotExecuted> {
        let limit = usize::try_from(limit).map_or(PEOPLE_MAX, |limit| limit.min(PEOPLE_MAX));
        let people = self.store.list_people(after, limit).await;
        let items = people.map_err(unavailable)?;
        let last = items.last().filter(|_| items.len() == limit);
        Ok(Page {
            next: last.map(|last| last.actor.who.name.clone()),
            items,
        })
    }

    /// Returns a page of tokens after one, by their holders' names and times of creation.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn tokens(
        &self,
        after: (&str, Timestamp),
        limit: u32,
    ) -> Result<Page<TokenRow, (String, Timestamp)>, NotExecuted> {
        let limit = usize::try_from(limit).map_or(TOKENS_MAX, |limit| limit.min(TOKENS_MAX));
        let tokens = self.store.list_tokens(after, limit).await;
        let items = tokens.map_err(unavailable)?;
        let last = items.last().filter(|_| items.len() == limit);
        Ok(Page {
            next: last.map(|last| (last.actor.who.name.clone(), last.created_at)),
            items,
        })
    }

    /// Returns one person.
    ///
    /// # Errors
    /// [`AccessError::UnknownName`], or if the database can't be queried.
    pub async fn person(&self, name: &str) -> Result<PersonRow, AccessError> {
        let person = self.store.find_person(name).await?;
        person.ok_or_else(|| AccessError::UnknownName(name.to_owned()))
    }
}

/// Refuses that a session or a token, which may be stolen, replaces what its own holder logs in by. A command asks for the
/// password and the code.
pub(super) fn refuse_own(by: &By, name: &str) -> Result<(), AccessError> {
    let is_own = by.name.as_deref() == Some(name);
    if is_own && matches!(by.proof, "session" | "token") {
        return Err(AccessError::Own);
    }
    Ok(())
}

/// Returns who a person or program is, for the record.
pub(super) fn described(who: &NewActor) -> impl Iterator<Item = (String, String)> {
    let facts = [
        ("role", Some(who.role.clone())),
        ("table", who.table_name.clone()),
        ("link", who.link_name.clone()),
        ("department", who.department.clone()),
        ("rights", who.rights.clone()),
    ];
    let named = |(name, value): (&str, Option<String>)| Some((name.to_owned(), value?));
    facts.into_iter().filter_map(named)
}
