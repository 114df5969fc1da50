//! Seals: the signatures by which a restored database recognises numbers that it sent before.
//!
//! # Shape
//! A table receives a seal of its last command, a display a seal of its link's newest batch. Both send the seal back
//! when they connect again. A number above the journal's own then proves that the journal lost its end. The key is in
//! the database, so that a restored copy verifies what the lost one sealed, and nothing else does.
//!
//! # Bounds
//! The code has [`CODE_BYTES`] bytes: a guess succeeds once in 2^128.

use core::fmt;
use core::str::FromStr;

use hmac::{Hmac, KeyInit as _, Mac as _};
use meterhouse_domain::ids::{LinkName, Sequence, TableName, Timestamp};
use sha2::Sha256;

use crate::batch::ChainHash;

/// Size in bytes of a key.
pub const KEY_BYTES: usize = 32;
/// Size in bytes of a seal's code, a truncated HMAC-SHA-256.
pub const CODE_BYTES: usize = 16;
/// Size in bytes of a block of SHA-256.
const BLOCK_BYTES: usize = 64;
/// Number of hexadecimal digits of a mark.
const MARK_DIGITS: usize = 16;

/// A sealed number, as it was sent.
///
/// Its text is `NUMBER.MARK.TIME.CODE`. Only the server that made it reads it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    /// A table's last command, or a link's newest batch.
    pub number: u64,
    /// The beginning of the batch's hash; 0 for a table.
    mark: u64,
    /// Time of the seal.
    pub at: Timestamp,
    code: [u8; CODE_BYTES],
}

/// A text that is not a seal.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("send back the seal exactly as it was received, or leave it out")]
pub struct NotASeal;

/// The key of a database's seals. Without `Debug`: it is a secret.
#[derive(Clone)]
pub struct SealKey([u8; KEY_BYTES]);

/// The kind of a sealed number.
#[derive(Copy, Clone)]
enum Kind {
    Table = 1,
    Link = 2,
}

impl SealKey {
    /// Returns a key of these bytes.
    pub const fn new(bytes: [u8; KEY_BYTES]) -> Self {
        Self(bytes)
    }

    /// Seals the last command of a table.
    pub fn of_table(&self, table: &TableName, last: Sequence, at: Timestamp) -> Seal {
        self.seal(Kind::Table, table.as_str(), (last.0, 0), at)
    }

    /// Seals a batch of a link.
    pub fn of_link(&self, link: &LinkName, batch: u64, hash: &ChainHash, at: Timestamp) -> Seal {
        self.seal(Kind::Link, link.as_str(), (batch, mark(hash)), at)
    }

    /// Checks if the seal was made for this table, with this key.
    pub fn is_of_table(&self, seal: &Seal, table: &TableName) -> bool {
        self.verifies(Kind::Table, table.as_str(), seal)
    }

    /// Checks if the seal was made for this link, with this key.
    pub fn is_of_link(&self, seal: &Seal, link: &LinkName) -> bool {
        self.verifies(Kind::Link, link.as_str(), seal)
    }

    fn seal(&self, kind: Kind, name: &str, (number, mark): (u64, u64), at: Timestamp) -> Seal {
        let mut seal = Seal {
            number,
            mark,
            at,
            code: [0; CODE_BYTES],
        };
        let full = self.mac(kind, name, &seal).finalize().into_bytes();
        for (byte, from) in seal.code.iter_mut().zip(full) {
            *byte = from;
        }
        seal
    }

    fn verifies(&self, kind: Kind, name: &str, seal: &Seal) -> bool {
        let mac = self.mac(kind, name, seal);
        mac.verify_truncated_left(&seal.code).is_ok()
    }

    /// Returns the code's computation. The name is last, so that no other fields have the same bytes.
    fn mac(&self, kind: Kind, name: &str, seal: &Seal) -> Hmac<Sha256> {
        // HMAC pads a key with zeros to a block.
        let mut block = [0; BLOCK_BYTES];
        for (byte, from) in block.iter_mut().zip(self.0) {
            *byte = from;
        }
        let mut mac = Hmac::<Sha256>::new(&block.into());
        mac.update(b"meterhouse seal 1");
        mac.update(&[kind as u8]);
        mac.update(&seal.number.to_be_bytes());
        mac.update(&seal.mark.to_be_bytes());
        mac.update(&seal.at.0.to_be_bytes());
        mac.update(name.as_bytes());
        mac
    }
}

