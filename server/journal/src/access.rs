//! Facts about logins and acts in the house's chain.

use meterhouse_domain::ids::{ActorId, Timestamp};
use sha2::{Digest as _, Sha256};

use crate::batch::HASH_BYTES;
use crate::codec::Writer;

/// Returns the digest of an issuer of OpenID Connect and its name for a person: SHA-256 of both, a zero byte between them.
pub fn openid_digest(issuer: &str, subject: &str) -> [u8; HASH_BYTES] {
    Sha256::new()
        .chain_update(issuer.as_bytes())
        .chain_update([0])
        .chain_update(subject.as_bytes())
        .finalize()
        .into()
}

/// A fact about logins and acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessFact {
    /// A person has a new password.
    Password {
        /// Owner of the password.
        actor: ActorId,
        /// SHA-256 of the stored hash; the password itself is never stored.
        stored: [u8; HASH_BYTES],
        /// Server time.
        set_at: Timestamp,
    },
    /// A person has a new second factor, or none any more.
    SecondFactor {
        /// Owner of the second factor.
        actor: ActorId,
        /// SHA-256 of the secret; `None` if it was removed.
        secret: Option<[u8; HASH_BYTES]>,
        /// Server time.
        set_at: Timestamp,
    },
    /// The access of a person or program was ended or restored.
    Ended {
        /// Person or program.
        actor: ActorId,
        /// `false` if it was restored.
        is_ended: bool,
        /// Server time.
        changed_at: Timestamp,
    },
    /// A person has a new subject of OpenID Connect to log in by, or none any more.
    OpenId {
        /// Person.
        actor: ActorId,
        /// Digest of issuer and subject, by [`openid_digest`]; `None` if it was removed.
        subject: Option<[u8; HASH_BYTES]>,
        /// Server time.
        set_at: Timestamp,
    },
    /// A person has a new PIN to sign with, or none any more.
    Pin {
        /// Person.
        actor: ActorId,
        /// SHA-256 of the stored hash; `None` if it was removed.
        stored: Option<[u8; HASH_BYTES]>,
        /// Server time.
        set_at: Timestamp,
    },
    /// An act was recorded.
    Act {
        /// Number of the act.
        number: u64,
        /// SHA-256 of its bytes.
        digest: [u8; HASH_BYTES],
    },
}

impl AccessFact {
    /// Returns the fact that a person has a password with this stored hash.
    pub fn password(actor: ActorId, hash: &str, set_at: Timestamp) -> Self {
        Self::Password {
            actor,
            stored: Sha256::digest(hash.as_bytes()).into(),
            set_at,
        }
    }

    /// Returns the fact that a person has a second factor with this secret, or none.
    pub fn second_factor(actor: ActorId, secret: Option<&[u8]>, set_at: Timestamp) -> Self {
        Self::SecondFactor {
            actor,
            secret: secret.map(|secret| Sha256::digest(secret).into()),
            set_at,
        }
    }

    /// Returns the fact that a person logs in by this subject of an issuer, or by none.
    pub fn openid(actor: ActorId, subject: Option<(&str, &str)>, set_at: Timestamp) -> Self {
        Self::OpenId {
            actor,
            subject: subject.map(|(issuer, subject)| openid_digest(issuer, subject)),
            set_at,
        }
    }

    /// Returns the fact that a person has a PIN with this stored hash, or none.
    pub fn pin(actor: ActorId, hash: Option<&str>, set_at: Timestamp) -> Self {
        Self::Pin {
            actor,
            stored: hash.map(|hash| Sha256::digest(hash.as_bytes()).into()),
            set_at,
        }
    }

    /// Returns the number of the fact's kind; never reused.
    pub const fn kind(&self) -> u8 {
        match self {
            Self::Password { .. } => 8,
            Self::SecondFactor { .. } => 9,
            Self::Ended { .. } => 10,
            Self::Act { .. } => 11,
            Self::OpenId { .. } => 18,
            Self::Pin { .. } => 19,
        }
    }

    /// Writes the fact's fields.
    pub(crate) fn write(&self, out: &mut Writer<'_>) {
        match self {
            Self::Password {
                actor,
                stored,
                set_at,
            } => {
                out.i32(actor.0);
                out.fixed(stored);
                out.i64(set_at.0);
            }
            Self::SecondFactor {
                actor,
                secret: digest,
                set_at,
            }
            | Self::OpenId {
                actor,
                subject: digest,
                set_at,
            }
            | Self::Pin {
                actor,
                stored: digest,
                set_at,
            } => {
                out.i32(actor.0);
                out.optional_bytes(digest.as_ref().map(<[u8; HASH_BYTES]>::as_slice));
                out.i64(set_at.0);
            }
            Self::Ended {
                actor,
                is_ended,
                changed_at,
            } => {
                out.i32(actor.0);
                out.u8(u8::from(*is_ended));
                out.i64(changed_at.0);
            }
            Self::Act { number, digest } => {
                out.u64(*number);
                out.fixed(digest);
            }
        }
    }
}
