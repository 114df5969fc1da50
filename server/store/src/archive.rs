//! Archived months: what is known of each, and the end of a link's archived events.
//!
//! # Shape
//! Months are archived and detached in their order. So a link's archived events are those up to one batch. A reader
//! asks for that end after its read, not before: then a month that was detached in between is noticed.
//!
//! # Limits
//! One page holds at most [`MONTH_HASHES_MAX`] batches. A database has fewer months than need pages.

use meterhouse_domain::ids::{LinkId, TableNo, Timestamp};
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::position::Position;
use sqlx::postgres::{PgConnection, PgRow};

use crate::archived_month::{
    ArchiveRecord, ArchivedEnd, ArchivedState, BatchHash, KnownMonth, Month, MonthPlace,
};
use crate::database::LONG_WAIT_MAX;
use crate::error::StoreError;
use crate::numbers::{bounded, to_bigint};
use crate::rows::RowReader;
use crate::sql::archive::{
    ARCHIVED_AT, ARCHIVED_FACTS, ARCHIVED_PAYTABLE, ARCHIVED_PERIODS, ARCHIVED_THROUGH,
    MONTH_HASHES, MONTHS, OPEN_HIT, OPEN_PERIOD, STATE_BEFORE,
};
use crate::sql::statement::ResultExt as _;
use crate::store::Store;

/// Maximum number of batches in one page.
pub const MONTH_HASHES_MAX: usize = 10_000;

impl Store {
    /// Returns the end of a link's archived events, if any month of the link was detached.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn archived_end(&self, link: LinkId) -> Result<Option<ArchivedEnd>, StoreError> {
        let query = sqlx::query(ARCHIVED_THROUGH.sql).bind(link.0);
        let row = self.inner.row(ARCHIVED_THROUGH, query).await?;
        row.map(|row| archived_end(&row)).transpose()
    }

    /// Checks, after events behind a position were read, that none of them is archived. With `kinds`, only events of
    /// these notable kinds were read.
    ///
    /// # Errors
    /// [`StoreError::Archived`]; or if the query fails.
    pub async fn refuse_archived(
        &self,
        link: LinkId,
        after: Position,
        kinds: Option<&[u8]>,
    ) -> Result<(), StoreError> {
        let Some(end) = self.archived_end(link).await? else {
            return Ok(());
        };
        let has_kind = kinds.is_none_or(|kinds| kinds.iter().any(|kind| end.kinds.contains(kind)));
        if after < end.through && has_kind {
            return Err(StoreError::Archived(end));
        }
        Ok(())
    }

    /// Returns the end of a link's archived events if a batch of one of these times is among them.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn archived_at(
        &self,
        link: LinkId,
        moments: &[Timestamp],
    ) -> Result<Option<ArchivedEnd>, StoreError> {
        let Some(end) = self.archived_end(link).await? else {
            return Ok(None);
        };
        let moments: Vec<i64> = moments.iter().map(|at| at.0).collect();
        let query = sqlx::query(ARCHIVED_AT.sql)
            .bind(link.0)
            .bind(moments)
            .bind(to_bigint(end.through.batch));
        let row = self.inner.row(ARCHIVED_AT, query).await?;
        let row = row
            .ok_or(sqlx::Error::RowNotFound)
            .in_statement(ARCHIVED_AT)?;
        let found: bool = RowReader::new(ARCHIVED_AT, "batch", &row).get("is_archived")?;
        Ok(found.then_some(end))
    }

    /// Returns the detached months of a link, in their order.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn archived_months(&self, link: LinkId) -> Result<Vec<Month>, StoreError> {
        let query = sqlx::query(ARCHIVED_PERIODS.sql).bind(link.0);
        let rows = self.inner.rows(ARCHIVED_PERIODS, query).await?;
        let month = |row| RowReader::new(ARCHIVED_PERIODS, "archived_state", row).get("period");
        rows.iter().map(|row| month(row).map(Month)).collect()
    }

    /// Returns every month that has, or had, a table of events, in their order.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn known_months(&self) -> Result<Vec<KnownMonth>, StoreError> {
        let query = sqlx::query(MONTHS.sql);
        let rows = self.inner.rows_within(LONG_WAIT_MAX, MONTHS, query);
        rows.await?.iter().map(known_month).collect()
    }

    /// Returns the first month into which an event may still be written.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn open_month(&self) -> Result<Month, StoreError> {
        let row = self.inner.row(OPEN_PERIOD, sqlx::query(OPEN_PERIOD.sql));
        let row = row.await?.ok_or(sqlx::Error::RowNotFound);
        let row = row.in_statement(OPEN_PERIOD)?;
        RowReader::new(OPEN_PERIOD, "link_head", &row)
            .get("period")
            .map(Month)
    }

    /// Returns the name of an open hit that was entered in the batches behind one, up to another.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn open_hit(
        &self,
        link: LinkId,
        after: u64,
        through: u64,
    ) -> Result<Option<String>, StoreError> {
        let query = sqlx::query(OPEN_HIT.sql)
            .bind(link.0)
            .bind(to_bigint(after))
            .bind(to_bigint(through));
        let Some(row) = self.inner.row(OPEN_HIT, query).await? else {
            return Ok(None);
        };
        let row = RowReader::new(OPEN_HIT, "hit", &row);
        let (table, sequence): (String, i64) = (row.get("name")?, row.get("sequence")?);
        Ok(Some(match row.get::<i16, _>("number")? {
            0 => format!("{table}.{sequence}"),
            number => format!("{table}.{sequence}.{number}"),
        }))
    }

    /// Returns the newest archived state of a link before a month.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn state_before(
        &self,
        link: LinkId,
        month: Month,
    ) -> Result<Option<ArchivedState>, StoreError> {
        let query = sqlx::query(STATE_BEFORE.sql).bind(link.0).bind(month.0);
        let Some(row) = self.inner.row(STATE_BEFORE, query).await? else {
            return Ok(None);
        };
        let row = RowReader::new(STATE_BEFORE, "archived_state", &row);
        Ok(Some(ArchivedState {
            month: Month(row.get("period")?),
            batch: row.number::<u64, i64>("batch")?,
            chain_hash: ChainHash(row.hash("chain_hash")?),
            kinds: kinds(&row)?,
            paytables: row.get("paytables")?,
            state: row.get("state")?,
        }))
    }

    /// Returns the paytable that a table named when it joined in an archived month.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn archived_paytable(
        &self,
        link: LinkId,
        table: TableNo,
    ) -> Result<Option<String>, StoreError> {
        let query = sqlx::query(ARCHIVED_PAYTABLE.sql)
            .bind(link.0)
            .bind(table.0.cast_signed());
        let Some(row) = self.inner.row(ARCHIVED_PAYTABLE, query).await? else {
            return Ok(None);
        };
        RowReader::new(ARCHIVED_PAYTABLE, "archived_state", &row).get("paytable")
    }

    /// Returns what is stored with each state of a link after an archived month: its batch, kinds and paytables.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn archived_facts(
        &self,
        link: LinkId,
    ) -> Result<Vec<(u64, Vec<u8>, Vec<String>)>, StoreError> {
        let query = sqlx::query(ARCHIVED_FACTS.sql).bind(link.0);
        let rows = self.inner.rows(ARCHIVED_FACTS, query).await?;
        let facts = |row| {
            let row = RowReader::new(ARCHIVED_FACTS, "archived_state", row);
            let batch = row.number::<u64, i64>("batch")?;
            Ok((batch, kinds(&row)?, row.get("paytables")?))
        };
        rows.iter().map(facts).collect()
    }

    /// Returns at most [`MONTH_HASHES_MAX`] batches of a link in a month, after a number.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn month_hashes(
        &self,
        link: LinkId,
        month: Month,
        after: u64,
    ) -> Result<Vec<BatchHash>, StoreError> {
        let query = sqlx::query(MONTH_HASHES.sql)
            .bind(link.0)
            .bind(to_bigint(after))
            .bind(month.0)
            .bind(bounded(MONTH_HASHES_MAX, MONTH_HASHES_MAX));
        let rows = self
            .inner
            .rows_within(LONG_WAIT_MAX, MONTH_HASHES, query)
            .await?;
        let hash = |row| {
            let row = RowReader::new(MONTH_HASHES, "batch", row);
            Ok(BatchHash {
                batch: row.number::<u64, i64>("batch")?,
                chain_hash: ChainHash(row.hash("chain_hash")?),
                events: row.number::<u64, i32>("events")?,
            })
        };
        rows.iter().map(hash).collect()
    }
}

