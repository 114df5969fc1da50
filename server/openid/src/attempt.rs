//! A login that was begun: what the browser keeps in a cookie until it comes back, sealed by this server.
//!
//! # Shape
//! The text is STATE.NONCE.VERIFIER.SECOND.PATH.SEAL. The first three are random texts without a dot, the path is in hex.
//! The seal is an HMAC whose key is made of the client's secret, which all nodes of the house have: any of them takes the
//! browser back, and without the secret no such text is made.

use std::time::Duration;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

use crate::error::OpenIdError;
use crate::return_path::ReturnPath;

/// Time for which a login may be finished.
pub const LOGIN_GOOD: Duration = Duration::from_mins(10);
/// Beginning of the bytes whose digest is the key of the seals.
const SEAL_KEY: &[u8] = b"meterhouse openid login ";
/// Length of a block of SHA-256, to which HMAC fills a key up with zeros.
const BLOCK_BYTES: usize = 64;
/// Parts of the text.
const PARTS: usize = 6;

/// A login that was begun.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Attempt {
    /// Text that the provider sends back with the browser.
    pub(crate) state: String,
    /// Text that the provider puts into the ID token.
    pub(crate) nonce: String,
    /// Text whose digest the provider was sent, and which is needed to use the code (PKCE).
    pub(crate) verifier: String,
    /// Second since 1970 at which it was begun.
    pub(crate) begun_at: i64,
    /// Path to go on to.
    pub(crate) next: ReturnPath,
}

/// The key of the seals.
pub(crate) struct SealKey([u8; BLOCK_BYTES]);

impl SealKey {
    /// Returns the key that belongs to a client's secret.
    pub(crate) fn of(client_secret: &str) -> Self {
        let digest = Sha256::new_with_prefix(SEAL_KEY).chain_update(client_secret.as_bytes());
        let mut block = [0; BLOCK_BYTES];
        for (byte, of_key) in block.iter_mut().zip(digest.finalize()) {
            *byte = of_key;
        }
        Self(block)
    }

    fn mac(&self, text: &str) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new(&self.0.into());
        mac.update(text.as_bytes());
        mac
    }
}

impl Attempt {
    /// Returns the text of the cookie.
    pub(crate) fn sealed(&self, key: &SealKey) -> String {
        let Self {
            state,
            nonce,
            verifier,
            begun_at,
            next,
        } = self;
        let next = hex::encode(next.as_str());
        let text = format!("{state}.{nonce}.{verifier}.{begun_at}.{next}");
        let seal = hex::encode(key.mac(&text).finalize().into_bytes());
        format!("{text}.{seal}")
    }

    /// Reads the text of a cookie, of a login that goes on.
    ///
    /// # Errors
    /// [`OpenIdError::NotBegun`] if the text was not sealed here, or is too old.
    pub(crate) fn open(text: &str, key: &SealKey, now: i64) -> Result<Self, OpenIdError> {
        let foreign = || OpenIdError::NotBegun("the cookie of the login is not of this server");
        let (sealed, seal) = text.rsplit_once('.').ok_or_else(foreign)?;
        let seal = hex::decode(seal).map_err(|_| foreign())?;
        let is_own = key.mac(sealed).verify_slice(&seal).is_ok();
        if !is_own {
            return Err(foreign());
        }
        let parts: Vec<&str> = text.split('.').collect();
        let parts: [&str; PARTS] = parts.try_into().map_err(|_| foreign())?;
        let [state, nonce, verifier, begun_at, next, _] = parts.map(str::to_owned);
        let begun_at: i64 = begun_at.parse().map_err(|_| foreign())?;
        let next = hex::decode(next)
            .ok()
            .and_then(|next| String::from_utf8(next).ok());
        let next = next
            .and_then(|next| next.parse().ok())
            .ok_or_else(foreign)?;
        let age = now.saturating_sub(begun_at).unsigned_abs();
        if age > LOGIN_GOOD.as_secs() {
            let late = "the login took longer than ten minutes: begin it again";
            return Err(OpenIdError::NotBegun(late));
        }
        Ok(Self {
            state,
            nonce,
            verifier,
            begun_at,
            next,
        })
    }

    /// Returns `true` if this is the login that the provider sent the browser back from.
    pub(crate) fn is_of(&self, state: &str) -> bool {
        Sha256::digest(self.state.as_bytes()) == Sha256::digest(state.as_bytes())
    }

    /// Returns the digest by which the login is used up.
    pub(crate) fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.state.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt() -> Attempt {
        Attempt {
            state: "s-1_".to_owned(),
            nonce: "n".to_owned(),
            verifier: "v".to_owned(),
            begun_at: 1_000,
            next: "/manual?x=1.2".parse().expect("a path"),
        }
    }

    fn refused(text: &str, key: &SealKey, now: i64) -> bool {
        matches!(Attempt::open(text, key, now), Err(OpenIdError::NotBegun(_)))
    }

    #[test]
    fn a_login_is_read_back_for_ten_minutes() {
        let key = SealKey::of("secret");
        let text = attempt().sealed(&key);
        for now in [1_000, 1_600, 995] {
            let read = Attempt::open(&text, &key, now).ok();
            assert!(read == Some(attempt()), "{now}");
        }
        assert!(refused(&text, &key, 1_601));
        assert!(refused(&text, &key, 0));
    }

    #[test]
    fn a_text_that_was_changed_or_sealed_elsewhere_is_refused() {
        let key = SealKey::of("secret");
        let text = attempt().sealed(&key);
        assert!(refused(&text, &SealKey::of("another"), 1_000));
        for index in 0..text.len() {
            let mut other = text.clone().into_bytes();
            if let Some(byte) = other.get_mut(index) {
                *byte = if *byte == b'0' { b'1' } else { b'0' };
            }
            let other = String::from_utf8(other).expect("a text");
            assert!(refused(&other, &key, 1_000), "{other}");
        }
        for other in ["", ".", "a.b.c.d.e.f", "....."] {
            assert!(refused(other, &key, 1_000), "{other}");
        }
    }
}
