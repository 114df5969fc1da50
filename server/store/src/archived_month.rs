//! A month, its place, its record, and the end of a link's archived events.

use meterhouse_domain::ids::Timestamp;
use meterhouse_journal::batch::{ChainHash, HASH_BYTES};
use meterhouse_journal::position::Position;

/// Number of months in a year.
const MONTHS_OF_YEAR: i32 = 12;

/// A month as the journal's partitions number it: 12 × year + (month - 1). Its text is `2026-08`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month(pub i32);

impl std::fmt::Display for Month {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (year, month) = (
            self.0.div_euclid(MONTHS_OF_YEAR),
            self.0.rem_euclid(MONTHS_OF_YEAR) + 1,
        );
        write!(out, "{year:04}-{month:02}")
    }
}

impl std::str::FromStr for Month {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let month = text.split_once('-').and_then(|(year, month)| {
            let (year, month) = (year.parse::<i32>().ok()?, month.parse::<i32>().ok()?);
            (1..=MONTHS_OF_YEAR)
                .contains(&month)
                .then_some(Self(MONTHS_OF_YEAR * year + month - 1))
        });
        month
            .filter(|month| month.to_string() == text)
            .ok_or("write a month as its year and its number, such as 2026-08")
    }
}

/// The end of a link's archived events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedEnd {
    /// Newest archived month of the link.
    pub month: Month,
    /// Position of the last archived event.
    pub through: Position,
    /// Notable kinds of all archived events.
    pub kinds: Vec<u8>,
}

impl std::fmt::Display for ArchivedEnd {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { month, through, .. } = self;
        write!(
            out,
            "the events up to {through} are archived, the newest of them in the file of {month}"
        )
    }
}

/// The record of an archived month.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ArchiveRecord {
    /// Time of the record.
    pub at: Timestamp,
    /// SHA-256 of the file.
    pub file_hash: [u8; HASH_BYTES],
    /// Bytes of the file.
    pub bytes: u64,
    /// Number of links.
    pub links: u32,
    /// Number of batches.
    pub batches: u64,
    /// Number of events.
    pub events: u64,
}

/// The place of a month's events.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum MonthPlace {
    /// They are read as ever.
    Live,
    /// The partition is being detached: a command was interrupted.
    Detaching,
    /// The table is detached and has its name still: a command was interrupted.
    Detached,
    /// The table is detached and has a name of its own.
    SetAside,
    /// The table was dropped.
    Dropped,
}

/// A month that has, or had, a table of events.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct KnownMonth {
    /// Month.
    pub month: Month,
    /// Place of its events.
    pub place: MonthPlace,
    /// `true` if events of the month can be read.
    pub has_events: bool,
    /// Bytes of the table with its indexes.
    pub size: u64,
    /// Record, if the month was archived.
    pub record: Option<ArchiveRecord>,
}

/// A link's state after its last batch of an archived month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedState {
    /// Month.
    pub month: Month,
    /// Number of the last batch.
    pub batch: u64,
    /// Hash of that batch.
    pub chain_hash: ChainHash,
    /// Notable kinds of all archived events, in their order.
    pub kinds: Vec<u8>,
    /// Paytable that each table named when it joined, by the table's number from 1.
    pub paytables: Vec<String>,
    /// State, as a snapshot's bytes.
    pub state: Vec<u8>,
}

/// A batch without its content.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BatchHash {
    /// Number of the batch.
    pub batch: u64,
    /// Stored hash.
    pub chain_hash: ChainHash,
    /// Number of events that the batch declares.
    pub events: u64,
}

#[cfg(test)]
mod tests {
    use super::Month;

    #[test]
    fn a_month_has_one_text() {
        for (text, period) in [
            ("2026-08", 24_319),
            ("2026-12", 24_323),
            ("2027-01", 24_324),
        ] {
            assert_eq!(text.parse(), Ok(Month(period)));
            assert_eq!(Month(period).to_string(), text);
        }
        for text in [
            "",
            "2026",
            "2026-8",
            "2026-13",
            "2026-00",
            "26-08",
            "2026-08-01",
            "08-2026",
        ] {
            assert!(text.parse::<Month>().is_err(), "{text}");
        }
    }
}
