//! The house's hash chain: its people, their tokens and its paytables as bytes.
//!
//! # What order holds
//! Each entry's hash covers the hash of the entry before. A new kind of entry takes the next number.

use meterhouse_domain::ids::{ActorId, Timestamp};
use sha2::{Digest as _, Sha256};

use crate::batch::{ChainHash, HASH_BYTES};
use crate::codec::{Canonical as _, Writer};

/// The version that an entry's bytes begin with.
pub const HOUSE_VERSION: u8 = 1;

/// A fact about the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HouseFact {
    /// A person, a table's controller or a display, and what each may do.
    Actor {
        /// The number that events carry.
        actor: ActorId,
        /// The name.
        name: String,
        /// The role.
        role: String,
        /// The table of a controller.
        table: Option<String>,
        /// The link of a display.
        link: Option<String>,
        /// The department.
        department: Option<String>,
        /// The moment when the name was first admitted.
        created_at: Timestamp,
    },
    /// A token was made.
    Token {
        /// SHA-256 of the token.
        token: [u8; HASH_BYTES],
        /// Its holder.
        actor: ActorId,
        /// When it was made.
        created_at: Timestamp,
        /// When it ends by itself.
        expires_at: Option<Timestamp>,
    },
    /// A token was ended.
    TokenRevoked {
        /// SHA-256 of the token.
        token: [u8; HASH_BYTES],
        /// When it was ended.
        revoked_at: Timestamp,
    },
    /// A paytable was stored.
    Paytable {
        /// SHA-256 of its content.
        content: [u8; HASH_BYTES],
        /// Its id.
        id: String,
        /// SHA-256 of the stored document.
        document: [u8; HASH_BYTES],
    },
}

impl HouseFact {
    /// Returns the fact that a paytable was stored with this document.
    pub fn paytable(content: [u8; HASH_BYTES], id: &str, document: &[u8]) -> Self {
        Self::Paytable {
            content,
            id: id.to_owned(),
            document: Sha256::digest(document).into(),
        }
    }

    /// Returns the number of its kind; never reused.
    pub const fn kind(&self) -> u8 {
        match self {
            Self::Actor { .. } => 1,
            Self::Token { .. } => 2,
            Self::TokenRevoked { .. } => 3,
            Self::Paytable { .. } => 4,
        }
    }

    /// Returns its bytes. `found` marks a row that was there before the chain.
    pub fn body(&self, found: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut out = Writer::new(&mut bytes);
        out.u8(u8::from(found));
        match self {
            Self::Actor {
                actor,
                name,
                role,
                table,
                link,
                department,
                created_at,
            } => {
                out.i32(actor.0);
                out.bytes(name.as_bytes());
                out.bytes(role.as_bytes());
                for text in [table, link, department] {
                    out.optional_bytes(text.as_ref().map(String::as_bytes));
                }
                out.i64(created_at.0);
            }
            Self::Token {
                token,
                actor,
                created_at,
                expires_at,
            } => {
                out.fixed(token);
                out.i32(actor.0);
                out.i64(created_at.0);
                expires_at.map(|at| at.0).write(&mut out);
            }
            Self::TokenRevoked { token, revoked_at } => {
                out.fixed(token);
                out.i64(revoked_at.0);
            }
            Self::Paytable {
                content,
                id,
                document,
            } => {
                out.fixed(content);
                out.bytes(id.as_bytes());
                out.fixed(document);
            }
        }
        bytes
    }
}

/// An entry of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseEntry {
    /// Its number, from 1 without gaps.
    pub number: u64,
    /// When it was written.
    pub at: Timestamp,
    /// The number of its kind.
    pub kind: u8,
    /// The bytes of its fact.
    pub body: Vec<u8>,
}

impl HouseEntry {
    /// Returns SHA-256 over the hash of the entry before ([`ChainHash::GENESIS`] for the first) and this one.
    pub fn hash(&self, previous: ChainHash) -> ChainHash {
        let mut bytes = Vec::new();
        let mut out = Writer::new(&mut bytes);
        out.u8(HOUSE_VERSION);
        out.u64(self.number);
        out.i64(self.at.0);
        out.u8(self.kind);
        out.bytes(&self.body);
        let hasher = Sha256::new_with_prefix(previous.0).chain_update(bytes);
        ChainHash(hasher.finalize().into())
    }
}
