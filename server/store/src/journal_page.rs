//! The journal for people who read it.
//!
//! # What bounds it
//! [`JOURNAL_PAGE_MAX`] events in one page.

use meterhouse_domain::ids::LinkId;

use crate::error::StoreError;
use crate::feed::{Happening, Position, happening};
use crate::numbers::bounded;
use crate::rows::Of;
use crate::sql::feed::JOURNAL_PAGE;
use crate::store::Store;

/// Events in one page.
pub const JOURNAL_PAGE_MAX: usize = 500;

/// An event with the names of those it concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalLine {
    /// The event, where it stands and when it was.
    pub line: Happening,
    /// The name of its table.
    pub table_name: Option<String>,
    /// The name of whose token it was.
    pub actor_name: Option<String>,
}

impl Store {
    /// Events after one place, at most [`JOURNAL_PAGE_MAX`]; none after a place of a batch that
    /// doesn't exist.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn journal_page(
        &self,
        link: LinkId,
        after: Position,
        limit: usize,
    ) -> Result<Vec<JournalLine>, StoreError> {
        let (batch, position) = after.stored();
        let query = sqlx::query(JOURNAL_PAGE.sql)
            .bind(link.0)
            .bind(batch)
            .bind(position)
            .bind(bounded(limit, JOURNAL_PAGE_MAX));
        let rows = self.inner.rows(JOURNAL_PAGE, query).await?;
        let named = |row| {
            let row = Of::new(JOURNAL_PAGE, "event", row);
            let (table_name, actor_name) = (row.get("table_name")?, row.get("actor_name")?);
            Ok(JournalLine {
                line: happening(&row)?,
                table_name,
                actor_name,
            })
        };
        rows.iter().map(named).collect()
    }
}
