//! Encryption of a push message for one browser (RFC 8291, in the form of RFC 8188).
//!
//! # Limits
//! A message is one record of [`RECORD_BYTES`], which push services take at most.

use base64ct::{Base64UrlUnpadded, Encoding as _};
use hkdf::Hkdf;
use p256::{PublicKey, SecretKey};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use sha2::Sha256;

use crate::error::PushError;

/// Bytes of a salt.
pub(crate) const SALT_BYTES: usize = 16;
/// Bytes of the secret that a browser shares with the senders it was subscribed by.
const AUTH_BYTES: usize = 16;
/// Bytes of a public key, uncompressed.
const POINT_BYTES: usize = 65;
/// Bytes of a record.
const RECORD_BYTES: u32 = 4_096;
/// Byte after the text of the last record.
const LAST_RECORD: u8 = 2;
const KEY_BYTES: usize = 16;
const NONCE_BYTES: usize = 12;

/// The keys of a subscription, which its browser made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReceiverKeys {
    point: PublicKey,
    auth: [u8; AUTH_BYTES],
}

impl ReceiverKeys {
    /// Reads the keys from base64url, as a browser gives them.
    ///
    /// # Errors
    /// [`PushError::ReceiverKeys`] if one of them is none.
    pub(crate) fn read(p256dh: &str, auth: &str) -> Result<Self, PushError> {
        let decoded = |text: &str| {
            let bytes = Base64UrlUnpadded::decode_vec(text.trim_end_matches('='));
            bytes.map_err(|_| PushError::ReceiverKeys)
        };
        let (point, auth) = (decoded(p256dh)?, decoded(auth)?);
        let is_uncompressed = point.len() == POINT_BYTES;
        let point = PublicKey::from_sec1_bytes(&point).ok();
        let point = point.filter(|_| is_uncompressed);
        Ok(Self {
            point: point.ok_or(PushError::ReceiverKeys)?,
            auth: auth.try_into().map_err(|_| PushError::ReceiverKeys)?,
        })
    }
}

/// Encrypts a text. The sender's key is one of this message alone, and so is the salt.
///
/// # Errors
/// [`PushError::Encrypt`] for a text that is too long for a record.
pub(crate) fn encrypted(
    receiver: &ReceiverKeys,
    sender: &SecretKey,
    salt: &[u8; SALT_BYTES],
    text: &[u8],
) -> Result<Vec<u8>, PushError> {
    let own = sender.public_key().to_sec1_bytes();
    let (key, nonce) = derived(receiver, sender, salt, &own)?;
    let mut record = text.to_vec();
    record.push(LAST_RECORD);
    let sealed = u32::try_from(record.len() + AES_128_GCM.tag_len());
    if !sealed.is_ok_and(|bytes| bytes <= RECORD_BYTES) {
        return Err(PushError::Encrypt);
    }
    let key = UnboundKey::new(&AES_128_GCM, &key).map_err(|_| PushError::Encrypt)?;
    let nonce = Nonce::assume_unique_for_key(nonce);
    LessSafeKey::new(key)
        .seal_in_place_append_tag(nonce, Aad::empty(), &mut record)
        .map_err(|_| PushError::Encrypt)?;
    let own_bytes = u8::try_from(own.len()).map_err(|_| PushError::Encrypt)?;
    let mut body = salt.to_vec();
    body.extend_from_slice(&RECORD_BYTES.to_be_bytes());
    body.push(own_bytes);
    body.extend_from_slice(&own);
    body.append(&mut record);
    Ok(body)
}

/// Derives the key and the nonce of the record.
fn derived(
    receiver: &ReceiverKeys,
    sender: &SecretKey,
    salt: &[u8; SALT_BYTES],
    own: &[u8],
) -> Result<([u8; KEY_BYTES], [u8; NONCE_BYTES]), PushError> {
    let shared = sender.diffie_hellman(&receiver.point);
    let theirs = receiver.point.to_sec1_bytes();
    let info = [b"WebPush: info\0".as_slice(), &theirs, own].concat();
    let mut secret = [0; 32];
    let raw = shared.raw_secret_bytes();
    expand(&receiver.auth, raw, &info, &mut secret)?;
    let (mut key, mut nonce) = ([0; KEY_BYTES], [0; NONCE_BYTES]);
    let of_key = b"Content-Encoding: aes128gcm\0".as_slice();
    expand(salt, &secret, of_key, &mut key)?;
    let of_nonce = b"Content-Encoding: nonce\0".as_slice();
    expand(salt, &secret, of_nonce, &mut nonce)?;
    Ok((key, nonce))
}

fn expand(salt: &[u8], secret: &[u8], info: &[u8], key: &mut [u8]) -> Result<(), PushError> {
    let expanded = Hkdf::<Sha256>::new(Some(salt), secret).expand(info, key);
    expanded.map_err(|_| PushError::Encrypt)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        Base64UrlUnpadded::decode_vec(text).expect("base64url")
    }

    /// RFC 8291, section 5 and appendix A.
    #[test]
    fn the_example_of_rfc_8291() {
        let receiver = ReceiverKeys::read(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg",
        );
        let sender = SecretKey::from_slice(&bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"));
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw");
        let body = encrypted(
            &receiver.expect("keys"),
            &sender.expect("a key"),
            &salt.try_into().expect("a salt"),
            b"When I grow up, I want to be a watermelon",
        );
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        let body = body.expect("a message");
        assert_eq!(Base64UrlUnpadded::encode_string(&body), expected);
    }

    #[test]
    fn keys_that_are_none() {
        let point = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
        let auth = "BTBZMqHH6r4Tts7J_aSIgg";
        assert!(ReceiverKeys::read(point, &format!("{auth}==")).is_ok());
        for (point, auth) in [
            ("", auth),
            (point, ""),
            ("AAAA", auth),
            (&point[..80], auth),
            (point, &auth[..10]),
            (point, "not base64url!"),
        ] {
            let read = ReceiverKeys::read(point, auth);
            assert_eq!(read, Err(PushError::ReceiverKeys), "{point:?} {auth:?}");
        }
    }
}
