//! Signed tree heads: what a house states about a chain at a moment, with a signature that an outsider checks.
//!
//! # Shape
//! A [`TreeHead`] names the newest batch of a link, its chain hash and the root of the tree over all batches so far. Its
//! bytes stand in `docs/JOURNAL.md`; a [`SigningKey`] signs them by Ed25519 (RFC 8032). The heads of a chain are numbered
//! without gaps, and each covers the bytes of the one before. The house's chain has heads too, under [`HOUSE`].

use core::fmt;
use core::str::FromStr;

use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{
    DecodePrivateKey as _, DecodePublicKey as _, EncodePrivateKey as _, EncodePublicKey as _,
    KeypairBytes,
};
use ed25519_dalek::{Signature, Signer as _, VerifyingKey};
use meterhouse_domain::ids::{LinkId, Timestamp};
use sha2::{Digest as _, Sha256};

use crate::batch::{ChainHash, HASH_BYTES};
use crate::codec::{DecodeError, Problem, Reader, Writer};
use crate::month::IDENTITY_BYTES;
use crate::tree::TreeHash;

/// The link of the house's chain.
pub const HOUSE: LinkId = LinkId(0);
/// First bytes of a head, so that no other signed bytes are one.
pub const HEAD_MAGIC: [u8; 8] = *b"MHHEAD\r\n";
/// Version of a head's form.
pub const HEAD_VERSION: u8 = 1;
/// Size in bytes of a key, secret or public.
pub const KEY_BYTES: usize = 32;
/// Size in bytes of a signature.
pub const SIGNATURE_BYTES: usize = 64;

/// The statement about a chain at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeHead {
    /// Identity of the database.
    pub identity: [u8; IDENTITY_BYTES],
    /// Link, or [`HOUSE`].
    pub link: LinkId,
    /// Name of the link; empty for the house.
    pub name: String,
    /// Number of the head on its chain, from 1 without gaps.
    pub number: u64,
    /// SHA-256 of the bytes of the head before; 32 zero bytes for the first.
    pub previous: [u8; HASH_BYTES],
    /// Newest batch, or entry of the house's chain: the number of the tree's leaves.
    pub batch: u64,
    /// Chain hash of that batch.
    pub chain_hash: ChainHash,
    /// Root of the tree.
    pub root: TreeHash,
    /// Server time of the signature.
    pub at: Timestamp,
}

impl TreeHead {
    /// Returns the signed bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut out = Writer::new(&mut bytes);
        out.fixed(&HEAD_MAGIC);
        out.u8(HEAD_VERSION);
        out.fixed(&self.identity);
        out.i32(self.link.0);
        out.bytes(self.name.as_bytes());
        out.u64(self.number);
        out.fixed(&self.previous);
        out.u64(self.batch);
        out.fixed(&self.chain_hash.0);
        out.fixed(&self.root.0);
        out.i64(self.at.0);
        bytes
    }

    /// Returns the head with these bytes.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are not those of a head.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Reader::new(bytes);
        if input.array()? != HEAD_MAGIC {
            return Err(Reader::refuse(0, Problem::Not { what: "tree head" }));
        }
        let offset = input.offset();
        let version = input.u8()?;
        if version != HEAD_VERSION {
            let what = "version of a tree head";
            let code = version;
            return Err(Reader::refuse(offset, Problem::UnknownCode { what, code }));
        }
        let head = Self {
            identity: input.array()?,
            link: LinkId(i32::from_be_bytes(input.array()?)),
            name: input.present(Reader::optional_text)?.to_owned(),
            number: u64::from_be_bytes(input.array()?),
            previous: input.array()?,
            batch: u64::from_be_bytes(input.array()?),
            chain_hash: ChainHash(input.array()?),
            root: TreeHash(input.array()?),
            at: Timestamp(i64::from_be_bytes(input.array()?)),
        };
        input.finish()?;
        Ok(head)
    }

    /// Returns SHA-256 of the signed bytes, which the next head covers.
    pub fn hash(&self) -> [u8; HASH_BYTES] {
        Sha256::digest(self.bytes()).into()
    }
}

