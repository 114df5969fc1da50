//! The balances after a batch, for the reconciliation and the running check.
//!
//! # What bounds it
//! One statement each.

use meterhouse_domain::ids::{LinkId, Timestamp};
use sqlx::postgres::PgRow;

use crate::error::StoreError;
use crate::numbers::stored;
use crate::rows::Of;
use crate::sql::report::{BALANCES_AFTER, BALANCES_AT};
use crate::sql::statement::Statement;
use crate::store::Store;

/// What the balances were after a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalancesAt {
    /// The batch; of a moment the last one not after it.
    pub batch: u64,
    /// That batch's time.
    pub at: Timestamp,
    /// That batch's period.
    pub period: i32,
    /// The balances after it.
    pub after: Vec<i64>,
}

impl Store {
    /// The balances at a moment; `None` before the link's first batch.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn balances_at(
        &self,
        link: LinkId,
        at: Timestamp,
    ) -> Result<Option<BalancesAt>, StoreError> {
        let query = sqlx::query(BALANCES_AT.sql).bind(link.0).bind(at.0);
        let row = self.inner.row(BALANCES_AT, query).await?;
        row.map(|row| balances(BALANCES_AT, &row)).transpose()
    }

    /// The balances after one batch; `None` where there is no such batch.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn balances_after(
        &self,
        link: LinkId,
        batch: u64,
    ) -> Result<Option<BalancesAt>, StoreError> {
        let number = stored(batch);
        let query = sqlx::query(BALANCES_AFTER.sql).bind(link.0).bind(number);
        let row = self.inner.row(BALANCES_AFTER, query).await?;
        row.map(|row| balances(BALANCES_AFTER, &row)).transpose()
    }
}

fn balances(statement: Statement, row: &PgRow) -> Result<BalancesAt, StoreError> {
    let row = Of::new(statement, "batch", row);
    Ok(BalancesAt {
        batch: row.number::<u64, i64>("batch")?,
        at: Timestamp(row.get("at")?),
        period: row.get("period")?,
        after: row.get("after")?,
    })
}
