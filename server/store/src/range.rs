//! Ranges of a link's journal, for reports: by kind, by time, by table, and the coin-ins between
//! two positions.
//!
//! # Limits
//! One page holds at most [`NOTABLE_MAX`], [`TABLE_EVENTS_MAX`] or [`WIDE_COIN_INS_MAX`] events.
//! [`Store::contributions`] sums 2,000 batches per statement, in as many statements as the range
//! needs. A query that reads every event of a range has [`LONG_WAIT_MAX`].
//!
//! # Order and locking
//! None: the journal only grows, and a range ends at a position that the caller has.

use meterhouse_journal::position::Position;
use std::collections::BTreeMap;

use meterhouse_domain::ids::{LinkId, Sequence, TableNo, Timestamp};
use meterhouse_journal::batch::NUMBERS;
use sqlx::postgres::{PgConnection, PgRow};

use crate::database::{LONG_WAIT_MAX, READ_WAIT_MAX, return_unless_timed_out};
use crate::error::StoreError;
use crate::feed::{NOTABLE_MAX, PositionedEvent, happening};
use crate::journal::StoredBatch;
use crate::numbers::{bounded, to_bigint, to_columns};
use crate::reading;
use crate::rows::RowReader;
use crate::session::with_timeout;
use crate::sql::range::{CONTRIBUTIONS, NOTABLE, NOTABLE_AT, TABLE_EVENTS, WIDE_COIN_INS};
use crate::sql::statement::{ResultExt as _, Statement};
use crate::store::Store;

/// Maximum number of times whose events one statement reads.
pub const TIMES_MAX: usize = 1_000;
/// Maximum number of a table's commands in one page.
pub const TABLE_EVENTS_MAX: u64 = 256;
/// Maximum number of coin-ins with records in one page.
pub const WIDE_COIN_INS_MAX: usize = 10_000;
/// Maximum number of batches that one statement sums: some million events and some seconds if they
/// are full.
const SUMMED_BATCHES_MAX: u64 = 2_000;

/// The sums of one table's coin-ins in a range of the journal.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TableContributions {
    /// Table.
    pub table: TableNo,
    /// Number of coin-ins.
    pub coin_ins: u64,
    /// Number of wagers on players' own hands.
    pub own_wagers: u64,
    /// Number of wagers on the dealer's hand.
    pub dealer_wagers: u64,
    /// Amounts that the first four shares received, in the link's order.
    pub added: [i64; NUMBERS],
}

