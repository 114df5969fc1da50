//! A voucher: the signature of the house's key for a credential, so that a row that another program inserts lets no person in.

use meterhouse_domain::ids::Timestamp;
use sha2::{Digest as _, Sha256};

use crate::access::openid_digest;
use crate::batch::HASH_BYTES;
use crate::codec::{Canonical as _, Writer};
use crate::house::HouseFact;
use crate::month::IDENTITY_BYTES;
use crate::tree_head::{KEY_BYTES, PublicKey, SIGNATURE_BYTES};

/// Length of a voucher in bytes.
const VOUCHER_BYTES: usize = KEY_BYTES + SIGNATURE_BYTES;
/// First bytes of the statement about a credential.
const CREDENTIAL_MAGIC: [u8; 8] = *b"MHSCRD\r\n";
/// Version of the statement.
const CREDENTIAL_VERSION: u8 = 1;

/// The signature of a key for a credential: the public key, then the signature.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Voucher(pub [u8; VOUCHER_BYTES]);

/// A credential: what lets its owner in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// A token of a program or person.
    Token {
        /// SHA-256 of the token.
        token: [u8; HASH_BYTES],
        /// Server time of the creation.
        created_at: Timestamp,
        /// End of validity; `None` for a token without one.
        expires_at: Option<Timestamp>,
    },
    /// A person's password.
    Password {
        /// SHA-256 of the stored hash.
        stored: [u8; HASH_BYTES],
        /// Server time at which it was set.
        set_at: Timestamp,
    },
    /// A person's session.
    Session {
        /// SHA-256 of the session's secret.
        session: [u8; HASH_BYTES],
        /// Server time of the login.
        created_at: Timestamp,
        /// Latest end of the session.
        expires_at: Timestamp,
    },
    /// A code with which a person sets a password.
    Code {
        /// SHA-256 of the code.
        code: [u8; HASH_BYTES],
        /// End of validity.
        expires_at: Timestamp,
    },
    /// A person's subject at an issuer of OpenID Connect.
    OpenId {
        /// Digest of issuer and subject.
        subject: [u8; HASH_BYTES],
        /// Server time at which it was set.
        set_at: Timestamp,
    },
    /// A person's PIN.
    Pin {
        /// SHA-256 of the stored hash.
        stored: [u8; HASH_BYTES],
        /// Server time at which it was set.
        set_at: Timestamp,
    },
    /// A person's signature: a short session that a PIN began.
    Signature {
        /// SHA-256 of the signature's token.
        signature: [u8; HASH_BYTES],
        /// Server time of the signature.
        created_at: Timestamp,
        /// End of validity.
        expires_at: Timestamp,
    },
}

impl Credential {
    /// Returns the PIN with this stored hash.
    pub fn pin(hash: &str, set_at: Timestamp) -> Self {
        let stored = Sha256::digest(hash.as_bytes()).into();
        Self::Pin { stored, set_at }
    }

    /// Returns the password with this stored hash.
    pub fn password(hash: &str, set_at: Timestamp) -> Self {
        let stored = Sha256::digest(hash.as_bytes()).into();
        Self::Password { stored, set_at }
    }

    /// Returns the subject of an issuer of OpenID Connect.
    pub fn openid(issuer: &str, subject: &str, set_at: Timestamp) -> Self {
        let subject = openid_digest(issuer, subject);
        Self::OpenId { subject, set_at }
    }

    fn write(&self, out: &mut Writer<'_>) {
        let (kind, hash) = match self {
            Self::Token { token, .. } => (1, token),
            Self::Password { stored, .. } => (2, stored),
            Self::Session { session, .. } => (3, session),
            Self::Code { code, .. } => (4, code),
            Self::OpenId { subject, .. } => (5, subject),
            Self::Pin { stored, .. } => (6, stored),
            Self::Signature { signature, .. } => (7, signature),
        };
        out.u8(kind);
        out.fixed(hash);
        match self {
            Self::Token {
                created_at,
                expires_at,
                ..
            } => {
                out.i64(created_at.0);
                expires_at.map(|at| at.0).write(out);
            }
            Self::Password { set_at, .. }
            | Self::OpenId { set_at, .. }
            | Self::Pin { set_at, .. } => out.i64(set_at.0),
            Self::Session {
                created_at,
                expires_at,
                ..
            }
            | Self::Signature {
                created_at,
                expires_at,
                ..
            } => {
                out.i64(created_at.0);
                out.i64(expires_at.0);
            }
            Self::Code { expires_at, .. } => out.i64(expires_at.0),
        }
    }

