//! Batches after which a stored meter is lower than before, for the report of displayed amounts.
//!
//! # Limits
//! One statement compares [`FALL_BATCHES_MAX`] batches.

use meterhouse_domain::ids::{LinkId, Timestamp};
use sqlx::postgres::PgRow;

use crate::database::LONG_WAIT_MAX;
use crate::error::StoreError;
use crate::numbers::to_bigint;
use crate::rows::RowReader;
use crate::sql::report::METER_FALLS;
use crate::store::Store;

/// Maximum number of batches that one statement compares.
const FALL_BATCHES_MAX: u64 = 100_000;

/// A batch after which a stored meter is lower than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeterFall {
    /// Number of the batch.
    pub batch: u64,
    /// Time of the batch.
    pub at: Timestamp,
    /// Balances before the batch.
    pub before: Vec<i64>,
    /// Balances after the batch.
    pub after: Vec<i64>,
}

impl Store {
    /// Returns at most `limit` batches after `after` up to `through` that lowered a stored meter.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn meter_falls(
        &self,
        link: LinkId,
        after: u64,
        through: u64,
        limit: usize,
    ) -> Result<Vec<MeterFall>, StoreError> {
        let mut falls = Vec::new();
        let mut after = after;
        while after < through && falls.len() < limit {
            let next = through.min(after.saturating_add(FALL_BATCHES_MAX));
            let left = limit.saturating_sub(falls.len());
            let query = sqlx::query(METER_FALLS.sql)
                .bind(link.0)
                .bind(to_bigint(after))
                .bind(to_bigint(next))
                .bind(i64::try_from(left).unwrap_or(i64::MAX));
            let rows = self.inner.rows_within(LONG_WAIT_MAX, METER_FALLS, query);
            for row in &rows.await? {
                falls.push(fall(row)?);
            }
            after = next;
        }
        Ok(falls)
    }
}

fn fall(row: &PgRow) -> Result<MeterFall, StoreError> {
    let row = RowReader::new(METER_FALLS, "batch", row);
    Ok(MeterFall {
        batch: row.number::<u64, i64>("batch")?,
        at: Timestamp(row.get("at")?),
        before: row.get("before")?,
        after: row.get("after")?,
    })
}
