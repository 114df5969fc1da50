//! Statements that check whether the database can work, in addition to answering.
//!
//! # Limits
//! [`PROBE_WAIT_MAX`] for each statement of the write probe, [`FAULTED_MAX`] names of faulted
//! links.

use std::time::Duration;

use meterhouse_domain::ids::Timestamp;

use crate::database::return_unless_timed_out;
use crate::error::StoreError;
use crate::session::with_timeout;
use crate::sql::readiness::{EXTEND_FILES, FAULTED_LINKS, NEWEST_PERIOD, NOTE_PROBE};
use crate::sql::statement::ResultExt as _;
use crate::store::Store;

/// Maximum number of names of faulted links.
pub const FAULTED_MAX: u32 = 20;
/// Longest wait for each statement of the write probe.
pub const PROBE_WAIT_MAX: Duration = Duration::from_secs(3);

impl Store {
    /// Writes a row durably, then makes the database's files grow by a mebibyte that is freed
    /// immediately. On a full disk, the row alone would still find space in a page and in the log's
    /// current segment.
    ///
    /// # Errors
    /// If the database refuses, see [`StoreError::no_writes`], or does not answer.
    pub async fn probe_writes(&self, at: Timestamp) -> Result<(), StoreError> {
        for (statement, query) in [
            (NOTE_PROBE, sqlx::query(NOTE_PROBE.sql).bind(at.0)),
            (EXTEND_FILES, sqlx::query(EXTEND_FILES.sql)),
        ] {
            let mut connection = self.inner.reader().await?;
            let run = async {
                query
                    .execute(&mut *connection)
                    .await
                    .in_statement(statement)
            };
            let run = with_timeout(statement.name, PROBE_WAIT_MAX, run).await;
            match return_unless_timed_out(run, connection) {
                // This user may not create temporary tables, so that the row alone has to suffice.
                Err(error) if statement == EXTEND_FILES && error.lacks_privilege() => {}
                done => {
                    done?;
                }
            }
        }
        Ok(())
    }

    /// Returns the names of at most [`FAULTED_MAX`] faulted links, in order.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn faulted_links(&self) -> Result<Vec<String>, StoreError> {
        let query = sqlx::query(FAULTED_LINKS.sql).bind(i64::from(FAULTED_MAX));
        let rows = self.inner.rows(FAULTED_LINKS, query).await?;
        let name = |row| sqlx::Row::try_get(row, "name").in_statement(FAULTED_LINKS);
        rows.iter().map(name).collect()
    }

    /// Returns the month of the newest batch of all links; `None` without links.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn newest_period(&self) -> Result<Option<i32>, StoreError> {
        let query = sqlx::query(NEWEST_PERIOD.sql);
        let Some(row) = self.inner.row(NEWEST_PERIOD, query).await? else {
            return Ok(None);
        };
        sqlx::Row::try_get(&row, "period").in_statement(NEWEST_PERIOD)
    }
}
