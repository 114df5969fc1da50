//! Batches after which a stored meter is lower than before, for the report of displayed amounts.
//!
//! # What bounds it
//! [`FALL_BATCHES_MAX`] batches in one statement.

use meterhouse_domain::ids::{LinkId, Timestamp};
use sqlx::postgres::PgRow;

use crate::database::LONG_WAIT_MAX;
use crate::error::StoreError;
use crate::numbers::stored;
use crate::rows::Of;
use crate::sql::report::METER_FALLS;
use crate::store::Store;

/// Batches that one statement compares.
const FALL_BATCHES_MAX: u64 = 100_000;

/// A batch after which a stored meter is lower than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeterFall {
    /// The batch.
    pub batch: u64,
    /// Its time.
    pub at: Timestamp,
    /// The balances before it.
    pub before: Vec<i64>,
    /// The balances after it.
    pub after: Vec<i64>,
}

impl Store {
    /// Reads the batches after `after` up to `through` that lowered a stored meter, at most `limit`.
    ///
    /// # Errors
    /// If the database can't be asked.
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
                .bind(stored(after))
                .bind(stored(next))
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
    let row = Of::new(METER_FALLS, "batch", row);
    Ok(MeterFall {
        batch: row.number::<u64, i64>("batch")?,
        at: Timestamp(row.get("at")?),
        before: row.get("before")?,
        after: row.get("after")?,
    })
}
