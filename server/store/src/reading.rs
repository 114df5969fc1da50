//! Reads of batches with their events, for loading a link and for catching up.
//!
//! # Limits
//! At most [`READ_BATCHES_MAX`] batches with at most [`READ_EVENTS_MAX`] events together, and at
//! least one batch.

use meterhouse_domain::ids::LinkId;
use sqlx::Row as _;
use sqlx::postgres::PgConnection;

use crate::archive::archived_end_of;
use crate::error::StoreError;
use crate::journal::{FoundCommand, StoredBatch};
use crate::limits::{FOUND_BATCHES_MAX, FOUND_EVENTS_MAX, READ_BATCHES_MAX, READ_EVENTS_MAX};
use crate::numbers::to_bigint;
use crate::rows::{self, RowReader};
use crate::sql::read::{FIND_EVENT, FIND_RANGE, READ_BATCHES, READ_EVENTS};
use crate::sql::statement::ResultExt as _;

/// Adjacent batches, with `more` set if others follow.
pub(crate) struct BatchPage {
    pub(crate) batches: Vec<StoredBatch>,
    pub(crate) more: bool,
}

/// Returns the batches after `after`.
pub(crate) async fn batches_after(
    connection: &mut PgConnection,
    link: LinkId,
    after: u64,
    limit: usize,
) -> Result<BatchPage, StoreError> {
    let limit = limit.clamp(1, READ_BATCHES_MAX);
    neighbours_after(connection, link, after, (limit, READ_EVENTS_MAX)).await
}

/// Returns at most `limit` batches after `after`, with at most `events_max` events together.
async fn neighbours_after(
    connection: &mut PgConnection,
    link: LinkId,
    after: u64,
    (limit, events_max): (usize, usize),
) -> Result<BatchPage, StoreError> {
    // One row more than requested shows if there are more.
    let rows = sqlx::query(READ_BATCHES.sql)
        .bind(link.0)
        .bind(to_bigint(after))
        .bind(i64::try_from(limit + 1).unwrap_or(i64::MAX))
        .fetch_all(&mut *connection)
        .await
        .in_statement(READ_BATCHES)?;
    let mut page = BatchPage {
        batches: Vec::with_capacity(rows.len()),
        more: rows.len() > limit,
    };
    let mut counts = Vec::with_capacity(rows.len());
    let mut events = 0;
    for row in rows.iter().take(limit) {
        let (stored, count) = rows::batch(READ_BATCHES, link, row)?;
        events += count;
        if events > events_max && !page.batches.is_empty() {
            page.more = true;
            break;
        }
        page.batches.push(stored);
        counts.push(count);
    }
    read_events(&mut *connection, link, &mut page.batches).await?;
    let are_whole = page
        .batches
        .iter()
        .zip(&counts)
        .all(|(stored, n)| stored.batch.events.len() == *n);
    if !are_whole {
        let first = page.batches.first().map(|stored| stored.batch.number);
        refuse_archived(connection, link, first.unwrap_or_default()).await?;
        return Err(StoreError::Inconsistent {
            table: "batch",
            column: "events",
        });
    }
    Ok(page)
}

/// Checks, after events from a batch on were not found, that they are not archived.
pub(crate) async fn refuse_archived(
    connection: &mut PgConnection,
    link: LinkId,
    batch: u64,
) -> Result<(), StoreError> {
    match archived_end_of(connection, link).await? {
        Some(end) if batch <= end.through.batch => Err(StoreError::Archived(end)),
        Some(_) | None => Ok(()),
    }
}

/// Reads the events of adjacent batches into them.
async fn read_events(
    connection: &mut PgConnection,
    link: LinkId,
    batches: &mut [StoredBatch],
) -> Result<(), StoreError> {
    let (Some(first), Some(last)) = (batches.first(), batches.last()) else {
        return Ok(());
    };
    let first_number = first.batch.number;
    let rows = sqlx::query(READ_EVENTS.sql)
        .bind(link.0)
        .bind(first.batch.period)
        .bind(first_number.cast_signed())
        .bind(last.batch.period)
        .bind(last.batch.number.cast_signed())
        .fetch_all(connection)
        .await
        .in_statement(READ_EVENTS)?;
    for row in &rows {
        let row = RowReader::new(READ_EVENTS, "event", row);
        let number: i64 = row.get(0)?;
        let position: i32 = row.get(1)?;
        let index = number.cast_unsigned().wrapping_sub(first_number);
        let stored = usize::try_from(index)
            .ok()
            .and_then(|index| batches.get_mut(index));
        let batch = stored.ok_or_else(|| row.inconsistent("batch"))?;
        if usize::try_from(position) != Ok(batch.batch.events.len()) {
            return Err(row.inconsistent("position"));
        }
        batch.batch.events.push(row.event(2)?);
    }
    Ok(())
}

