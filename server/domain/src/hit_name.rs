//! Names of hits: `C4P-07.4713`, or `C4P-07.4713.2` if one command recorded several hits.

use std::fmt;
use std::str::FromStr;

use crate::ids::{HitId, Sequence, TableName, TableNo};

/// The name of a hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitName {
    /// The table.
    pub table: TableName,
    /// The sequence number of the command that recorded the hit; of a late hit the coin-in of its round.
    pub sequence: Sequence,
    /// The number among the hits of the command; 0 if it recorded one.
    pub number: u8,
}

/// A text that is no hit's name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a hit is its table, its command's number and, of several, its own number: C4P-07.4713.2")]
pub struct NotAHit;

impl HitName {
    /// Returns the id of the hit at the table with this number.
    pub const fn at(&self, table: TableNo) -> HitId {
        HitId {
            table,
            sequence: self.sequence,
            number: self.number,
        }
    }

    /// Returns the name of a hit at a table.
    pub fn of(table: &TableName, hit: HitId) -> Self {
        Self {
            table: table.clone(),
            sequence: hit.sequence,
            number: hit.number,
        }
    }
}

impl fmt::Display for HitName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.table, self.sequence)?;
        match self.number {
            0 => Ok(()),
            number => write!(out, ".{number}"),
        }
    }
}

impl FromStr for HitName {
    type Err = NotAHit;

    fn from_str(text: &str) -> Result<Self, NotAHit> {
        let mut parts = text.split('.');
        let table = parts
            .next()
            .and_then(|name| name.parse().ok())
            .ok_or(NotAHit)?;
        let sequence: u64 = parts.next().and_then(number).ok_or(NotAHit)?;
        if sequence == 0 || sequence > Sequence::MAX {
            return Err(NotAHit);
        }
        let number = match parts.next() {
            None => 0,
            Some(text) => {
                let number = number(text).and_then(|number| u8::try_from(number).ok());
                number.filter(|number| *number > 0).ok_or(NotAHit)?
            }
        };
        if parts.next().is_some() {
            return Err(NotAHit);
        }
        Ok(Self {
            table,
            sequence: Sequence(sequence),
            number,
        })
    }
}

/// Parses a number in its only spelling, so that a hit has one name.
fn number(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::HitName;

    #[test]
    fn a_hit_has_one_name() {
        for text in ["C4P-07.4713", "C4P-07.4713.2", "T.1.255"] {
            let name: HitName = text.parse().expect("a name");
            assert_eq!(name.to_string(), text);
        }
        for text in [
            "",
            "C4P-07",
            "C4P-07.",
            "C4P-07.0",
            "C4P-07.04",
            "C4P-07.+4",
            "C4P-07.4.0",
            "C4P-07.4.256",
            "C4P-07.4.1.1",
            ".4",
            "C4P-07.9223372036854775808",
        ] {
            assert!(text.parse::<HitName>().is_err(), "{text}");
        }
    }
}
