//! The house's hash chain: people, tokens, paytables, cleared exceptions and signed days as bytes.
//!
//! # Order
//! Each entry's hash covers the hash of the previous entry. Kinds 12 and 15 are unused and stay so.

use meterhouse_domain::ids::{ActorId, LinkId, Timestamp};
use sha2::{Digest as _, Sha256};

use crate::access::AccessFact;
use crate::batch::{ChainHash, HASH_BYTES};
use crate::codec::{Canonical as _, DecodeError, Reader, Writer};
use crate::month::IDENTITY_BYTES;
use crate::position::Position;
use crate::slip::{Slip, SlipReprint};
use crate::tree_head::{PublicKey, SIGNATURE_BYTES};

/// Kind of the entry of an introduced key.
pub const SIGNING_KEY: u8 = 6;
/// Kind of the entry of an ended key.
pub const SIGNING_KEY_ENDED: u8 = 7;
/// Kind of the entry of a slip.
pub const SLIP: u8 = 16;
/// Kind of the entry of a reprint.
const SLIP_REPRINT: u8 = 17;
/// Version byte at the beginning of an entry's bytes.
pub const HOUSE_VERSION: u8 = 1;

/// A fact about the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HouseFact {
    /// A person, a table's controller or a display, with the permissions of each.
    Actor {
        /// Number of the actor in events.
        actor: ActorId,
        /// Name under which the actor was admitted.
        name: String,
        /// Role, by its name in the database.
        role: String,
        /// Table of a controller.
        table: Option<String>,
        /// Link of a display.
        link: Option<String>,
        /// Department of a person, if one was given.
        department: Option<String>,
        /// Rights of a person who has fewer than the role's, by their names; `None` for all of them.
        rights: Option<String>,
        /// Server time of the first admission under this name.
        created_at: Timestamp,
    },
    /// A token was created.
    Token {
        /// SHA-256 of the token; the token itself is never stored.
        token: [u8; HASH_BYTES],
        /// Actor that holds the token.
        actor: ActorId,
        /// Server time of the creation.
        created_at: Timestamp,
        /// End of validity; `None` for a token without one.
        expires_at: Option<Timestamp>,
    },
    /// A token was revoked.
    TokenRevoked {
        /// SHA-256 of the token.
        token: [u8; HASH_BYTES],
        /// Server time of the revocation.
        revoked_at: Timestamp,
    },
    /// A paytable was stored.
    Paytable {
        /// SHA-256 of the paytable's content.
        content: [u8; HASH_BYTES],
        /// Id of the paytable, such as `pa-657a-five-card-c`.
        id: String,
        /// SHA-256 of the stored document.
        document: [u8; HASH_BYTES],
    },
    /// A key that signs tree heads was introduced.
    SigningKey {
        /// The public key.
        key: PublicKey,
        /// Server time of the introduction.
        introduced_at: Timestamp,
        /// An earlier key with its signature over [`key_statement`]; `None` for the first key, and for one that replaces a
        /// lost key.
        vouched: Option<Vouched>,
    },
    /// A key was ended: no later head is signed with it.
    SigningKeyEnded {
        /// The public key.
        key: PublicKey,
        /// Server time of the end.
        ended_at: Timestamp,
        /// Time from which others may have had the secret key; `None` for an ordinary replacement.
        compromised_since: Option<Timestamp>,
    },
    /// A fact about logins and acts.
    Access(AccessFact),
    /// A person cleared an exception of a link's journal.
    ExceptionCleared {
        /// Link of the exception.
        link: LinkId,
        /// Position of the event that is the exception.
        position: Position,
        /// Person who cleared it.
        actor: ActorId,
        /// Server time of the clearance.
        cleared_at: Timestamp,
        /// Reason, as the person gave it.
        reason: String,
    },
    /// A person signed off a day of a link.
    DaySigned {
        /// Link of the day.
        link: LinkId,
        /// Days since 1970-01-01 in UTC.
        day: i32,
        /// Person who signed.
        actor: ActorId,
        /// Server time of the signature.
        signed_at: Timestamp,
        /// Note, if the person gave one.
        note: Option<String>,
        /// SHA-256 of the report that was signed.
        report: [u8; HASH_BYTES],
    },
    /// A slip of a payout was made.
    Slip(Box<Slip>),
    /// A slip was printed again.
    SlipReprint(Box<SlipReprint>),
}

/// The signature of an earlier key for a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vouched {
    /// The earlier public key.
    pub by: PublicKey,
    /// Its signature over [`key_statement`].
    pub signature: [u8; SIGNATURE_BYTES],
}

/// First bytes of the statement about a new key.
const KEY_MAGIC: [u8; 8] = *b"MHSKEY\r\n";

