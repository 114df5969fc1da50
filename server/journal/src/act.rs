//! An act: one entry of the record of what people and programs did, as bytes.

use meterhouse_domain::ids::{ActorId, Timestamp};
use sha2::{Digest as _, Sha256};

use crate::batch::HASH_BYTES;
use crate::codec::Writer;

/// Version byte at the beginning of an act's bytes.
const ACT_VERSION: u8 = 1;

/// An act. The house's chain has the digest of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// Number, from 1 without gaps.
    pub number: u64,
    /// Server time of the act.
    pub at: Timestamp,
    /// Word of the act, such as `login`.
    pub act: String,
    /// Actor who did it, if the server knows who it was.
    pub actor: Option<ActorId>,
    /// Name that was given, known or not.
    pub name: Option<String>,
    /// Proof of the name that was given: `session`, `token`, `password`, `code`, `command line` or `server`.
    pub proof: String,
    /// Address of the client.
    pub address: Option<String>,
    /// Person, token, link or path that the act is about.
    pub subject: Option<String>,
    /// Further facts, each with its name, such as a reason.
    pub details: Vec<(String, String)>,
}

impl Act {
    /// Returns the bytes of the act.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut out = Writer::new(&mut bytes);
        out.u8(ACT_VERSION);
        out.u64(self.number);
        out.i64(self.at.0);
        out.bytes(self.act.as_bytes());
        out.u8(u8::from(self.actor.is_some()));
        if let Some(actor) = self.actor {
            out.i32(actor.0);
        }
        out.optional_bytes(self.name.as_ref().map(String::as_bytes));
        out.bytes(self.proof.as_bytes());
        out.optional_bytes(self.address.as_ref().map(String::as_bytes));
        out.optional_bytes(self.subject.as_ref().map(String::as_bytes));
        out.length(self.details.len());
        for (name, value) in &self.details {
            out.bytes(name.as_bytes());
            out.bytes(value.as_bytes());
        }
        bytes
    }

    /// Returns SHA-256 of the bytes.
    pub fn digest(&self) -> [u8; HASH_BYTES] {
        Sha256::digest(self.bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of an act, field by field, as `docs/JOURNAL.md` has them.
    #[test]
    fn an_act_has_these_bytes() {
        let act = Act {
            number: 2,
            at: Timestamp(3),
            act: "login".to_owned(),
            actor: Some(ActorId(7)),
            name: Some("ana".to_owned()),
            proof: "password".to_owned(),
            address: None,
            subject: None,
            details: vec![("why".to_owned(), "shift".to_owned())],
        };
        let expected = [
            &[1][..],
            &[0, 0, 0, 0, 0, 0, 0, 2],
            &[0, 0, 0, 0, 0, 0, 0, 3],
            b"\0\0\0\x05login",
            &[1, 0, 0, 0, 7],
            b"\0\0\0\x03ana",
            b"\0\0\0\x08password",
            b"\xff\xff\xff\xff",
            b"\xff\xff\xff\xff",
            b"\0\0\0\x01\0\0\0\x03why\0\0\0\x05shift",
        ];
        assert_eq!(act.bytes(), expected.concat());
        let nobody = Act {
            actor: None,
            ..act.clone()
        };
        assert_ne!(nobody.digest(), act.digest());
    }
}
