//! PINs, with which people sign on a device that several of them share.
//!
//! # Limits
//! [`PIN_LENGTH_MIN`] to [`PIN_LENGTH_MAX`] digits. A person without a password sets a PIN within [`FRESH_LOGIN`] of a login.

use std::time::Duration;

use meterhouse_domain::ids::Timestamp;
use meterhouse_store::{AccessChange, Only, Proven};

use super::by::By;
use super::control::AccessControl;
use super::error::{AccessError, LoginError};
use super::session_cache::SessionHolder;
use super::signature::PIN_TRIES_MAX;
use crate::clock::{micros, now};
use crate::tokens::hash_of;

/// Minimum number of digits of a PIN.
const PIN_LENGTH_MIN: usize = 4;
/// Maximum number of digits of a PIN.
const PIN_LENGTH_MAX: usize = 8;
/// Time after a login in which a person without a password may set a PIN.
const FRESH_LOGIN: Duration = Duration::from_mins(5);

/// The state of a person's PIN.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PinState {
    /// Time at which the PIN was set; `None` without one.
    pub set_at: Option<Timestamp>,
    /// `true` if too many wrong PINs came in a row.
    pub is_blocked: bool,
}

impl AccessControl {
    /// Returns the state of a person's PIN.
    ///
    /// # Errors
    /// [`AccessError::UnknownName`], or if the database can't be queried.
    pub async fn pin_state(&self, name: &str) -> Result<PinState, AccessError> {
        let person = self.person(name).await?;
        Ok(PinState {
            set_at: person.pin.as_ref().map(|pin| pin.set_at),
            is_blocked: is_blocked(person.pin_failures),
        })
    }

    /// Sets the PIN of a session's person, who shows the password. A person without a password has just logged in instead.
    /// All signatures of the person end, and wrong PINs are forgotten.
    ///
    /// # Errors
    /// [`AccessError::WeakPin`]; [`AccessError::PasswordMissing`] or [`AccessError::NoFreshLogin`] without a proof;
    /// [`AccessError::Login`] if the password is not right, or after too many wrong ones.
    pub async fn set_pin(
        &self,
        by: &By,
        (session, secret): &(SessionHolder, String),
        pin: &str,
        password: Option<&str>,
    ) -> Result<(), AccessError> {
        check_pin(pin).map_err(AccessError::WeakPin)?;
        let name = session.caller.person.name.as_str();
        let proven = if let Some(password) = password {
            self.proven_by_password(by, name, password).await?
        } else {
            self.fresh_login(session, secret).await?
        };
        let change = AccessChange::Pin {
            name: name.to_owned(),
            hash: Some(self.hash(pin).await?),
            proven: Some(proven),
        };
        let act = by.act("pin_set", Some(name));
        self.change(Only::Always, change, act).await?;
        self.sessions.forget_all();
        Ok(())
    }

    /// Takes a person's PIN away. All signatures of the person end, and wrong PINs are forgotten.
    ///
    /// # Errors
    /// [`AccessError::UnknownName`], or if the database refuses.
    pub async fn remove_pin(&self, by: &By, only: Only, name: &str) -> Result<(), AccessError> {
        let change = AccessChange::Pin {
            name: name.to_owned(),
            hash: None,
            proven: None,
        };
        let act = by.act("pin_removed", Some(name));
        self.change(only, change, act).await?;
        self.sessions.forget_all();
        Ok(())
    }

    /// Returns the proof of a person without a password, who has just logged in.
    async fn fresh_login(
        &self,
        session: &SessionHolder,
        secret: &str,
    ) -> Result<Proven, AccessError> {
        let person = self.person(session.caller.person.name.as_str()).await?;
        if person.password.is_some() {
            return Err(AccessError::PasswordMissing);
        }
        if !is_fresh(session.created_at, now()) {
            return Err(AccessError::NoFreshLogin);
        }
        Ok(Proven::Session(hash_of(secret)))
    }

    /// Checks the password of a person, as at a login.
    async fn proven_by_password(
        &self,
        by: &By,
        name: &str,
        password: &str,
    ) -> Result<Proven, LoginError> {
        let attempt = self.attempt(name).await?;
        let proven = self.password_of(attempt.row.as_ref(), password).await?;
        let Some(proven) = proven else {
            return Err(self.failed(&attempt, by, "password_failed").await?);
        };
        self.forget(&attempt).await?;
        Ok(proven)
    }
}

/// Returns `true` if a person can't sign after so many wrong PINs in a row.
pub const fn is_blocked(failures: u32) -> bool {
    failures >= PIN_TRIES_MAX
}

/// Returns `true` if a login is recent enough to set a PIN without a password.
fn is_fresh(logged_in_at: Timestamp, now: Timestamp) -> bool {
    now.0.saturating_sub(logged_in_at.0) <= micros(FRESH_LOGIN)
}

/// Checks a new PIN against the rules.
fn check_pin(pin: &str) -> Result<(), &'static str> {
    let is_of_digits = pin.bytes().all(|digit| digit.is_ascii_digit());
    if !is_of_digits || !(PIN_LENGTH_MIN..=PIN_LENGTH_MAX).contains(&pin.len()) {
        return Err("a PIN has 4 to 8 digits");
    }
    let steps = || pin.bytes().zip(pin.bytes().skip(1));
    // From 9 a row goes on with 0, and back.
    let is_row = |step: u8| steps().all(|(one, next)| (one - b'0' + step) % 10 == next - b'0');
    match () {
        () if is_row(0) => Err("a PIN is more than one digit again and again"),
        () if is_row(1) || is_row(9) => Err("a PIN is no row of digits up or down, such as 1234"),
        () => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_follows_the_rules() {
        for good in ["4711", "1235", "1233", "00000001", "8642", "9102", "1212"] {
            assert_eq!(check_pin(good), Ok(()), "{good}");
        }
        for weak in [
            "",
            "471",
            "471147110",
            "47a1",
            "４７１１",
            "-471",
            " 4711",
            "0000",
            "77777777",
            "1234",
            "4321",
            "0123456",
            "7890",
            "8901",
            "2109",
            "98765432",
        ] {
            assert!(check_pin(weak).is_err(), "{weak:?}");
        }
    }

    #[test]
    fn a_login_is_fresh_for_five_minutes() {
        let at = |seconds: i64| Timestamp(seconds * 1_000_000);
        assert!(is_fresh(at(10), at(10)) && is_fresh(at(10), at(310)));
        assert!(!is_fresh(at(10), at(311)));
        // A clock that runs behind the one of the login does not make it older.
        assert!(is_fresh(at(10), at(5)));
    }
}
