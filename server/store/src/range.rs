//! Stretches of a link's journal, for reports: of some kinds, of one moment, of one table, of the
//! coin-ins between two places.
//!
//! # What bounds it
//! [`HAPPENINGS_MAX`], [`TABLE_EVENTS_MAX`] and [`WIDE_COIN_INS_MAX`] events in one page;
//! [`Store::contributions`] sums 2,000 batches a statement, as many statements as
//! the stretch needs. What reads every event of a stretch has [`LONG_WAIT_MAX`].
//!
//! # What order or lock holds
//! None: the journal only grows, and a stretch ends at a place that the caller knows.

use std::collections::BTreeMap;

use meterhouse_domain::ids::{LinkId, Sequence, TableNo, Timestamp};
use meterhouse_journal::batch::NUMBERS;
use sqlx::postgres::{PgConnection, PgRow};

use crate::database::{LONG_WAIT_MAX, READ_WAIT_MAX, keep_unless_silent, limited};
use crate::error::StoreError;
use crate::feed::{HAPPENINGS_MAX, Happening, Position, happening};
use crate::journal::StoredBatch;
use crate::numbers::{bounded, stored};
use crate::reading;
use crate::rows::Of;
use crate::sql::range::{CONTRIBUTIONS, NOTABLE, NOTABLE_AT, TABLE_EVENTS, WIDE_COIN_INS};
use crate::sql::statement::{Failed as _, Statement};
use crate::store::Store;

/// Moments whose events are read by one statement.
pub const MOMENTS_MAX: usize = 1_000;
/// Commands of a table in one page.
pub const TABLE_EVENTS_MAX: u64 = 256;
/// Coin-ins with records in one page.
pub const WIDE_COIN_INS_MAX: usize = 10_000;
/// Batches that one statement sums: some million events where they are full, some seconds.
const SUMMED_BATCHES_MAX: u64 = 2_000;

/// What the coin-ins of one table added in a stretch of the journal.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TableContributions {
    /// The table.
    pub table: TableNo,
    /// How many coin-ins.
    pub coin_ins: u64,
    /// Wagers on players' own hands in them.
    pub own_wagers: u64,
    /// Wagers on the dealer's hand in them.
    pub dealer_wagers: u64,
    /// What the first four shares got, in the link's order.
    pub added: [i64; NUMBERS],
}

impl Store {
    /// What happened of these kinds (from 16) before one place, newest first, at most
    /// [`HAPPENINGS_MAX`]. From the end of the journal where no place is given.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn notable(
        &self,
        link: LinkId,
        kinds: &[u8],
        before: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Happening>, StoreError> {
        let kinds: Vec<i16> = kinds.iter().map(|it| i16::from(*it)).collect();
        let before = before.unwrap_or(Position::behind(u64::MAX));
        let (batch, position) = before.stored();
        let query = sqlx::query(NOTABLE.sql)
            .bind(link.0)
            .bind(kinds)
            .bind(batch)
            .bind(position)
            .bind(bounded(limit, HAPPENINGS_MAX));
        let rows = self.inner.rows(NOTABLE, query).await?;
        happenings(NOTABLE, &rows)
    }

