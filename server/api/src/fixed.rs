//! Tables of fixed wagers: a printed table of odds, and the worth of its wagers.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::paytable::NotInSource;
use crate::returns::Share;
use crate::values::{GameName, PaytableId};

/// A table of fixed wagers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FixedTable {
    /// Id.
    pub table: PaytableId,
    /// Title.
    pub title: String,
    /// Jurisdiction.
    pub jurisdiction: String,
    /// Source.
    pub citation: String,
    /// Date from which it is effective; null if the source bears no date.
    pub effective: Option<String>,
    /// Game that has the wagers.
    pub game: GameName,
    /// Wagers that it pays.
    #[schema(examples(json!(["ante", "play"])))]
    pub wagers: Vec<String>,
    /// Letter among the tables for the same wagers; null for the only one.
    pub letter: Option<String>,
    /// Players of the round that it is for; null for any number.
    pub players: Option<u8>,
    /// Way in which the wagers are judged: `four-card`, `dice` …; null if it is missing.
    pub look: Option<String>,
    /// Lines as printed; empty if they are missing.
    pub lines: Vec<FixedLine>,
    /// Second reading of a doubtful print; null if there is none.
    pub reading: Option<FixedReading>,
    /// True if no line and no pay is missing.
    pub complete: bool,
    /// Values that its source omits.
    pub not_in_source: Vec<NotInSource>,
}

/// A line of a table of fixed wagers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FixedLine {
    /// Words of the print.
    pub prints: String,
    /// Pay: odds, `push` or `loses`; null if it is missing.
    #[schema(examples("50 to 1"))]
    pub pays: Option<String>,
}

/// A second reading of a doubtful print.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FixedReading {
    /// Name.
    pub name: String,
    /// Doubt, as a sentence.
    pub says: String,
    /// All lines in this reading.
    pub lines: Vec<FixedLine>,
}

/// The worth of the wagers of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FixedReturns {
    /// Id.
    pub table: PaytableId,
    /// Title.
    pub title: String,
    /// Source.
    pub citation: String,
    /// Values that the source omits.
    pub not_in_source: Vec<NotInSource>,
    /// Values, those of the print first; empty if the table has none.
    pub values: Vec<FixedValue>,
    /// Reason for which the wager alone has no value; null if it has one. The values are then those of all required wagers.
    pub depends: Option<String>,
    /// Condition of the values, or that their counts are rounded; null if there is neither.
    pub assumes: Option<String>,
    /// Warning for an operator who offers the wager; null if there is none.
    pub warning: Option<String>,
}

/// The value of a wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FixedValue {
    /// Wager or reading that it is for; null for the wager of the table.
    pub about: Option<String>,
    /// Lines, in the order of the table.
    pub lines: Vec<FixedLineReturn>,
    /// Part of all wagers that the house keeps; negative if it pays more than it takes.
    pub hold: Share,
    /// Part of the wagers that win.
    pub hit: Share,
    /// Part of the wagers that go back without a win.
    pub push: Share,
    /// Variance of a player's result in wagers, as an exact fraction.
    pub variance: String,
    /// Standard deviation of a player's result in wagers, rounded to two decimals.
    #[schema(examples("8.04"))]
    pub deviation: String,
}

/// The value of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FixedLineReturn {
    /// Words of the print.
    pub prints: String,
    /// Pay.
    pub pays: String,
    /// Number of cases that the line pays.
    pub cases: u64,
    /// Number of all cases.
    pub of: u64,
    /// Number of cases per case of this line, rounded to two decimals, or to a whole number where the cases are rounded; null if
    /// there is none.
    pub one_in: Option<String>,
    /// Part of the wager that the line returns, with the wager itself where it goes back.
    pub returned: Share,
}