/// Returns a command of a table, with its whole batch and the batches after it.
pub(crate) async fn command(
    connection: &mut PgConnection,
    link: LinkId,
    table: u32,
    sequence: u64,
) -> Result<Option<FoundCommand>, StoreError> {
    let found = find(connection, link, table, sequence).await?;
    let Some((number, position)) = found else {
        return Ok(None);
    };
    let limits = (FOUND_BATCHES_MAX, FOUND_EVENTS_MAX);
    let page = neighbours_after(connection, link, number.saturating_sub(1), limits).await?;
    let batches = page.batches;
    if batches.first().map(|first| first.batch.number) != Some(number) {
        return Err(StoreError::Inconsistent {
            table: "event",
            column: "batch",
        });
    }
    Ok(Some(FoundCommand { batches, position }))
}

/// Returns one batch with its events.
pub(crate) async fn one_batch(
    connection: &mut PgConnection,
    link: LinkId,
    number: u64,
) -> Result<Option<StoredBatch>, StoreError> {
    let Some(before) = number.checked_sub(1) else {
        return Ok(None);
    };
    let page = batches_after(connection, link, before, 1).await?;
    let mut batches = page.batches.into_iter();
    Ok(batches.find(|stored| stored.batch.number == number))
}

/// The range of batches that holds some commands of a table.
pub(crate) struct BatchRange {
    pub(crate) period: i32,
    pub(crate) batch: i64,
    pub(crate) last_period: i32,
    pub(crate) last_batch: i64,
}

/// Returns the range that holds a table's commands from one number to another, or `None` for a
/// table without marks.
pub(crate) async fn range_of(
    connection: &mut PgConnection,
    link: LinkId,
    table: u32,
    (first, last): (u64, u64),
) -> Result<Option<BatchRange>, StoreError> {
    let range = sqlx::query(FIND_RANGE.sql)
        .bind(link.0)
        .bind(table.cast_signed())
        .bind(to_bigint(first))
        .bind(to_bigint(last))
        .fetch_optional(connection)
        .await
        .in_statement(FIND_RANGE)?;
    let Some(range) = range else { return Ok(None) };
    let range = RowReader::new(FIND_RANGE, "table_mark", &range);
    Ok(Some(BatchRange {
        period: range.get("period")?,
        batch: range.get("batch")?,
        last_period: range.get("last_period")?,
        last_batch: range.get("last_batch")?,
    }))
}

/// Returns the batch of a table's command and the command's index there.
async fn find(
    connection: &mut PgConnection,
    link: LinkId,
    table: u32,
    sequence: u64,
) -> Result<Option<(u64, usize)>, StoreError> {
    let range = range_of(&mut *connection, link, table, (sequence, sequence)).await?;
    let Some(range) = range else { return Ok(None) };
    let found = sqlx::query(FIND_EVENT.sql)
        .bind(link.0)
        .bind(range.period)
        .bind(range.batch)
        .bind(range.last_period)
        .bind(range.last_batch)
        .bind(table.cast_signed())
        .bind(sequence.cast_signed())
        .fetch_optional(&mut *connection)
        .await
        .in_statement(FIND_EVENT)?;
    let Some(found) = found else {
        refuse_archived(connection, link, range.batch.cast_unsigned()).await?;
        return Ok(None);
    };
    let batch: i64 = found.try_get("batch").in_statement(FIND_EVENT)?;
    let position = RowReader::new(FIND_EVENT, "event", &found).number::<usize, i32>("position")?;
    Ok(Some((batch.cast_unsigned(), position)))
}