    /// What happened (kinds from 16) in the batches of exactly this moment: how the event is found
    /// that recorded a hit.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn notable_at(
        &self,
        link: LinkId,
        at: Timestamp,
    ) -> Result<Vec<Happening>, StoreError> {
        self.notable_at_any(link, &[at]).await
    }

    /// Returns what happened (kinds from 16) in the batches of exactly these moments, at most [`MOMENTS_MAX`] of them.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn notable_at_any(
        &self,
        link: LinkId,
        moments: &[Timestamp],
    ) -> Result<Vec<Happening>, StoreError> {
        let moments: Vec<i64> = moments.iter().take(MOMENTS_MAX).map(|at| at.0).collect();
        let query = sqlx::query(NOTABLE_AT.sql).bind(link.0).bind(moments);
        let rows = self.inner.rows(NOTABLE_AT, query).await?;
        happenings(NOTABLE_AT, &rows)
    }

    /// What a table's commands became, refusals included, numbered from `from` on: `limit` numbers,
    /// at most [`TABLE_EVENTS_MAX`]. A round begins with the coin-in that it is named by and ends
    /// where it is closed or void.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn table_events(
        &self,
        link: LinkId,
        table: TableNo,
        from: Sequence,
        limit: u64,
    ) -> Result<Vec<Happening>, StoreError> {
        let numbers = limit.clamp(1, TABLE_EVENTS_MAX);
        let last = from.0.saturating_add(numbers - 1).min(Sequence::MAX);
        if from.0 > last {
            return Ok(Vec::new());
        }
        let mut connection = self.inner.reader().await?;
        let found = table_events(&mut connection, link, table, (from.0, last));
        // Numbers that the table has not reached are sought up to the head.
        let found = limited("finding commands of a table", LONG_WAIT_MAX, found).await;
        keep_unless_silent(found, connection)
    }

    /// One batch with its events.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn batch(
        &self,
        link: LinkId,
        number: u64,
    ) -> Result<Option<StoredBatch>, StoreError> {
        let mut connection = self.inner.reader().await?;
        let read = reading::one_batch(&mut connection, link, number);
        let read = limited("reading a batch", READ_WAIT_MAX, read).await;
        keep_unless_silent(read, connection)
    }

    /// What coin-ins after one place up to another added, in the order of the tables' numbers.
    ///
    /// # Errors
    /// If the database can't be asked, or a sum leaves the range of money.
    pub async fn contributions(
        &self,
        link: LinkId,
        after: Position,
        through: Position,
    ) -> Result<Vec<TableContributions>, StoreError> {
        let Some(head) = self.heads(&[link]).await?.pop() else {
            return Ok(Vec::new());
        };
        let through = through.min(Position::behind(head.batch));
        let mut sums = BTreeMap::new();
        let mut after = after;
        while after < through {
            let next = after.batch.saturating_add(SUMMED_BATCHES_MAX);
            let next = through.min(Position::behind(next));
            for some in self.sum_contributions(link, after, next).await? {
                add(&mut sums, some)?;
            }
            after = next;
        }
        Ok(sums.into_values().collect())
    }

    async fn sum_contributions(
        &self,
        link: LinkId,
        after: Position,
        through: Position,
    ) -> Result<Vec<TableContributions>, StoreError> {
        let (batch, position) = after.stored();
        let (last_batch, last_position) = through.stored();
        let query = sqlx::query(CONTRIBUTIONS.sql)
            .bind(link.0)
            .bind(batch)
            .bind(position)
            .bind(last_batch)
            .bind(last_position);
        let rows = self.inner.rows_within(LONG_WAIT_MAX, CONTRIBUTIONS, query);
        rows.await?.iter().map(contributions).collect()
    }

    /// Coin-ins after one place up to another whose record may hold more than the four shares that
    /// [`contributions`](Self::contributions) sums, in their order, at most [`WIDE_COIN_INS_MAX`].
    /// Only for a link with more shares.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn wide_coin_ins(
        &self,
        link: LinkId,
        after: Position,
        through: Position,
        limit: usize,
    ) -> Result<Vec<Happening>, StoreError> {
        let (batch, position) = after.stored();
        let (last_batch, last_position) = through.stored();
        let query = sqlx::query(WIDE_COIN_INS.sql)
            .bind(link.0)
            .bind(batch)
            .bind(position)
            .bind(last_batch)
            .bind(last_position)
            .bind(bounded(limit, WIDE_COIN_INS_MAX));
        let rows = self.inner.rows_within(LONG_WAIT_MAX, WIDE_COIN_INS, query);
        happenings(WIDE_COIN_INS, &rows.await?)
    }
}

/// What the commands of a table with these numbers became.
async fn table_events(
    connection: &mut PgConnection,
    link: LinkId,
    table: TableNo,
    (first, last): (u64, u64),
) -> Result<Vec<Happening>, StoreError> {
    let range = reading::range_of(&mut *connection, link, table.0, (first, last)).await?;
    let Some(range) = range else {
        return Ok(Vec::new());
    };
    let rows = sqlx::query(TABLE_EVENTS.sql)
        .bind(link.0)
        .bind(range.period)
        .bind(range.batch)
        .bind(range.last_period)
        .bind(range.last_batch)
        .bind(table.0.cast_signed())
        .bind(stored(first))
        .bind(stored(last))
        .fetch_all(connection)
        .await
        .of(TABLE_EVENTS)?;
    happenings(TABLE_EVENTS, &rows)
}

fn happenings(statement: Statement, rows: &[PgRow]) -> Result<Vec<Happening>, StoreError> {
    rows.iter()
        .map(|row| happening(&Of::new(statement, "event", row)))
        .collect()
}

fn contributions(row: &PgRow) -> Result<TableContributions, StoreError> {
    let row = Of::new(CONTRIBUTIONS, "event", row);
    Ok(TableContributions {
        table: TableNo(row.number::<u32, i32>("table_no")?),
        coin_ins: row.number::<u64, i64>("coin_ins")?,
        own_wagers: row.number::<u64, i64>("own_wagers")?,
        dealer_wagers: row.number::<u64, i64>("dealer_wagers")?,
        added: [
            row.get("i1")?,
            row.get("i2")?,
            row.get("i3")?,
            row.get("i4")?,
        ],
    })
}

/// Adds the sums of one more statement.
fn add(
    sums: &mut BTreeMap<TableNo, TableContributions>,
    some: TableContributions,
) -> Result<(), StoreError> {
    let sum = sums.entry(some.table).or_insert(TableContributions {
        table: some.table,
        coin_ins: 0,
        own_wagers: 0,
        dealer_wagers: 0,
        added: [0; NUMBERS],
    });
    // Counts of rows of one database: they leave no u64.
    sum.coin_ins = sum.coin_ins.saturating_add(some.coin_ins);
    sum.own_wagers = sum.own_wagers.saturating_add(some.own_wagers);
    sum.dealer_wagers = sum.dealer_wagers.saturating_add(some.dealer_wagers);
    for (total, added) in sum.added.iter_mut().zip(some.added) {
        let raised = total.checked_add(added);
        *total = raised.ok_or(StoreError::Inconsistent {
            table: "event",
            column: "sum of i1 to i4",
        })?;
    }
    Ok(())
}
