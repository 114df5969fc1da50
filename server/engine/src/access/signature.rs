//! Signatures: a person's PIN, on the session of a device that several people share, for a token of a short time.
//!
//! # Limits
//! A signature is good for [`SIGNATURE_GOOD`]. After [`PIN_TRIES_MAX`] wrong PINs in a row, on all nodes and devices, a
//! person can't sign before there is a new PIN. Unknown names share [`UNKNOWN_SIGNERS_MAX`] counters.
//!
//! # Order
//! A PIN counts as a wrong one before it is compared, and a right one forgets them: PINs at the same time, on any node, get
//! no more tries than one after another. A name without a PIN is counted, compared and recorded like one with a PIN.

use std::time::Duration;

use meterhouse_domain::ids::{Badge, Timestamp};
use meterhouse_journal::credential::Credential;
use meterhouse_store::{AccessChange, NewAct, NewSignature, Only, PersonRow};

use super::announcement::AnnouncedAccess;
use super::by::By;
use super::control::AccessControl;
use super::error::LoginError;
use super::login::{bucket, is_person};
use super::session::not_begun;
use super::session_cache::SIGNATURE_PREFIX;
use crate::answer::NotExecuted;
use crate::clock::{micros, now};
use crate::held_credentials::Held;
use crate::tokens::{Caller, caller, hash_of, new_token};

/// Time for which a signature is good.
const SIGNATURE_GOOD: Duration = Duration::from_mins(2);
/// Maximum number of wrong PINs in a row.
pub(super) const PIN_TRIES_MAX: u32 = 5;
/// Maximum number of counters for unknown names.
const UNKNOWN_SIGNERS_MAX: u32 = 65_536;

/// A signature that was made.
pub struct Signature {
    /// Token, shown once.
    pub token: String,
    /// Person who signs.
    pub caller: Caller,
    /// End of validity.
    pub expires_at: Timestamp,
}

impl AccessControl {
    /// Compares a person's PIN, and makes a token with which the person signs. `by` is the holder of the device's session
    /// or token.
    ///
    /// # Errors
    /// [`LoginError::WrongPin`] for a wrong PIN, an unknown name and a name without a PIN; [`LoginError::PinBlocked`] after
    /// too many; [`LoginError::NotAnnounced`] if the person may configure, and the signature could not be announced.
    pub async fn sign(&self, by: &By, name: &Badge, pin: &str) -> Result<Signature, LoginError> {
        let row = self.store.find_person(name.as_str()).await?;
        let counter = counter(row.as_ref(), name.as_str());
        let by = signer(by, row.as_ref(), name);
        let tries = self.store.count_pin_try(&counter, PIN_TRIES_MAX, now());
        let Some(failures) = tries.await? else {
            self.record_refusal(failed(&by, PIN_TRIES_MAX)).await?;
            return Err(LoginError::PinBlocked);
        };
        let wrong = LoginError::WrongPin {
            tries_left: PIN_TRIES_MAX.saturating_sub(failures),
        };
        let proven = self.pin_of(row.as_ref(), pin).await?;
        let person = row.filter(is_person);
        let who = person.and_then(|person| caller(&person.actor));
        let (Some(pin_set_at), Some(who)) = (proven, who) else {
            self.record(failed(&by, failures)).await?;
            return Err(wrong);
        };
        // Whatever becomes of the signature, the PIN was right.
        self.store.forget_pin_tries(&counter).await?;
        match self.begin_signature(&by, who, pin_set_at).await {
            // The PIN was changed or the access ended meanwhile.
            Err(LoginError::Wrong) => Err(wrong),
            begun => begun,
        }
    }

    /// Begins a signature whose PIN was right, and records it. One that may configure is announced before.
    async fn begin_signature(
        &self,
        by: &By,
        who: Caller,
        pin_set_at: Timestamp,
    ) -> Result<Signature, LoginError> {
        let announced = self.announce(by, AnnouncedAccess::Signature, &who).await;
        let announced = announced.map_err(not_begun)?;
        let token = format!("{SIGNATURE_PREFIX}{}", new_token());
        let expires_at = Timestamp(now().0.saturating_add(micros(SIGNATURE_GOOD)));
        let change = AccessChange::Signature {
            name: who.person.name.to_string(),
            signature: NewSignature {
                token: hash_of(&token),
                expires_at,
                pin_set_at,
            },
        };
        let mut act = by.act("signed", None);
        act.details.extend(announced);
        let begun = self.change(Only::Always, change, act).await;
        begun.map_err(not_begun)?;
        Ok(Signature {
            token,
            caller: Caller {
                is_signature: true,
                ..who
            },
            expires_at,
        })
    }

    /// Returns the person of a signature's token; `None` if it is unknown or has ended.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub(crate) async fn signature(&self, token: &str) -> Result<Option<Held<Caller>>, NotExecuted> {
        self.sessions.find_signature(token).await
    }

    /// Returns the time at which a PIN was set, if it is a person's. A name without a PIN takes equally long.
    async fn pin_of(
        &self,
        person: Option<&PersonRow>,
        pin: &str,
    ) -> Result<Option<Timestamp>, LoginError> {
        let known = person.filter(|person| !person.is_ended).and_then(|person| {
            let stored = person.pin.as_ref()?;
            let credential = Credential::pin(&stored.hash, stored.set_at);
            let voucher = stored.voucher.as_ref();
            let is_good = self.vouching.accepts(&person.actor, &credential, voucher);
            is_good.then(|| (stored.hash.clone(), stored.set_at))
        });
        self.compared(known, pin).await
    }
}

/// Returns the counter of wrong PINs of a name.
fn counter(row: Option<&PersonRow>, name: &str) -> String {
    match row {
        Some(row) => row.actor.who.name.clone(),
        None => bucket(name, UNKNOWN_SIGNERS_MAX),
    }
}

/// Returns the person who signs, for the record: on whose session, and from where.
fn signer(device: &By, row: Option<&PersonRow>, name: &Badge) -> By {
    let on = [
        ("on", device.name.clone()),
        ("on_proof", Some(device.proof.to_owned())),
    ];
    let on = on.into_iter();
    By {
        actor: row.map(|row| row.actor.actor),
        name: Some(name.to_string()),
        proof: "pin",
        address: device.address.clone(),
        details: on
            .filter_map(|(fact, value)| Some((fact.to_owned(), value?)))
            .collect(),
    }
}

/// Returns the act of a wrong PIN.
fn failed(by: &By, failures: u32) -> NewAct {
    let mut act = by.act("signing_failed", None);
    act.details
        .push(("failures".to_owned(), failures.to_string()));
    act
}
