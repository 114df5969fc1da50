//! The tables of fixed wagers that a part of the manual draws together.

use meterhouse_api::fixed::FixedReturns;
use meterhouse_catalogue::FixedSheet;

/// Label of the row with the holds.
pub(super) const HOLD: &str = "The house keeps";

/// A table with the worth of its wagers.
pub(super) struct Column<'a> {
    /// Table as its file has it.
    pub(super) sheet: &'a FixedSheet,
    /// Worth of its wagers.
    pub(super) returns: FixedReturns,
}

/// The tables for the same wagers of a game in a jurisdiction.
pub(super) struct Group<'a> {
    /// Heading of the part.
    pub(super) heading: String,
    /// Tables, a letter each.
    pub(super) columns: Vec<Column<'a>>,
}

impl Group<'_> {
    /// Returns the clauses of the tables, each once.
    pub(super) fn sources(&self) -> Vec<&str> {
        let columns = self.columns.iter();
        let mut sources: Vec<&str> = columns
            .map(|column| column.sheet.citation.as_str())
            .collect();
        sources.dedup();
        sources
    }
}