    /// Returns the bytes that a voucher signs: the database, the owner's fact in the house's chain, and the credential.
    pub fn statement(&self, identity: &[u8; IDENTITY_BYTES], owner: &HouseFact) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut out = Writer::new(&mut bytes);
        out.fixed(&CREDENTIAL_MAGIC);
        out.u8(CREDENTIAL_VERSION);
        out.fixed(identity);
        out.u8(owner.kind());
        out.bytes(&owner.body(false));
        self.write(&mut out);
        bytes
    }
}

impl Voucher {
    /// Returns the voucher of a key that has signed a statement.
    pub fn new(key: PublicKey, signature: [u8; SIGNATURE_BYTES]) -> Self {
        let public = key.0;
        let mut bytes = [0; VOUCHER_BYTES];
        let (first, second) = bytes.split_at_mut(KEY_BYTES);
        first.copy_from_slice(&public);
        second.copy_from_slice(&signature);
        Self(bytes)
    }

    /// Returns `true` if one of these keys has signed the statement.
    pub fn is_of(&self, keys: &[PublicKey], statement: &[u8]) -> bool {
        let Some((key, signature)) = self.0.split_first_chunk::<KEY_BYTES>() else {
            return false;
        };
        let Ok(signature) = <&[u8; SIGNATURE_BYTES]>::try_from(signature) else {
            return false;
        };
        let key = PublicKey(*key);
        keys.contains(&key) && key.verifies(statement, signature)
    }
}

#[cfg(test)]
mod tests {
    use meterhouse_domain::ids::ActorId;

    use super::*;
    use crate::tree_head::SigningKey;

    const IDENTITY: [u8; IDENTITY_BYTES] = [9; IDENTITY_BYTES];

    fn owner(role: &str) -> HouseFact {
        HouseFact::Actor {
            actor: ActorId(7),
            name: "ana".to_owned(),
            role: role.to_owned(),
            table: None,
            link: None,
            department: None,
            rights: None,
            created_at: Timestamp(1),
        }
    }

    /// The bytes of a statement are those of JOURNAL 9.
    #[test]
    fn a_subject_of_openid_connect_is_a_credential_of_its_own() {
        let credential = Credential::openid("https://id.example", "s-1", Timestamp(2));
        let statement = credential.statement(&IDENTITY, &owner("auditor"));
        let digest = Sha256::digest(b"https://id.example\0s-1");
        let end = [&[5][..], &digest, &2_i64.to_be_bytes()].concat();
        assert!(statement.ends_with(&end));
    }

    fn token(expires_at: Option<i64>) -> Credential {
        Credential::Token {
            token: [3; HASH_BYTES],
            created_at: Timestamp(1),
            expires_at: expires_at.map(Timestamp),
        }
    }

    /// A voucher is good for one credential of one owner in one database, by one of the named keys.
    #[test]
    fn a_voucher_is_good_for_what_it_signs_only() {
        let key = SigningKey::new(&[1; KEY_BYTES]);
        let statement = token(None).statement(&IDENTITY, &owner("auditor"));
        let voucher = Voucher::new(key.public(), key.sign(&statement));
        assert!(voucher.is_of(&[key.public()], &statement));
        let other_key = SigningKey::new(&[2; KEY_BYTES]).public();
        assert!(!voucher.is_of(&[other_key], &statement));
        assert!(!voucher.is_of(&[], &statement));
        for other in [
            token(None).statement(&IDENTITY, &owner("manager")),
            token(Some(5)).statement(&IDENTITY, &owner("auditor")),
            token(None).statement(&[8; IDENTITY_BYTES], &owner("auditor")),
        ] {
            assert!(!voucher.is_of(&[key.public()], &other));
        }
    }
}
