//! The balances after a batch, for the reconciliation and the running check.
//!
//! # Limits
//! One statement per call.

use meterhouse_domain::ids::{LinkId, Timestamp};
use sqlx::postgres::PgRow;

use crate::error::StoreError;
use crate::numbers::to_bigint;
use crate::rows::RowReader;
use crate::sql::report::{BALANCES_AFTER, BALANCES_AT};
use crate::sql::statement::Statement;
use crate::store::Store;

/// The balances after a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalancesAt {
    /// Number of the batch; for a time, of the last batch not after it.
    pub batch: u64,
    /// Time of the batch.
    pub at: Timestamp,
    /// Period of the batch.
    pub period: i32,
    /// Balances after the batch.
    pub after: Vec<i64>,
}

impl Store {
    /// Returns the balances at a time; `None` before the link's first batch.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn balances_at(
        &self,
        link: LinkId,
        at: Timestamp,
    ) -> Result<Option<BalancesAt>, StoreError> {
        let query = sqlx::query(BALANCES_AT.sql).bind(link.0).bind(at.0);
        let row = self.inner.row(BALANCES_AT, query).await?;
        row.map(|row| balances(BALANCES_AT, &row)).transpose()
    }

    /// Returns the balances after one batch; `None` if there is no such batch.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn balances_after(
        &self,
        link: LinkId,
        batch: u64,
    ) -> Result<Option<BalancesAt>, StoreError> {
        let number = to_bigint(batch);
        let query = sqlx::query(BALANCES_AFTER.sql).bind(link.0).bind(number);
        let row = self.inner.row(BALANCES_AFTER, query).await?;
        row.map(|row| balances(BALANCES_AFTER, &row)).transpose()
    }
}

fn balances(statement: Statement, row: &PgRow) -> Result<BalancesAt, StoreError> {
    let row = RowReader::new(statement, "batch", row);
    Ok(BalancesAt {
        batch: row.number::<u64, i64>("batch")?,
        at: Timestamp(row.get("at")?),
        period: row.get("period")?,
        after: row.get("after")?,
    })
}
