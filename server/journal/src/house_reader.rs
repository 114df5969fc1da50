//! Reading the entries of the house's chain: people, paytables, and signing keys.

use meterhouse_domain::ids::{ActorId, Timestamp};

use crate::codec::{Canonical as _, DecodeError, Reader};
use crate::house::{HouseEntry, HouseFact};

/// Kind of the entry of an actor with all rights of the role.
pub const ACTOR: u8 = 1;
/// Kind of the entry of a stored paytable.
pub const PAYTABLE: u8 = 4;
/// Kind of the entry of an actor with fewer rights than the role has.
pub const ACTOR_WITH_RIGHTS: u8 = 5;

impl HouseEntry {
    /// Returns the fact of an entry about an actor, a paytable or a signing key, and nothing for other kinds.
    ///
    /// # Errors
    /// [`DecodeError`] if the body is not that of its kind.
    pub fn fact(&self) -> Result<Option<HouseFact>, DecodeError> {
        let mut input = Reader::new(&self.body);
        let fact = match self.kind {
            ACTOR | ACTOR_WITH_RIGHTS => {
                input.zero_or_one()?;
                actor(&mut input, self.kind == ACTOR_WITH_RIGHTS)?
            }
            PAYTABLE => {
                input.zero_or_one()?;
                HouseFact::Paytable {
                    content: input.array()?,
                    id: input.present(Reader::optional_text)?.to_owned(),
                    document: input.array()?,
                }
            }
            _ => return self.key_fact(),
        };
        input.finish()?;
        Ok(Some(fact))
    }
}

fn actor(input: &mut Reader<'_>, has_rights: bool) -> Result<HouseFact, DecodeError> {
    Ok(HouseFact::Actor {
        actor: ActorId(i32::read(input)?),
        name: input.present(Reader::optional_text)?.to_owned(),
        role: input.present(Reader::optional_text)?.to_owned(),
        table: input.optional_text()?.map(str::to_owned),
        link: input.optional_text()?.map(str::to_owned),
        department: input.optional_text()?.map(str::to_owned),
        created_at: Timestamp(i64::read(input)?),
        rights: if has_rights {
            Some(input.present(Reader::optional_text)?.to_owned())
        } else {
            None
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(fact: &HouseFact) -> HouseEntry {
        HouseEntry {
            number: 1,
            at: Timestamp(2),
            kind: fact.kind(),
            body: fact.body(false),
        }
    }

    #[test]
    fn a_written_fact_is_read_back() {
        for rights in [None, Some("pay".to_owned())] {
            let fact = HouseFact::Actor {
                actor: ActorId(7),
                name: "cash".to_owned(),
                role: "supervisor".to_owned(),
                table: None,
                link: None,
                department: Some("cage".to_owned()),
                rights,
                created_at: Timestamp(1),
            };
            assert_eq!(entry(&fact).fact(), Ok(Some(fact)));
        }
        let fact = HouseFact::paytable([3; 32], "pa-657a-five-card-c", b"{}");
        assert_eq!(entry(&fact).fact(), Ok(Some(fact)));
    }

    #[test]
    fn bytes_left_over_are_refused() {
        let mut entry = entry(&HouseFact::paytable([3; 32], "a", b"{}"));
        entry.body.push(0);
        assert!(entry.fact().is_err());
    }
}
