//! Logins by name and password, and the delay after wrong ones.
//!
//! # Limits
//! After [`FREE_FAILURES`] wrong attempts in a row, a name waits a second before the next, and twice as long after each
//! further one, up to [`LOGIN_DELAY_MAX`]. Names without a person wait as long; they share [`STRANGERS_MAX`] counters.
//!
//! # Order
//! An attempt counts as a wrong one before it is checked, and a right one forgets them: attempts at the same time, on any
//! node, wait as if they came one after another.

use std::time::Duration;

use meterhouse_domain::ids::Badge;
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_store::{PersonRow, Proven};
use sha2::{Digest as _, Sha256};

use super::by::By;
use super::control::AccessControl;
use super::error::LoginError;
use super::session::LoggedIn;
use crate::clock::now;
use crate::tokens::{Caller, Role, caller, hash_of};

/// Wrong attempts in a row without a delay.
const FREE_FAILURES: u32 = 5;
/// Maximum delay before the next attempt.
const LOGIN_DELAY_MAX: Duration = Duration::from_mins(15);
/// Maximum number of counters for names without a person.
const STRANGERS_MAX: u32 = 1_024;
/// Maximum length of a given name that is recorded, in characters.
const NAME_LENGTH_MAX: usize = 32;

/// A request to log in.
#[derive(Clone, Copy)]
pub struct LoginRequest<'a> {
    /// Name.
    pub name: &'a str,
    /// Password.
    pub password: &'a str,
    /// Code of the second factor.
    pub code: Option<&'a str>,
}

/// An attempt to log in by a name.
pub(super) struct Attempt {
    /// Person with the name.
    pub(super) row: Option<PersonRow>,
    /// Counter of wrong attempts.
    counter: String,
    /// Number of wrong attempts in a row, with this one.
    failures: u32,
}

/// A password, and a code if one was needed, that were right.
struct Right {
    attempt: Attempt,
    caller: Caller,
    proven: Proven,
}

impl AccessControl {
    /// Checks a name and a password, and begins a session.
    ///
    /// # Errors
    /// [`LoginError`]. Each wrong attempt is recorded.
    pub async fn login(&self, by: &By, asked: LoginRequest<'_>) -> Result<LoggedIn, LoginError> {
        let by = By {
            name: Some(shown_name(asked.name)),
            proof: "password",
            ..by.clone()
        };
        let Right {
            attempt,
            caller,
            proven,
        } = self.checked(&by, asked).await?;
        // Whatever becomes of the session, the attempt was right.
        self.forget(&attempt).await?;
        self.begin(&by, caller, proven).await
    }

    /// Checks a name and a password without a session, as the commands of the program do.
    ///
    /// # Errors
    /// [`LoginError`]. Each wrong attempt is recorded.
    pub async fn check_person(
        &self,
        by: &By,
        asked: LoginRequest<'_>,
    ) -> Result<Caller, LoginError> {
        let by = By {
            name: Some(shown_name(asked.name)),
            ..by.clone()
        };
        let right = self.checked(&by, asked).await?;
        self.forget(&right.attempt).await?;
        Ok(right.caller)
    }

    async fn checked(&self, by: &By, asked: LoginRequest<'_>) -> Result<Right, LoginError> {
        let attempt = self.attempt(asked.name).await?;
        let proven = self.password_of(attempt.row.as_ref(), asked.password);
        let proven = proven.await?;
        let person = attempt.row.as_ref().filter(|person| is_person(person));
        let (Some(proven), Some(person)) = (proven, person) else {
            return Err(self.failed(&attempt, by, "login_failed").await?);
        };
        let who = caller(&person.actor);
        self.check_code(&attempt, by, "login_failed", asked.code)
            .await?;
        let caller = who.ok_or(LoginError::Wrong)?;
        Ok(Right {
            attempt,
            caller,
            proven,
        })
    }

    /// Checks the code of the second factor, if the person has one.
    pub(super) async fn check_code(
        &self,
        attempt: &Attempt,
        by: &By,
        word: &'static str,
        code: Option<&str>,
    ) -> Result<(), LoginError> {
        let factor = attempt
            .row
            .as_ref()
            .and_then(|person| Some((person, person.factor.as_ref()?)));
        let Some((person, factor)) = factor else {
            return Ok(());
        };
        let Some(code) = code else {
            drop(self.failed(attempt, by, "second_factor_missing").await?);
            return Err(LoginError::CodeMissing);
        };
        if self.is_code_of(person, factor, code).await? {
            return Ok(());
        }
        Err(self.failed(attempt, by, word).await?)
    }

