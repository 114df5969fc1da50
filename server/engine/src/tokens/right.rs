//! Rights: the smallest parts into which the work of people and programs is divided.

use core::fmt;

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
}

impl Right {
    /// All rights.
    pub const ALL: [Self; 10] = [
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
        }
    }
}

impl fmt::Display for Right {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
