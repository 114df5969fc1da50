//! Second factors: codes of an authenticator app (RFC 6238, six digits, 30 seconds), each good once.

use meterhouse_domain::ids::ActorId;
use meterhouse_store::{AccessChange, ConfirmedFactor, FactorRow, Only, PersonRow};
use rand::TryRng as _;
use totp_rs::{Builder, Secret, Totp};

use super::admission::refuse_own;
use super::by::By;
use super::control::AccessControl;
use super::error::{AccessError, LoginError};
use crate::clock::now;

/// Length of a secret in bytes, as RFC 4226 recommends.
const SECRET_BYTES: usize = 20;
/// Microseconds in a second.
const SECOND_MICROS: u64 = 1_000_000;

/// A second factor that its owner has not confirmed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFactor {
    /// Secret in base 32, for the authenticator app.
    pub secret: String,
    /// The same as a link that such apps read.
    pub link: String,
}

impl AccessControl {
    /// Draws a secret for a person. It counts once [`Self::set_factor`] was called with a code.
    ///
    /// # Errors
    /// [`LoginError::Busy`] if the system gives no random bytes.
    pub fn new_factor(&self, name: &str) -> Result<NewFactor, AccessError> {
        let mut bytes = [0; SECRET_BYTES];
        let drawn = rand::rngs::SysRng.try_fill_bytes(&mut bytes);
        drawn.map_err(|_| LoginError::Busy)?;
        let secret = Secret::new_stack(bytes).to_base32();
        let link = format!("otpauth://totp/Meterhouse:{name}?secret={secret}&issuer=Meterhouse");
        Ok(NewFactor { secret, link })
    }

    /// Gives a person a second factor, if the code belongs to the secret.
    ///
    /// `old` is a code of the second factor until now, if the person has one: a session alone does not replace it.
    ///
    /// # Errors
    /// [`AccessError::WrongCode`]; [`AccessError::Login`] if the old code is missing or wrong, or after too many wrong ones.
    pub async fn set_factor(
        &self,
        by: &By,
        name: &str,
        (secret, code): (&str, &str),
        old: Option<&str>,
    ) -> Result<(), AccessError> {
        let secret = Secret::try_from_base32(secret).map_err(|_| AccessError::WrongCode)?;
        let totp = totp(secret.as_bytes()).filter(|_| secret.as_bytes().len() == SECRET_BYTES);
        let step = totp.and_then(|totp| totp.check(code.trim(), seconds()));
        let used_step = step.ok_or(AccessError::WrongCode)?;
        let attempt = self.attempt(name).await?;
        self.check_code(&attempt, by, "second_factor_failed", old)
            .await?;
        let factor = ConfirmedFactor {
            secret: secret.as_bytes().to_vec(),
            used_step,
        };
        let change = AccessChange::SecondFactor {
            name: name.to_owned(),
            factor: Some(factor),
        };
        let act = by.act("second_factor_set", Some(name));
        self.change(Only::Always, change, act).await?;
        Ok(self.forget(&attempt).await?)
    }

    /// Takes a person's second factor away.
    ///
    /// # Errors
    /// [`AccessError::UnknownName`], or if the database refuses.
    pub async fn remove_factor(&self, by: &By, only: Only, name: &str) -> Result<(), AccessError> {
        refuse_own(by, name)?;
        let change = AccessChange::SecondFactor {
            name: name.to_owned(),
            factor: None,
        };
        let act = by.act("second_factor_removed", Some(name));
        self.change(only, change, act).await.map(drop)
    }

    /// Checks a code of a person's second factor, and uses it up.
    pub(super) async fn is_code_of(
        &self,
        person: &PersonRow,
        factor: &FactorRow,
        code: &str,
    ) -> Result<bool, LoginError> {
        let step = totp(&factor.secret).and_then(|totp| totp.check(code.trim(), seconds()));
        let Some(step) = step.filter(|step| *step > factor.used_step) else {
            return Ok(false);
        };
        let actor: ActorId = person.actor.actor;
        Ok(self.store.use_step(actor, factor.set_at, step).await?)
    }
}

/// Returns the generator of a secret's codes.
fn totp(secret: &[u8]) -> Option<Totp> {
    Builder::new()
        .with_secret(Secret::new(secret.into()))
        .build()
        .ok()
}

/// Returns the seconds since 1970.
fn seconds() -> u64 {
    u64::try_from(now().0).unwrap_or(0) / SECOND_MICROS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The codes of RFC 6238, appendix B (SHA-1), cut to six digits.
    #[test]
    fn the_codes_are_those_of_the_rfc() {
        let totp = totp(b"12345678901234567890").expect("a secret");
        for (time, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(totp.check(code, time), Some(time / 30), "{time}");
            assert_eq!(totp.check(code, time + 90), None, "{time}");
        }
    }
}
