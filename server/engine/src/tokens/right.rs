//! Rights: the smallest parts into which the work of people and programs is divided.

use core::fmt;
use std::str::FromStr;

/// A right. The policy of `meterhouse-edge` says which role has it and which operation needs it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Right {
    /// Sending the commands and heartbeats of a table.
    Command,
    /// Reading one table.
    ReadTable,
    /// Reading the journal, the books and the proposals of one link.
    ReadLink,
    /// Reading tables, hits, paytables and refused attempts of every link.
    ReadFloor,
    /// Validating and rejecting hits.
    Validate,
    /// Recording the documents of payouts.
    Pay,
    /// Opening links, accepting their first values, letting tables join and leave.
    Configure,
    /// Suspending and resuming links, disabling and enabling levels and tables.
    Run,
    /// Being one of two people who lift what keeps a link out of play.
    Reset,
    /// Being one of two people who move money outside play.
    Adjust,
    /// Admitting people and programs, and ending their access.
    Admit,
    /// Reading the record of what people and programs did.
    ReadActs,
    /// Depositing the signed heads of another house.
    DepositHeads,
    /// Clearing exceptions and signing off days.
    Close,
    /// Saying what the own screen shows.
    Show,
}

impl Right {
    /// All rights.
    pub const ALL: [Self; 15] = [
        Self::Command,
        Self::ReadTable,
        Self::ReadLink,
        Self::ReadFloor,
        Self::Validate,
        Self::Pay,
        Self::Configure,
        Self::Run,
        Self::Reset,
        Self::Adjust,
        Self::Admit,
        Self::ReadActs,
        Self::DepositHeads,
        Self::Close,
        Self::Show,
    ];

    /// Returns the word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::ReadTable => "read_table",
            Self::ReadLink => "read_link",
            Self::ReadFloor => "read_floor",
            Self::Validate => "validate",
            Self::Pay => "pay",
            Self::Configure => "configure",
            Self::Run => "run",
            Self::Reset => "reset",
            Self::Adjust => "adjust",
            Self::Admit => "admit",
            Self::ReadActs => "read_acts",
            Self::DepositHeads => "deposit_heads",
            Self::Close => "close",
            Self::Show => "show",
        }
    }
}

impl fmt::Display for Right {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The rights that a person was given out of those of the role, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenRights(Vec<Right>);

impl GivenRights {
    /// Returns the rights, in the order of [`Right::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = Right> {
        self.0.iter().copied()
    }

    /// Returns `true` if the right is among them.
    pub fn has(&self, right: Right) -> bool {
        self.0.contains(&right)
    }
}

/// Writes the names with commas between them, the form in which the database has them.
impl fmt::Display for GivenRights {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|right| right.name()).collect();
        formatter.write_str(&names.join(","))
    }
}

/// A text that is no list of rights.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write the names of rights with commas between them, each once, such as validate,pay")]
pub struct NotRights;

impl FromStr for GivenRights {
    type Err = NotRights;

    fn from_str(text: &str) -> Result<Self, NotRights> {
        let named = |name: &str| Right::ALL.into_iter().find(|right| right.name() == name);
        let rights = text.split(',').map(|name| named(name).ok_or(NotRights));
        let mut rights = rights.collect::<Result<Vec<_>, _>>()?;
        rights.sort_unstable();
        if rights.windows(2).any(|pair| pair.first() == pair.last()) {
            return Err(NotRights);
        }
        Ok(Self(rights))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_rights_are_read_in_any_order_and_written_in_one() {
        let read = |text: &str| text.parse::<GivenRights>().map(|rights| rights.to_string());
        assert_eq!(read("pay,validate"), Ok("validate,pay".to_owned()));
        assert_eq!(read("pay"), Ok("pay".to_owned()));
        for text in [
            "",
            ",",
            "pay,",
            "pay,pay",
            "Pay",
            "pay, validate",
            "everything",
        ] {
            assert_eq!(read(text), Err(NotRights), "{text:?}");
        }
    }
}