    /// Begins an attempt to log in by a name, unless it comes too early.
    pub(super) async fn attempt(&self, name: &str) -> Result<Attempt, LoginError> {
        // What is no name belongs to no person, and some of it no database can compare.
        let row = match name.parse::<Badge>() {
            Ok(_) => self.store.find_person(name).await?,
            Err(_) => None,
        };
        let counter = match &row {
            Some(row) => row.actor.who.name.clone(),
            None => stranger(name),
        };
        // Each attempt that comes between raises the count, so that the next turn finds a delay.
        for _ in 0..=FREE_FAILURES {
            let now = now();
            let before = self.store.login_failures(&counter).await?;
            let left = before.as_ref().map_or(Duration::ZERO, |failures| {
                let waited = u64::try_from(now.0.saturating_sub(failures.failed_at.0));
                let waited = Duration::from_micros(waited.unwrap_or(0));
                delay(failures.count).saturating_sub(waited)
            });
            if !left.is_zero() {
                return Err(LoginError::Delayed(left));
            }
            let before = before.map_or(0, |failures| failures.count);
            if self.store.count_attempt(&counter, before, now).await? {
                let failures = before.saturating_add(1);
                return Ok(Attempt {
                    row,
                    counter,
                    failures,
                });
            }
        }
        Err(LoginError::Delayed(delay(FREE_FAILURES)))
    }

    /// Records a wrong attempt, and returns its error.
    pub(super) async fn failed(
        &self,
        attempt: &Attempt,
        by: &By,
        word: &'static str,
    ) -> Result<LoginError, LoginError> {
        let mut act = by.act(word, None);
        act.actor = attempt.row.as_ref().map(|row| row.actor.actor);
        act.details
            .push(("failures".to_owned(), attempt.failures.to_string()));
        self.record(act).await?;
        Ok(LoginError::Wrong)
    }

    /// Forgets the wrong attempts before a right one.
    pub(super) async fn forget(&self, attempt: &Attempt) -> Result<(), LoginError> {
        Ok(self.store.forget_login_failures(&attempt.counter).await?)
    }
}

/// Returns the delay after so many wrong attempts in a row.
fn delay(failures: u32) -> Duration {
    let Some(more) = failures.checked_sub(FREE_FAILURES) else {
        return Duration::ZERO;
    };
    let seconds = 1_u64.checked_shl(more).unwrap_or(u64::MAX);
    Duration::from_secs(seconds).min(LOGIN_DELAY_MAX)
}

/// Returns the counter of a name without a person.
fn stranger(name: &str) -> String {
    bucket(name, STRANGERS_MAX)
}

/// Returns one of so many counters that unknown names share.
pub(super) fn bucket(name: &str, most: u32) -> String {
    let digest = Sha256::digest(name.as_bytes());
    let number = digest.iter().take(4).fold(0_u32, |number, byte| {
        number.wrapping_shl(8) | u32::from(*byte)
    });
    format!("~{}", number % most)
}

/// Returns `true` for a person who may log in. Controllers and displays use tokens.
pub(super) fn is_person(row: &PersonRow) -> bool {
    row.actor
        .who
        .role
        .parse::<Role>()
        .is_ok_and(Role::is_person)
}

/// Returns a given name for the record: at most a name's length, since it may be anything, even a password.
pub(super) fn shown_name(name: &str) -> String {
    name.chars()
        .filter(|character| !character.is_control())
        .take(NAME_LENGTH_MAX)
        .collect()
}

/// Returns the digest by which a code is stored.
pub(super) fn hash_of_code(code: &str) -> [u8; HASH_BYTES] {
    hash_of(code.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_doubles_up_to_its_maximum() {
        let seconds = |failures| delay(failures).as_secs();
        let delays: Vec<u64> = (0..9).map(seconds).collect();
        assert_eq!(delays, [0, 0, 0, 0, 0, 1, 2, 4, 8]);
        assert_eq!(seconds(14), 512);
        for many in [15, 16, 40, 80, u32::MAX] {
            assert_eq!(delay(many), LOGIN_DELAY_MAX, "{many}");
        }
    }

    #[test]
    fn strangers_share_a_limited_number_of_counters() {
        let counters: std::collections::BTreeSet<String> = (0..20_000)
            .map(|name| stranger(&name.to_string()))
            .collect();
        assert!(u32::try_from(counters.len()).is_ok_and(|count| count <= STRANGERS_MAX));
        assert!(counters.iter().all(|counter| counter.starts_with('~')));
    }
}
