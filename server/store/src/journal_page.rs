//! The journal for people who read it.
//!
//! # What bounds it
//! [`JOURNAL_PAGE_MAX`] events in one page.

use meterhouse_domain::name::LinkId;

use crate::error::StoreError;
use crate::feed::{Happening, Position, happening};
use crate::links::bounded;
use crate::rows::Of;
use crate::sql::feed::JOURNAL_PAGE;
use crate::store::{Failed as _, Store};

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
    /// Events after one place, at most [`JOURNAL_PAGE_MAX`].
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn journal_page(
        &self,
        link: LinkId,
        after: Position,
        limit: usize,
    ) -> Result<Vec<JournalLine>, StoreError> {
        let rows = sqlx::query(JOURNAL_PAGE.sql)
            .bind(link.0)
            .bind(after.batch.cast_signed())
            .bind(i32::try_from(after.position).unwrap_or(i32::MAX))
            .bind(bounded(limit, JOURNAL_PAGE_MAX))
            .fetch_all(self.pool())
            .await
            .of(JOURNAL_PAGE)?;
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
