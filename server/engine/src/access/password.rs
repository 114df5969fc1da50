//! Passwords, and what PINs share with them: argon2id, with the parameters of OWASP's recommendation (19 MiB, two passes).
//!
//! # Limits
//! [`PASSWORD_LENGTH_MIN`] to [`PASSWORD_LENGTH_MAX`] characters. A few hashes are computed at once, and
//! a request waits for its turn for [`HASH_WAIT_MAX`].

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use argon2::{Argon2, PasswordHasher as _, PasswordVerifier as _};
use meterhouse_journal::credential::Credential;
use meterhouse_store::{AccessChange, Only, PersonRow, Proven};
use rand::TryRng as _;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use zxcvbn::{Score, zxcvbn};

use super::by::By;
use super::control::AccessControl;
use super::error::{AccessError, LoginError};
use super::login::{hash_of_code, shown_name};
use crate::clock::now;
use crate::tokens::new_token;

/// Minimum length of a password, in characters.
const PASSWORD_LENGTH_MIN: usize = 12;
/// Maximum length of a password, in characters.
const PASSWORD_LENGTH_MAX: usize = 128;
/// Words that a guesser would try first, in addition to the name of the owner.
const HOUSE_WORDS: [&str; 4] = ["meterhouse", "jackpot", "casino", "progressive"];
/// Maximum time that a request waits for its turn.
const HASH_WAIT_MAX: Duration = Duration::from_secs(5);
/// Length of a salt in bytes.
const SALT_BYTES: usize = 16;
/// Hash of a password that no person has, compared for names without a password, so that both take equally long.
static NOBODYS: LazyLock<String> = LazyLock::new(|| hashed(&new_token()).unwrap_or_default());

/// Proof that a person may set a new password.
#[derive(Clone, Copy, Debug)]
pub enum PasswordProof<'a> {
    /// The code that an administrator gave the person.
    Code(&'a str),
    /// The password until now, as at a login.
    Old {
        /// Password.
        password: &'a str,
        /// Code of the second factor, if the person has one.
        second_factor: Option<&'a str>,
    },
}

impl AccessControl {
    /// Sets a new password of a person who shows a code or the old password. All sessions of the person end.
    ///
    /// # Errors
    /// [`AccessError::WeakPassword`]; [`AccessError::Login`] if the proof is not right, or after too many wrong ones.
    pub async fn set_password(
        &self,
        by: &By,
        name: &str,
        proof: PasswordProof<'_>,
        new: &str,
    ) -> Result<(), AccessError> {
        let (owner, chosen) = (name.to_owned(), new.to_owned());
        let checked = self.in_turn(move || check(&owner, &chosen)).await?;
        checked.map_err(AccessError::WeakPassword)?;
        let person = self.attempt(name).await?;
        let found = person.row.as_ref();
        let by = By {
            actor: found.map(|row| row.actor.actor),
            name: Some(shown_name(name)),
            proof: match proof {
                PasswordProof::Old { .. } => "password",
                PasswordProof::Code(_) => "code",
            },
            ..by.clone()
        };
        let word = "password_failed";
        let proven = match proof {
            PasswordProof::Old { password, .. } => self.password_of(found, password).await?,
            PasswordProof::Code(code) => self.code_of(found, code).await?,
        };
        let Some(proven) = proven else {
            return Err(self.failed(&person, &by, word).await?.into());
        };
        if let PasswordProof::Old { second_factor, .. } = proof {
            self.check_code(&person, &by, word, second_factor).await?;
        }
        let change = AccessChange::Password {
            name: name.to_owned(),
            hash: self.hash(new).await?,
            proven,
        };
        let act = by.act("password_set", Some(name));
        self.change(Only::Always, change, act).await?;
        self.forget(&person).await?;
        self.sessions.forget_all();
        Ok(())
    }

    /// Returns the proof of a code that a person may set a password with.
    async fn code_of(
        &self,
        person: Option<&PersonRow>,
        code: &str,
    ) -> Result<Option<Proven>, LoginError> {
        let Some(person) = person.filter(|person| !person.is_ended) else {
            return Ok(None);
        };
        let hash = hash_of_code(code);
        let found = self
            .store
            .find_code(person.actor.actor, &hash, now())
            .await?;
        let is_good = found.is_some_and(|(expires_at, voucher)| {
            let credential = Credential::Code {
                code: hash,
                expires_at,
            };
            self.vouching
                .accepts(&person.actor, &credential, voucher.as_ref())
        });
        Ok(is_good.then_some(Proven::Code(hash)))
    }

    /// Returns the proof of a password that is a person's. A name without a password takes equally long.
    pub(super) async fn password_of(
        &self,
        person: Option<&PersonRow>,
        password: &str,
    ) -> Result<Option<Proven>, LoginError> {
        let known = person.filter(|person| !person.is_ended).and_then(|person| {
            let stored = person.password.as_ref()?;
            let credential = Credential::password(&stored.hash, stored.set_at);
            let voucher = stored.voucher.as_ref();
            let is_good = self.vouching.accepts(&person.actor, &credential, voucher);
            is_good.then(|| (stored.hash.clone(), Proven::Password(stored.set_at)))
        });
        self.compared(known, password).await
    }

