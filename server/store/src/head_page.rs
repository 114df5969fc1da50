//! The page on which the current version of a head's row is stored.
//!
//! # Shape
//! Each commit makes a new version of the head's row. While any transaction is open that began before, even one of a
//! backup, Postgres keeps all versions since. By its key the row is then found only behind all of them, and commits get slower
//! and slower. So a commit names the page of the version that it replaces, and returns the page of the new one.
//!
//! A page is named, not the version's place on it: Postgres removes old versions from a page while it scans the page, and
//! not while it fetches a place. `ctid` has no cast to numbers: read as a point, its first coordinate is the page, exactly.
//!
//! # Limits
//! A page is a hint. If the current version is on another one, the commit writes nothing, as for a head that another node
//! moved. Whoever reads the head gets its page.

use sqlx::postgres::PgRow;

use crate::error::StoreError;
use crate::rows::RowReader;
use crate::sql::statement::Statement;

/// The number of a page of `link_head`, from 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeadPage(pub(crate) i64);

impl HeadPage {
    /// Decodes the column `page`.
    pub(crate) fn of_row(statement: Statement, row: &PgRow) -> Result<Self, StoreError> {
        RowReader::new(statement, "link_head", row)
            .get("page")
            .map(Self)
    }
}
