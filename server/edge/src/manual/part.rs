//! The parts of a page, and the rows of their tables.

use meterhouse_api::manual::ManualPart;

/// Returns a part with a table.
pub(super) fn table(heading: &str, rows: Vec<Vec<String>>) -> ManualPart {
    ManualPart {
        heading: heading.to_owned(),
        table: Some(rows),
        columns: None,
    }
}

/// Returns a row of a table.
pub(super) fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}