    /// Returns what a text proves, if its hash is the known one. Without a known one it takes equally long.
    pub(super) async fn compared<T>(
        &self,
        known: Option<(String, T)>,
        text: &str,
    ) -> Result<Option<T>, LoginError> {
        let (hash, proven) = known.unzip();
        let text = text.to_owned();
        let is_equal = self
            .in_turn(move || {
                let hash = hash.unwrap_or_else(|| NOBODYS.clone());
                Argon2::default()
                    .verify_password(text.as_bytes(), hash.as_str())
                    .is_ok()
            })
            .await?;
        Ok(proven.filter(|_| is_equal))
    }

    pub(super) async fn hash(&self, password: &str) -> Result<String, LoginError> {
        let password = password.to_owned();
        let hash = self.in_turn(move || hashed(&password)).await?;
        hash.ok_or(LoginError::Busy)
    }

    /// Computes a hash when it is its turn.
    async fn in_turn<T: Send + 'static>(
        &self,
        compute: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, LoginError> {
        let turn = Arc::clone(&self.hashing).acquire_owned();
        let turn = timeout(HASH_WAIT_MAX, turn).await;
        let turn = turn.ok().and_then(Result::ok).ok_or(LoginError::Busy)?;
        let computed = spawn_blocking(move || {
            let _turn = turn;
            compute()
        });
        computed.await.map_err(|_| LoginError::Busy)
    }
}

/// Returns the hash of a password with a new salt; nothing if the system gives no random bytes.
fn hashed(password: &str) -> Option<String> {
    let mut salt = [0; SALT_BYTES];
    rand::rngs::SysRng.try_fill_bytes(&mut salt).ok()?;
    let hash = Argon2::default().hash_password_with_salt(password.as_bytes(), &salt);
    hash.ok().map(|hash| hash.to_string())
}

/// Checks a new password against the rules.
fn check(name: &str, password: &str) -> Result<(), &'static str> {
    let length = password.chars().count();
    if !(PASSWORD_LENGTH_MIN..=PASSWORD_LENGTH_MAX).contains(&length) {
        return Err("a password has 12 to 128 characters");
    }
    if password.to_lowercase().contains(&name.to_lowercase()) {
        return Err("a password does not contain the name of its owner");
    }
    let mut characters: Vec<char> = password.chars().collect();
    characters.sort_unstable();
    characters.dedup();
    if characters.len() < 5 {
        return Err("a password has at least five different characters");
    }
    // The score says how many guesses find the password: ten thousand million or more.
    let mut known = vec![name];
    known.extend(HOUSE_WORDS);
    if zxcvbn(password, &known).score() < Score::Four {
        return Err(
            "this password is soon guessed: choose several words that don't belong together, not one word with numbers",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_follows_the_rules() {
        assert_eq!(check("ana", "correct horse battery"), Ok(()));
        assert_eq!(check("ana", "äöüßé-日本語-🂡🂮"), Ok(()));
        for strong in [
            "correct horse battery",
            "tZ8#vq1LmW0x",
            "wagen blume regal ofen",
        ] {
            assert_eq!(check("ana", strong), Ok(()), "{strong:?}");
        }
        for guessed in [
            "password1234",
            "Password1234!",
            "P@ssw0rd2026",
            "meterhouse2026",
            "Meterhouse-2026!",
            "jackpotcasino",
            "Summer2026!Casino",
            "casino12345678",
            "qwertyuiop123",
            "123456789abc",
            "letmein123456",
            "iloveyou2026",
            "20262026-2027",
            "administrator",
            "correcthorse",
        ] {
            assert!(check("ana", guessed).is_err(), "{guessed:?}");
        }
        for weak in [
            "",
            "short-12345",
            "aaaaaaaaaaaaaaaa",
            "abababababab",
            "my-name-is-Ana-2026",
        ] {
            assert!(check("ana", weak).is_err(), "{weak:?}");
        }
        let long = "a1b2c3d4".repeat(17);
        assert!(check("ana", &long).is_err());
    }

    /// The hash for names without a password is one of the same kind and cost as people's.
    #[test]
    fn nobodys_hash_costs_as_much_as_a_persons() {
        let hash = hashed("some password").expect("a hash");
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        let cost = |hash: &str| {
            hash.split('$')
                .take(4)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(cost(&hash), cost(&NOBODYS));
        let verified = Argon2::default().verify_password(b"some password", hash.as_str());
        assert!(verified.is_ok());
        let verified = Argon2::default().verify_password(b"some password", NOBODYS.as_str());
        assert!(matches!(
            verified,
            Err(argon2::password_hash::Error::PasswordInvalid)
        ));
    }
}
