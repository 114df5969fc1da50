//! The reconciliation's numbers: what the balances were, what moved between.
//!
//! # What bounds it
//! One statement each; what happened in between is paged like the feed, by [`Store::happenings`].

use meterhouse_domain::name::{LinkId, Timestamp};
use meterhouse_journal::batch::NUMBERS;

use crate::error::StoreError;
use crate::rows::Of;
use crate::sql::report::{BALANCES_AT, DELTAS, SUMS};
use crate::store::{Failed as _, Store};

/// What the balances were at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalancesAt {
    /// The last batch not after it.
    pub batch: u64,
    /// That batch's time.
    pub at: Timestamp,
    /// That batch's period.
    pub period: i32,
    /// The balances after it.
    pub after: Vec<i64>,
}

/// The events of one kind in a range.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct KindSums {
    /// The kind.
    pub kind: u8,
    /// How many.
    pub events: u64,
    /// The sums of their numbers; what they mean depends on the kind.
    pub numbers: [i64; NUMBERS],
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
        let Some(row) = query.fetch_optional(self.pool()).await.of(BALANCES_AT)? else {
            return Ok(None);
        };
        let row = Of::new(BALANCES_AT, "batch", &row);
        Ok(Some(BalancesAt {
            batch: row.number::<u64, i64>("batch")?,
            at: Timestamp(row.get("at")?),
            period: row.get("period")?,
            after: row.get("after")?,
        }))
    }

    /// Counts and sums of the events after batch `after` up to batch `through`, by kind.
    ///
    /// # Errors
    /// If the database can't be asked, or a sum leaves the range of money.
    pub async fn sums(
        &self,
        link: LinkId,
        after: u64,
        through: u64,
    ) -> Result<Vec<KindSums>, StoreError> {
        let query = sqlx::query(SUMS.sql)
            .bind(link.0)
            .bind(after.cast_signed())
            .bind(through.cast_signed());
        let rows = query.fetch_all(self.pool()).await.of(SUMS)?;
        let sums = |row| {
            let row = Of::new(SUMS, "event", row);
            Ok(KindSums {
                kind: row.number::<u8, i16>("kind")?,
                events: row.number::<u64, i64>("events")?,
                numbers: [
                    row.get("i1")?,
                    row.get("i2")?,
                    row.get("i3")?,
                    row.get("i4")?,
                ],
            })
        };
        rows.iter().map(sums).collect()
    }

    /// What the batches after `after` up to `through` did to each account: book b, account a at
    /// 8 × b + a.
    ///
    /// # Errors
    /// If the database can't be asked, or a sum leaves the range of money.
    pub async fn deltas(
        &self,
        link: LinkId,
        after: u64,
        through: u64,
    ) -> Result<Vec<i64>, StoreError> {
        let query = sqlx::query(DELTAS.sql)
            .bind(link.0)
            .bind(after.cast_signed())
            .bind(through.cast_signed());
        let rows = query.fetch_all(self.pool()).await.of(DELTAS)?;
        rows.iter()
            .map(|row| Of::new(DELTAS, "batch", row).get("delta"))
            .collect()
    }
}