impl Seal {
    /// Checks if the sealed batch has this hash.
    pub fn has_hash(&self, hash: &ChainHash) -> bool {
        self.mark == mark(hash)
    }
}

/// Returns the beginning of a hash.
fn mark(hash: &ChainHash) -> u64 {
    let bytes = hash.0.iter().take(size_of::<u64>());
    bytes.fold(0, |mark, byte| mark << 8 | u64::from(*byte))
}

impl fmt::Display for Seal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = u128::from_be_bytes(self.code);
        write!(
            out,
            "{}.{:016x}.{}.{code:032x}",
            self.number, self.mark, self.at.0
        )
    }
}

impl FromStr for Seal {
    type Err = NotASeal;

    fn from_str(text: &str) -> Result<Self, NotASeal> {
        let mut parts = text.split('.');
        let mut next = || parts.next().ok_or(NotASeal);
        let (number, mark, at, code) = (next()?, next()?, next()?, next()?);
        let is_hex = |text: &str, digits| text.len() == digits;
        if !is_hex(mark, MARK_DIGITS) || !is_hex(code, 2 * CODE_BYTES) {
            return Err(NotASeal);
        }
        let seal = Self {
            number: number.parse().map_err(|_| NotASeal)?,
            mark: u64::from_str_radix(mark, 16).map_err(|_| NotASeal)?,
            at: Timestamp(at.parse().map_err(|_| NotASeal)?),
            code: u128::from_str_radix(code, 16)
                .map_err(|_| NotASeal)?
                .to_be_bytes(),
        };
        // One text a seal: no sign, no leading zeros, small letters, nothing behind.
        (seal.to_string() == text).then_some(seal).ok_or(NotASeal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(byte: u8) -> ChainHash {
        ChainHash([byte; crate::batch::HASH_BYTES])
    }

    fn seals(key: &SealKey) -> (Seal, Seal, TableName, LinkName) {
        let (table, link): (TableName, LinkName) = (
            "main".parse().expect("a name"),
            "main".parse().expect("a name"),
        );
        let of_table = key.of_table(&table, Sequence(57), Timestamp(1_795_000_000_000_001));
        let of_link = key.of_link(&link, 120, &hash(7), Timestamp(1_795_000_000_000_002));
        (of_table, of_link, table, link)
    }

    #[test]
    fn a_seal_is_read_back_and_verified() {
        let key = SealKey::new([3; KEY_BYTES]);
        let (of_table, of_link, table, link) = seals(&key);
        for seal in [of_table, of_link] {
            assert_eq!(seal.to_string().parse(), Ok(seal));
        }
        assert!(key.is_of_table(&of_table, &table) && key.is_of_link(&of_link, &link));
        assert!(of_link.has_hash(&hash(7)) && !of_link.has_hash(&hash(8)));
    }

    #[test]
    fn a_seal_of_another_name_kind_or_key_is_none() {
        let key = SealKey::new([3; KEY_BYTES]);
        let (of_table, of_link, table, link) = seals(&key);
        // A table and a link of the same name.
        assert!(!key.is_of_link(&of_table, &link) && !key.is_of_table(&of_link, &table));
        let (other_table, other_link) = ("T-2".parse(), "other".parse());
        assert!(!key.is_of_table(&of_table, &other_table.expect("a name")));
        assert!(!key.is_of_link(&of_link, &other_link.expect("a name")));
        let other = SealKey::new([4; KEY_BYTES]);
        assert!(!other.is_of_table(&of_table, &table) && !other.is_of_link(&of_link, &link));
    }

    #[test]
    fn no_changed_byte_verifies() {
        let key = SealKey::new([3; KEY_BYTES]);
        let (_, of_link, _, link) = seals(&key);
        let text = of_link.to_string();
        for place in 0..text.len() {
            for byte in b"0123456789abcdef.-+G" {
                let mut bytes = text.clone().into_bytes();
                if bytes[place] == *byte {
                    continue;
                }
                bytes[place] = *byte;
                let changed = String::from_utf8(bytes).expect("a text");
                let verified = changed.parse::<Seal>();
                let verified = verified.is_ok_and(|seal| key.is_of_link(&seal, &link));
                assert!(!verified, "{changed}");
            }
        }
        assert_eq!(format!("{text}.").parse::<Seal>(), Err(NotASeal));
        assert_eq!("".parse::<Seal>(), Err(NotASeal));
    }
}
