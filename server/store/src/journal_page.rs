//! Pages of the journal for people.
//!
//! # Limits
//! One page holds at most [`JOURNAL_PAGE_MAX`] events.

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::position::Position;

use crate::error::StoreError;
use crate::feed::{PositionedEvent, happening};
use crate::numbers::{bounded, to_columns};
use crate::rows::RowReader;
use crate::sql::feed::JOURNAL_PAGE;
use crate::store::Store;

/// Maximum number of events in one page.
pub const JOURNAL_PAGE_MAX: usize = 500;

/// An event with the names of its table and actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalLine {
    /// Event with its position and time.
    pub line: PositionedEvent,
    /// Name of the table.
    pub table_name: Option<String>,
    /// Name of the token's owner.
    pub actor_name: Option<String>,
}

impl Store {
    /// Returns at most [`JOURNAL_PAGE_MAX`] events after a position. A position in a batch that
    /// doesn't exist has no events after it.
    ///
    /// # Errors
    /// [`StoreError::Archived`] if some of them are archived; or if the query fails.
    pub async fn journal_page(
        &self,
        link: LinkId,
        after: Position,
        limit: usize,
    ) -> Result<Vec<JournalLine>, StoreError> {
        let (batch, position) = to_columns(after);
        let query = sqlx::query(JOURNAL_PAGE.sql)
            .bind(link.0)
            .bind(batch)
            .bind(position)
            .bind(bounded(limit, JOURNAL_PAGE_MAX));
        let rows = self.inner.rows(JOURNAL_PAGE, query).await?;
        self.refuse_archived(link, after, None).await?;
        let named = |row| {
            let row = RowReader::new(JOURNAL_PAGE, "event", row);
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
