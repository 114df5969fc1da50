//! The signature by which a push service knows the house (RFC 8292).

use core::str::FromStr;

use base64ct::{Base64UrlUnpadded, Encoding as _};
use p256::SecretKey;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use p256::pkcs8::{DecodePrivateKey as _, EncodePrivateKey as _, LineEnding};
use rand::TryRng as _;
use serde::Serialize;

use crate::error::PushError;

/// Bytes of a private key.
const SECRET_BYTES: usize = 32;
/// Seconds for which a token is good: push services take a day at most.
const TOKEN_GOOD_SECONDS: i64 = 12 * 60 * 60;

/// The contact of the operator, for the people of push services.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject(String);

impl FromStr for Subject {
    type Err = PushError;

    fn from_str(text: &str) -> Result<Self, PushError> {
        let mail = text
            .strip_prefix("mailto:")
            .and_then(|to| to.split_once('@'));
        let is_mail = mail.is_some_and(|(name, host)| !name.is_empty() && !host.is_empty());
        let page = text.strip_prefix("https://");
        let is_page = page.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'));
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_plain && (is_mail || is_page) {
            Ok(Self(text.to_owned()))
        } else {
            Err(PushError::Subject)
        }
    }
}

/// The key of the house. Without `Debug`: it is a secret.
#[derive(Clone)]
pub struct VapidKey {
    secret: SecretKey,
}

#[derive(Serialize)]
struct Header {
    typ: &'static str,
    alg: &'static str,
}

#[derive(Serialize)]
struct Claims<'a> {
    aud: &'a str,
    exp: i64,
    sub: &'a str,
}

impl VapidKey {
    /// Makes a new key.
    ///
    /// # Errors
    /// [`PushError::Random`] if the system gives no random bytes.
    pub fn create() -> Result<Self, PushError> {
        Ok(Self {
            secret: new_secret()?,
        })
    }

    /// Reads a key from PEM (PKCS#8).
    ///
    /// # Errors
    /// [`PushError::Key`] if it is none.
    pub fn from_pem(text: &str) -> Result<Self, PushError> {
        let secret = SecretKey::from_pkcs8_pem(text).map_err(|_| PushError::Key)?;
        Ok(Self { secret })
    }

    /// Writes the key as PEM (PKCS#8).
    ///
    /// # Errors
    /// [`PushError::Key`] if it has no such form.
    pub fn to_pem(&self) -> Result<String, PushError> {
        let pem = self.secret.to_pkcs8_pem(LineEnding::LF);
        pem.map(|pem| pem.to_string()).map_err(|_| PushError::Key)
    }

    /// Returns the public key in base64url, as browsers take it.
    pub fn public(&self) -> String {
        Base64UrlUnpadded::encode_string(&self.secret.public_key().to_sec1_bytes())
    }

    /// Returns the value of the header `Authorization` for a push service at this origin, at a time in seconds.
    ///
    /// # Errors
    /// [`PushError::Encrypt`] if it can't be signed.
    pub fn authorization(
        &self,
        origin: &str,
        subject: &Subject,
        now_seconds: i64,
    ) -> Result<String, PushError> {
        let header = Header {
            typ: "JWT",
            alg: "ES256",
        };
        let claims = Claims {
            aud: origin,
            exp: now_seconds.saturating_add(TOKEN_GOOD_SECONDS),
            sub: &subject.0,
        };
        let signed = format!("{}.{}", part(&header)?, part(&claims)?);
        let key = SigningKey::from(self.secret.clone());
        let signature: Signature = key
            .try_sign(signed.as_bytes())
            .map_err(|_| PushError::Encrypt)?;
        let signature = Base64UrlUnpadded::encode_string(&signature.to_bytes());
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public()))
    }
}

fn part(value: &impl Serialize) -> Result<String, PushError> {
    let text = serde_json::to_vec(value).map_err(|_| PushError::Encrypt)?;
    Ok(Base64UrlUnpadded::encode_string(&text))
}

/// Draws a private key.
pub(crate) fn new_secret() -> Result<SecretKey, PushError> {
    loop {
        let mut bytes = [0; SECRET_BYTES];
        let drawn = rand::rngs::SysRng.try_fill_bytes(&mut bytes);
        drawn.map_err(|_| PushError::Random)?;
        // One number in four billion is no key.
        if let Ok(secret) = SecretKey::from_slice(&bytes) {
            return Ok(secret);
        }
    }
}

#[cfg(test)]
mod tests {
    use p256::ecdsa::VerifyingKey;
    use p256::ecdsa::signature::Verifier as _;

    use super::*;

    #[test]
    fn a_contact_is_a_mail_or_a_page() {
        for good in [
            "mailto:floor@casino.example",
            "https://casino.example/contact",
        ] {
            assert!(good.parse::<Subject>().is_ok(), "{good}");
        }
        for wrong in [
            "",
            "floor@casino.example",
            "mailto:",
            "mailto:@x",
            "https:///x",
            "http://x",
            "mailto:a b@x",
        ] {
            assert_eq!(wrong.parse::<Subject>(), Err(PushError::Subject), "{wrong}");
        }
    }

    /// RFC 8292, section 2: a token of ES256 with the origin, an end within a day and the contact, by the key next to it.
    #[test]
    fn a_token_is_signed_by_the_key() {
        let made = VapidKey::create().expect("a key");
        let key = VapidKey::from_pem(&made.to_pem().expect("a form")).expect("the same key");
        assert_eq!(key.public(), made.public());
        let subject = "mailto:floor@casino.example".parse().expect("a contact");
        let header = key.authorization("https://push.example", &subject, 1_000);
        let header = header.expect("a header");
        let (token, public) = header
            .strip_prefix("vapid t=")
            .and_then(|rest| rest.split_once(", k="))
            .expect("its parts");
        let (signed, signature) = token.rsplit_once('.').expect("a signature");
        let decoded = |text: &str| Base64UrlUnpadded::decode_vec(text).expect("base64url");
        let claims = signed.split_once('.').expect("claims").1;
        assert_eq!(
            String::from_utf8(decoded(claims)).expect("text"),
            r#"{"aud":"https://push.example","exp":44200,"sub":"mailto:floor@casino.example"}"#
        );
        let by = VerifyingKey::from_sec1_bytes(&decoded(public)).expect("a key");
        let signature = Signature::from_slice(&decoded(signature)).expect("a signature");
        assert!(by.verify(signed.as_bytes(), &signature).is_ok());
    }

    #[test]
    fn what_is_no_key() {
        for text in [
            "",
            "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
        ] {
            assert_eq!(
                VapidKey::from_pem(text).err(),
                Some(PushError::Key),
                "{text:?}"
            );
        }
    }
}