/// Returns the end of a link's archived events, if there is one.
pub(crate) async fn archived_end_of(
    connection: &mut PgConnection,
    link: LinkId,
) -> Result<Option<ArchivedEnd>, StoreError> {
    let query = sqlx::query(ARCHIVED_THROUGH.sql).bind(link.0);
    let row = query
        .fetch_optional(connection)
        .await
        .in_statement(ARCHIVED_THROUGH)?;
    row.map(|row| archived_end(&row)).transpose()
}

fn archived_end(row: &PgRow) -> Result<ArchivedEnd, StoreError> {
    let row = RowReader::new(ARCHIVED_THROUGH, "archived_state", row);
    let events = row.number::<u32, i32>("events")?;
    Ok(ArchivedEnd {
        month: Month(row.get("period")?),
        through: Position {
            batch: row.number::<u64, i64>("batch")?,
            index: events.saturating_sub(1),
        },
        kinds: kinds(&row)?,
    })
}

fn kinds(row: &RowReader<'_>) -> Result<Vec<u8>, StoreError> {
    let kinds: Vec<i16> = row.get("kinds")?;
    let kind = |kind: i16| u8::try_from(kind).map_err(|_| row.inconsistent("kinds"));
    kinds.into_iter().map(kind).collect()
}

fn known_month(row: &PgRow) -> Result<KnownMonth, StoreError> {
    let row = RowReader::new(MONTHS, "archived_period", row);
    let at: Option<i64> = row.get("at")?;
    let record = match at {
        None => None,
        Some(at) => Some(ArchiveRecord {
            at: Timestamp(at),
            file_hash: row.hash("file_hash")?,
            bytes: row.number::<u64, i64>("bytes")?,
            links: row.number::<u32, i32>("links")?,
            batches: row.number::<u64, i64>("batches")?,
            events: row.number::<u64, i64>("events")?,
        }),
    };
    let (is_partition, is_pending) = (row.get("is_partition")?, row.get("is_pending")?);
    let (has_table, is_set_aside) = (row.get("has_table")?, row.get("is_set_aside")?);
    let place = match (is_partition, is_pending, has_table, is_set_aside) {
        (true, false, _, _) => MonthPlace::Live,
        (true, true, _, _) => MonthPlace::Detaching,
        (false, _, true, _) => MonthPlace::Detached,
        (false, _, false, true) => MonthPlace::SetAside,
        (false, _, false, false) => MonthPlace::Dropped,
    };
    Ok(KnownMonth {
        month: Month(row.get("period")?),
        place,
        has_events: row.get("has_events")?,
        size: row.number::<u64, i64>("size")?,
        record,
    })
}
