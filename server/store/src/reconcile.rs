//! The reconciliation's numbers: what the balances were, what moved between.
//!
//! # What bounds it
//! One statement each, for [`Store::sums`] one for each 2,000 batches; what happened in between is paged like the feed, by [`Store::happenings`].

use std::collections::BTreeMap;

use meterhouse_domain::name::{LinkId, Timestamp};
use meterhouse_journal::batch::NUMBERS;
use sqlx::postgres::PgRow;

use crate::error::StoreError;
use crate::links::stored;
use crate::range::SUMMED_BATCHES_MAX;
use crate::rows::Of;
use crate::sql::Statement;
use crate::sql::report::{BALANCES_AFTER, BALANCES_AT, SUMS};
use crate::store::{LONG_WAIT_MAX, Store};

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
        let Some(head) = self.heads(&[link]).await?.pop() else {
            return Ok(Vec::new());
        };
        let through = through.min(head.batch);
        let mut sums = BTreeMap::new();
        let mut after = after;
        while after < through {
            let next = through.min(after.saturating_add(SUMMED_BATCHES_MAX));
            for some in self.sum_kinds(link, after, next).await? {
                add(&mut sums, some)?;
            }
            after = next;
        }
        Ok(sums.into_values().collect())
    }

    async fn sum_kinds(
        &self,
        link: LinkId,
        after: u64,
        through: u64,
    ) -> Result<Vec<KindSums>, StoreError> {
        let query = sqlx::query(SUMS.sql)
            .bind(link.0)
            .bind(stored(after))
            .bind(stored(through));
        // Full batches take some seconds.
        let rows = self.inner.rows_within(LONG_WAIT_MAX, SUMS, query).await?;
        rows.iter().map(kind_sums).collect()
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

fn kind_sums(row: &PgRow) -> Result<KindSums, StoreError> {
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
}

/// Adds the sums of one more statement.
fn add(sums: &mut BTreeMap<u8, KindSums>, some: KindSums) -> Result<(), StoreError> {
    let sum = sums.entry(some.kind).or_insert(KindSums {
        kind: some.kind,
        events: 0,
        numbers: [0; NUMBERS],
    });
    // A count of rows of one database: it leaves no u64.
    sum.events = sum.events.saturating_add(some.events);
    add_numbers(&mut sum.numbers, some.numbers)
}

/// Adds numbers of events to a sum of them.
pub(crate) fn add_numbers(
    sum: &mut [i64; NUMBERS],
    some: [i64; NUMBERS],
) -> Result<(), StoreError> {
    for (total, number) in sum.iter_mut().zip(some) {
        let raised = total.checked_add(number);
        *total = raised.ok_or(StoreError::Inconsistent {
            table: "event",
            column: "sum of i1 to i4",
        })?;
    }
    Ok(())
}
