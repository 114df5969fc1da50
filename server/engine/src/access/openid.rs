//! Logins by OpenID Connect: who has which subject of which issuer, and the session of a subject that the issuer vouched for.
//!
//! # Order
//! The caller has verified the issuer's word. Here the subject is compared with those that an administrator gave to people,
//! and the signing key has to vouch for it as for a password. A login that fails is no wrong password: no name waits for it.

use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::credential::Credential;
use meterhouse_store::{AccessChange, NewActor, Only, OpenIdRow, OpenIdSubject, PersonRow, Proven};

use super::admission::{described, refuse_own};
use super::by::By;
use super::control::AccessControl;
use super::error::{AccessError, LoginError};
use super::login::is_person;
use super::session::LoggedIn;
use crate::tokens::caller;

/// Proof of a login by OpenID Connect, in the record.
const PROOF: &str = "openid";

impl AccessControl {
    /// Admits a person, if the name is new, who logs in by a subject that is free. All sessions of the person end.
    ///
    /// # Errors
    /// [`AccessError::OpenIdTaken`], or [`AccessError::Differs`] if the name has another role.
    pub async fn set_openid(
        &self,
        by: &By,
        only: Only,
        who: NewActor,
        subject: OpenIdSubject,
    ) -> Result<(), AccessError> {
        refuse_own(by, &who.name)?;
        self.refuse_ended(&who.name).await?;
        let mut act = by.act("openid_set", Some(&who.name));
        act.details.extend(described(&who));
        act.details.extend(shown(&subject));
        let change = AccessChange::OpenId { who, subject };
        self.end(act, only, change).await.map(drop)
    }

    /// Takes a person's subject away. All sessions of the person end.
    ///
    /// # Errors
    /// [`AccessError::UnknownName`], or if the database refuses.
    pub async fn remove_openid(&self, by: &By, only: Only, name: &str) -> Result<(), AccessError> {
        let change = AccessChange::NoOpenId {
            name: name.to_owned(),
        };
        let act = by.act("openid_removed", Some(name));
        self.end(act, only, change).await.map(drop)
    }

    /// Begins a session of the person with a subject that the issuer vouched for. The login, by its digest, begins one only.
    ///
    /// # Errors
    /// [`LoginError::NotAdmitted`], which is recorded; [`LoginError::Wrong`] if the login was used up.
    pub async fn login_by_openid(
        &self,
        by: &By,
        subject: &OpenIdSubject,
        login: [u8; HASH_BYTES],
    ) -> Result<LoggedIn, LoginError> {
        let by = By {
            proof: PROOF,
            ..by.clone()
        };
        let mut people = Vec::new();
        for name in self.store.names_by_openid(subject).await? {
            people.extend(self.store.find_person(&name).await?);
        }
        let mut good = people.iter().filter_map(|person| {
            let openid = person.openid.as_ref()?;
            self.vouches_for(person, openid).then_some((person, openid))
        });
        let only_one = good.next().filter(|_| good.next().is_none());
        let Some((person, openid)) = only_one else {
            let why = if people.is_empty() {
                "unknown subject"
            } else {
                "no voucher of the signing key"
            };
            return Err(self.not_admitted(&by, subject, None, why).await?);
        };
        let may_come_in = is_person(person) && !person.is_ended;
        let Some(caller) = caller(&person.actor).filter(|_| may_come_in) else {
            let why = "the access was ended";
            return Err(self.not_admitted(&by, subject, Some(person), why).await?);
        };
        let by = By {
            name: Some(person.actor.who.name.clone()),
            ..by
        };
        let proven = Proven::OpenId {
            set_at: openid.set_at,
            login,
        };
        self.begin(&by, caller, proven).await
    }

    /// Records a login that failed before the person was known, unless there were too many.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn openid_failed(&self, by: &By, why: &str) -> Result<(), LoginError> {
        let by = By {
            proof: PROOF,
            ..by.clone()
        };
        let mut act = by.act("login_failed", None);
        act.details.push(("why".to_owned(), why.to_owned()));
        Ok(self.record_refusal(act).await?)
    }

    fn vouches_for(&self, person: &PersonRow, openid: &OpenIdRow) -> bool {
        let OpenIdSubject { issuer, subject } = &openid.subject;
        let credential = Credential::openid(issuer, subject, openid.set_at);
        self.vouching
            .accepts(&person.actor, &credential, openid.voucher.as_ref())
    }

    async fn not_admitted(
        &self,
        by: &By,
        subject: &OpenIdSubject,
        person: Option<&PersonRow>,
        why: &str,
    ) -> Result<LoginError, LoginError> {
        let mut act = by.act("login_failed", None);
        act.actor = person.map(|person| person.actor.actor);
        act.name = person.map(|person| person.actor.who.name.clone());
        act.details.extend(shown(subject));
        act.details.push(("why".to_owned(), why.to_owned()));
        self.record_refusal(act).await?;
        Ok(LoginError::NotAdmitted)
    }
}

/// Returns a subject for the record.
fn shown(subject: &OpenIdSubject) -> [(String, String); 2] {
    [
        ("issuer".to_owned(), subject.issuer.clone()),
        ("subject".to_owned(), subject.subject.clone()),
    ]
}