impl Store {
    /// Returns at most [`NOTABLE_MAX`] events of these kinds (from 16) before a position, newest
    /// first. Without a position, begins at the journal's end. A caller who needs all events behind
    /// some position asks [`refuse_archived`](Self::refuse_archived) at the end.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn notable(
        &self,
        link: LinkId,
        kinds: &[u8],
        before: Option<Position>,
        limit: usize,
    ) -> Result<Vec<PositionedEvent>, StoreError> {
        let kinds: Vec<i16> = kinds.iter().map(|kind| i16::from(*kind)).collect();
        let before = before.unwrap_or(Position::behind(u64::MAX));
        let (batch, position) = to_columns(before);
        let query = sqlx::query(NOTABLE.sql)
            .bind(link.0)
            .bind(kinds)
            .bind(batch)
            .bind(position)
            .bind(bounded(limit, NOTABLE_MAX));
        let rows = self.inner.rows(NOTABLE, query).await?;
        happenings(NOTABLE, &rows)
    }

    /// Returns the notable events (kinds from 16) of the batches of exactly this time. A caller
    /// finds the event that recorded a hit with it.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn notable_at(
        &self,
        link: LinkId,
        at: Timestamp,
    ) -> Result<Vec<PositionedEvent>, StoreError> {
        self.notable_at_any(link, &[at]).await
    }

    /// Returns the notable events (kinds from 16) of the batches of exactly these times, at most
    /// [`TIMES_MAX`] of them.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn notable_at_any(
        &self,
        link: LinkId,
        moments: &[Timestamp],
    ) -> Result<Vec<PositionedEvent>, StoreError> {
        let moments: Vec<i64> = moments.iter().take(TIMES_MAX).map(|at| at.0).collect();
        let query = sqlx::query(NOTABLE_AT.sql).bind(link.0).bind(moments);
        let rows = self.inner.rows(NOTABLE_AT, query).await?;
        happenings(NOTABLE_AT, &rows)
    }

    /// Returns the events of a table's commands, refusals included, for `limit` sequence numbers
    /// from `from` on, at most [`TABLE_EVENTS_MAX`]. A round begins with the coin-in whose number
    /// names it and ends where it is closed or void.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn table_events(
        &self,
        link: LinkId,
        table: TableNo,
        from: Sequence,
        limit: u64,
    ) -> Result<Vec<PositionedEvent>, StoreError> {
        let numbers = limit.clamp(1, TABLE_EVENTS_MAX);
        let last = from.0.saturating_add(numbers - 1).min(Sequence::MAX);
        if from.0 > last {
            return Ok(Vec::new());
        }
        let mut connection = self.inner.reader().await?;
        let found = table_events(&mut connection, link, table, (from.0, last));
        // Numbers that the table has not reached are sought up to the head.
        let found = with_timeout("finding commands of a table", LONG_WAIT_MAX, found).await;
        return_unless_timed_out(found, connection)
    }

    /// Returns one batch with its events.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn batch(
        &self,
        link: LinkId,
        number: u64,
    ) -> Result<Option<StoredBatch>, StoreError> {
        let mut connection = self.inner.reader().await?;
        let read = reading::one_batch(&mut connection, link, number);
        let read = with_timeout("reading a batch", READ_WAIT_MAX, read).await;
        return_unless_timed_out(read, connection)
    }

    /// Returns the sums of the coin-ins after one position up to another, in the order of the
    /// tables' numbers.
    ///
    /// # Errors
    /// [`StoreError::Archived`]; if the query fails, or a sum leaves the range of money.
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
        let first = after;
        let mut after = after;
        while after < through {
            let next = after.batch.saturating_add(SUMMED_BATCHES_MAX);
            let next = through.min(Position::behind(next));
            for some in self.sum_contributions(link, after, next).await? {
                add(&mut sums, some)?;
            }
            after = next;
        }
        if first < through {
            self.refuse_archived(link, first, None).await?;
        }
        Ok(sums.into_values().collect())
    }

    async fn sum_contributions(
        &self,
        link: LinkId,
        after: Position,
        through: Position,
    ) -> Result<Vec<TableContributions>, StoreError> {
        let (batch, position) = to_columns(after);
        let (last_batch, last_position) = to_columns(through);
        let query = sqlx::query(CONTRIBUTIONS.sql)
            .bind(link.0)
            .bind(batch)
            .bind(position)
            .bind(last_batch)
            .bind(last_position);
        let rows = self.inner.rows_within(LONG_WAIT_MAX, CONTRIBUTIONS, query);
        rows.await?.iter().map(contributions).collect()
    }

    /// Returns at most [`WIDE_COIN_INS_MAX`] coin-ins after one position up to another whose record
    /// may hold more shares than the four that [`contributions`](Self::contributions) sums. Only a
    /// link with more shares needs them.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn wide_coin_ins(
        &self,
        link: LinkId,
        after: Position,
        through: Position,
        limit: usize,
    ) -> Result<Vec<PositionedEvent>, StoreError> {
        let (batch, position) = to_columns(after);
        let (last_batch, last_position) = to_columns(through);
        let query = sqlx::query(WIDE_COIN_INS.sql)
            .bind(link.0)
            .bind(batch)
            .bind(position)
            .bind(last_batch)
            .bind(last_position)
            .bind(bounded(limit, WIDE_COIN_INS_MAX));
        let rows = self.inner.rows_within(LONG_WAIT_MAX, WIDE_COIN_INS, query);
        let rows = rows.await?;
        self.refuse_archived(link, after, None).await?;
        happenings(WIDE_COIN_INS, &rows)
    }
}

/// Returns the events of a table's commands with these numbers.
async fn table_events(
    connection: &mut PgConnection,
    link: LinkId,
    table: TableNo,
    (first, last): (u64, u64),
) -> Result<Vec<PositionedEvent>, StoreError> {
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
        .bind(to_bigint(first))
        .bind(to_bigint(last))
        .fetch_all(&mut *connection)
        .await
        .in_statement(TABLE_EVENTS)?;
    let found = happenings(TABLE_EVENTS, &rows)?;
    // A table's numbers have no gap, so that the first one is found, archived, or not used yet.
    let begins = found.first().and_then(|first| first.event.sequence);
    if begins != Some(first) {
        reading::refuse_archived(connection, link, range.batch.cast_unsigned()).await?;
    }
    Ok(found)
}

fn happenings(statement: Statement, rows: &[PgRow]) -> Result<Vec<PositionedEvent>, StoreError> {
    rows.iter()
        .map(|row| happening(&RowReader::new(statement, "event", row)))
        .collect()
}

fn contributions(row: &PgRow) -> Result<TableContributions, StoreError> {
    let row = RowReader::new(CONTRIBUTIONS, "event", row);
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

/// Adds the sums of one statement.
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
    // A database has fewer rows than fit a u64.
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