/// A head with its signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedHead {
    /// Statement.
    pub head: TreeHead,
    /// Key that the signature is checked with.
    pub key: PublicKey,
    /// Ed25519 signature over the statement's bytes.
    pub signature: [u8; SIGNATURE_BYTES],
}

impl SignedHead {
    /// Checks the signature. It says nothing about who holds the key.
    pub fn is_signed(&self) -> bool {
        self.key.verifies(&self.head.bytes(), &self.signature)
    }
}

/// A text or file that is not a key.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAKey {
    /// Not a secret key in a form that is read.
    #[error("it is no Ed25519 key in PEM, as `openssl genpkey -algorithm ed25519` writes it")]
    Secret,
    /// Not a public key in a form that is read.
    #[error(
        "it is no Ed25519 public key: 64 hexadecimal digits, or PEM as `openssl pkey -pubout` writes it"
    )]
    Public,
}

/// A public key. Its text is 64 hexadecimal digits.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PublicKey(pub [u8; KEY_BYTES]);

impl PublicKey {
    /// Checks a signature over bytes, by the strict rules: no key of small order, one form of a signature.
    pub fn verifies(&self, bytes: &[u8], signature: &[u8; SIGNATURE_BYTES]) -> bool {
        let key = VerifyingKey::from_bytes(&self.0);
        key.is_ok_and(|key| {
            key.verify_strict(bytes, &Signature::from_bytes(signature))
                .is_ok()
        })
    }

    /// Returns the key as PEM, as other programs read it.
    ///
    /// # Errors
    /// [`NotAKey::Public`] if the bytes are no point of the curve.
    pub fn to_pem(self) -> Result<String, NotAKey> {
        let key = VerifyingKey::from_bytes(&self.0).map_err(|_| NotAKey::Public)?;
        let pem = key.to_public_key_pem(LineEnding::LF);
        pem.map_err(|_| NotAKey::Public)
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl FromStr for PublicKey {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let text = text.trim();
        if let Ok(key) = VerifyingKey::from_public_key_pem(text) {
            return Ok(Self(key.to_bytes()));
        }
        let mut bytes = [0; KEY_BYTES];
        if text.len() != 2 * KEY_BYTES || !text.is_ascii() {
            return Err(NotAKey::Public);
        }
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digits = core::str::from_utf8(digits).map_err(|_| NotAKey::Public)?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| NotAKey::Public)?;
        }
        VerifyingKey::from_bytes(&bytes).map_err(|_| NotAKey::Public)?;
        Ok(Self(bytes))
    }
}

/// A secret key. Without `Debug`: it is a secret.
#[derive(Clone)]
pub struct SigningKey(ed25519_dalek::SigningKey);

impl SigningKey {
    /// Returns the key of 32 secret random bytes.
    pub fn new(secret: &[u8; KEY_BYTES]) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(secret))
    }

    /// Reads a key in PKCS#8 PEM (RFC 8410).
    ///
    /// # Errors
    /// [`NotAKey::Secret`].
    pub fn from_pem(pem: &str) -> Result<Self, NotAKey> {
        let key = ed25519_dalek::SigningKey::from_pkcs8_pem(pem);
        key.map(Self).map_err(|_| NotAKey::Secret)
    }

    /// Returns the key in PKCS#8 PEM, without the public key, which OpenSSL does not read there.
    ///
    /// # Errors
    /// [`NotAKey::Secret`]; never for a key of this type.
    pub fn to_pem(&self) -> Result<String, NotAKey> {
        let key = KeypairBytes {
            secret_key: self.0.to_bytes(),
            public_key: None,
        };
        let pem = key.to_pkcs8_pem(LineEnding::LF);
        pem.map(|pem| pem.to_string()).map_err(|_| NotAKey::Secret)
    }

    /// Returns the public key.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key().to_bytes())
    }

    /// Signs bytes.
    pub fn sign(&self, bytes: &[u8]) -> [u8; SIGNATURE_BYTES] {
        self.0.sign(bytes).to_bytes()
    }

    /// Signs a head.
    pub fn sign_head(&self, head: TreeHead) -> SignedHead {
        let signature = self.sign(&head.bytes());
        SignedHead {
            head,
            key: self.public(),
            signature,
        }
    }
}