/// Returns the bytes by which an earlier key vouches for a new one.
pub fn key_statement(identity: &[u8; IDENTITY_BYTES], key: PublicKey, at: Timestamp) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut out = Writer::new(&mut bytes);
    out.fixed(&KEY_MAGIC);
    out.u8(HOUSE_VERSION);
    out.fixed(identity);
    out.fixed(&key.0);
    out.i64(at.0);
    bytes
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

    /// Returns the fact that a person signed off a day with this report.
    pub fn day_signed(
        (link, day): (LinkId, i32),
        (actor, signed_at): (ActorId, Timestamp),
        note: Option<String>,
        report: &[u8],
    ) -> Self {
        Self::DaySigned {
            link,
            day,
            actor,
            signed_at,
            note,
            report: Sha256::digest(report).into(),
        }
    }

    /// Returns the number of the fact's kind; never reused.
    pub const fn kind(&self) -> u8 {
        match self {
            Self::Actor { rights: None, .. } => 1,
            Self::Token { .. } => 2,
            Self::TokenRevoked { .. } => 3,
            Self::Paytable { .. } => 4,
            Self::Actor {
                rights: Some(_), ..
            } => 5,
            Self::SigningKey { .. } => SIGNING_KEY,
            Self::SigningKeyEnded { .. } => SIGNING_KEY_ENDED,
            Self::Access(fact) => fact.kind(),
            Self::ExceptionCleared { .. } => 13,
            Self::DaySigned { .. } => 14,
            Self::Slip(_) => SLIP,
            Self::SlipReprint(_) => SLIP_REPRINT,
        }
    }

    /// Returns the fact's bytes. `found` marks a row that is older than the chain.
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
                rights,
                created_at,
            } => {
                out.i32(actor.0);
                out.bytes(name.as_bytes());
                out.bytes(role.as_bytes());
                for text in [table, link, department] {
                    out.optional_bytes(text.as_ref().map(String::as_bytes));
                }
                out.i64(created_at.0);
                // Without rights the bytes are those of kind 1.
                if let Some(rights) = rights {
                    out.bytes(rights.as_bytes());
                }
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
            Self::SigningKey { .. } | Self::SigningKeyEnded { .. } => self.key_body(&mut out),
            Self::Access(fact) => fact.write(&mut out),
            Self::ExceptionCleared { .. } | Self::DaySigned { .. } => self.closing_body(&mut out),
            Self::Slip(slip) => slip.write(&mut out),
            Self::SlipReprint(reprint) => reprint.write(&mut out),
        }
        bytes
    }

    /// Writes the fields of a fact about a signing key.
    fn key_body(&self, out: &mut Writer<'_>) {
        match self {
            Self::SigningKey {
                key,
                introduced_at,
                vouched,
            } => {
                out.fixed(&key.0);
                out.i64(introduced_at.0);
                out.u8(u8::from(vouched.is_some()));
                if let Some(vouched) = vouched {
                    out.fixed(&vouched.by.0);
                    out.fixed(&vouched.signature);
                }
            }
            Self::SigningKeyEnded {
                key,
                ended_at,
                compromised_since,
            } => {
                out.fixed(&key.0);
                out.i64(ended_at.0);
                compromised_since.map(|at| at.0).write(out);
            }
            _ => {}
        }
    }

    /// Writes the fields of a fact about an exception or a day.
    fn closing_body(&self, out: &mut Writer<'_>) {
        match self {
            Self::ExceptionCleared {
                link,
                position,
                actor,
                cleared_at,
                reason,
            } => {
                out.i32(link.0);
                out.u64(position.batch);
                out.u32(position.index);
                out.i32(actor.0);
                out.i64(cleared_at.0);
                out.bytes(reason.as_bytes());
            }
            Self::DaySigned {
                link,
                day,
                actor,
                signed_at,
                note,
                report,
            } => {
                out.i32(link.0);
                out.i32(*day);
                out.i32(actor.0);
                out.i64(signed_at.0);
                out.optional_bytes(note.as_ref().map(String::as_bytes));
                out.fixed(report);
            }
            _ => {}
        }
    }
}

/// An entry of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseEntry {
    /// Entry number, from 1 without gaps.
    pub number: u64,
    /// Server time of the entry.
    pub at: Timestamp,
    /// Number of the fact's kind, see [`HouseFact::kind`].
    pub kind: u8,
    /// Bytes of the fact, see [`HouseFact::body`].
    pub body: Vec<u8>,
}

impl HouseEntry {
    /// Returns SHA-256 over the hash of the previous entry ([`ChainHash::GENESIS`] for the first) and this entry.
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

    /// Returns the fact of an entry about a signing key, and nothing for other kinds.
    ///
    /// # Errors
    /// [`DecodeError`] if the body is not that of its kind.
    pub fn key_fact(&self) -> Result<Option<HouseFact>, DecodeError> {
        let mut input = Reader::new(&self.body);
        let fact = match self.kind {
            SIGNING_KEY => {
                input.zero_or_one()?;
                HouseFact::SigningKey {
                    key: PublicKey(input.array()?),
                    introduced_at: Timestamp(i64::read(&mut input)?),
                    vouched: if input.zero_or_one()? {
                        Some(Vouched {
                            by: PublicKey(input.array()?),
                            signature: input.array()?,
                        })
                    } else {
                        None
                    },
                }
            }
            SIGNING_KEY_ENDED => {
                input.zero_or_one()?;
                HouseFact::SigningKeyEnded {
                    key: PublicKey(input.array()?),
                    ended_at: Timestamp(i64::read(&mut input)?),
                    compromised_since: Option::<i64>::read(&mut input)?.map(Timestamp),
                }
            }
            _ => return Ok(None),
        };
        input.finish()?;
        Ok(Some(fact))
    }
}

#[cfg(test)]
mod tests;
