//! The two COPY streams of [`verify`](crate::verify) and the decoders of their rows.
//!
//! # Shape
//! [`CopyStream::next`] returns one row after the other. The decoders read the columns in the order in
//! which [`BATCHES`] and [`EVENTS`] name them.
//!
//! # Limits
//! One message of the server, which holds one row.

use meterhouse_journal::position::Position;
use std::collections::VecDeque;

use bytes::Bytes;
use futures_util::TryStreamExt as _;
use futures_util::stream::BoxStream;
use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_journal::batch::{Batch, ChainHash, EventRow};
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgConnection;

use crate::copy::{CopyReader, Fields};
use crate::error::StoreError;
use crate::journal::StoredBatch;
use crate::sql::statement::{ResultExt as _, Statement};
#[cfg(doc)]
use crate::sql::verify::{BATCHES, EVENTS};

/// Number of columns of [`BATCHES`].
pub(crate) const BATCH_COLUMNS: i16 = 10;
/// Number of columns of [`EVENTS`].
pub(crate) const EVENT_COLUMNS: i16 = 15;
/// Maximum number of events for which capacity is reserved in advance.
const CAPACITY_MAX: usize = 4_096;

/// A running copy, with the decoded rows that were not yet requested.
pub(crate) struct CopyStream<'c, T> {
    statement: Statement,
    stream: BoxStream<'c, Result<Bytes, sqlx::Error>>,
    reader: CopyReader,
    waiting: VecDeque<T>,
}

impl<'c, T> CopyStream<'c, T> {
    pub(crate) async fn start(
        connection: &'c mut PgConnection,
        statement: Statement,
        columns: i16,
    ) -> Result<Self, StoreError> {
        // Only the crate's own constants become part of the statement.
        let sql = AssertSqlSafe(format!(
            "COPY ({}) TO STDOUT (FORMAT binary)",
            statement.sql
        ));
        let stream = connection
            .copy_out_raw(sql.0.as_str())
            .await
            .in_statement(statement)?;
        let reader = CopyReader::new(columns);
        Ok(Self {
            statement,
            stream,
            reader,
            waiting: VecDeque::new(),
        })
    }

    pub(crate) async fn next(
        &mut self,
        decode: impl Fn(Fields<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        while self.waiting.is_empty() {
            let Some(chunk) = self.stream.try_next().await.in_statement(self.statement)? else {
                self.reader.finish()?;
                return Ok(None);
            };
            let waiting = &mut self.waiting;
            self.reader.feed(&chunk, |fields| {
                waiting.push_back(decode(fields)?);
                Ok(())
            })?;
        }
        Ok(self.waiting.pop_front())
    }
}

/// An event with its position.
pub(crate) struct StoredEvent {
    pub(crate) period: i32,
    pub(crate) position: Position,
    pub(crate) event: EventRow,
}

impl StoredEvent {
    pub(crate) fn is_of(&self, batch: &Batch) -> bool {
        (self.period, self.position.batch) == (batch.period, batch.number)
    }

    pub(crate) fn is_before(&self, batch: &Batch) -> bool {
        (self.period, self.position.batch) < (batch.period, batch.number)
    }
}

/// Decodes a row of [`BATCHES`]. Returns the batch and its declared number of events.
pub(crate) fn batch(
    link: LinkId,
    mut fields: Fields<'_>,
) -> Result<(StoredBatch, usize), StoreError> {
    let number = fields.i64()?.cast_unsigned();
    let at = Timestamp(fields.i64()?);
    let node = fields.text()?.to_owned();
    let epoch = fields.i64()?;
    let rule_version = unsigned(fields.i16()?, "rule_version")?;
    let period = fields.i32()?;
    let declared: usize = unsigned(fields.i32()?, "events")?;
    let (deltas, after) = (fields.bigints()?, fields.bigints()?);
    // Caps the allocation: the row's own count is untrusted.
    let events = Vec::with_capacity(declared.min(CAPACITY_MAX));
    let batch = Batch {
        link,
        number,
        at,
        node,
        epoch,
        rule_version,
        period,
        events,
        deltas,
        after,
    };
    Ok((
        StoredBatch {
            batch,
            chain_hash: ChainHash(fields.array()?),
        },
        declared,
    ))
}

/// Decodes a row of [`EVENTS`].
pub(crate) fn event(mut fields: Fields<'_>) -> Result<StoredEvent, StoreError> {
    let period = fields.i32()?;
    let batch = fields.i64()?.cast_unsigned();
    let index = unsigned(fields.i32()?, "position")?;
    let event = EventRow {
        table: optional(fields.maybe_i32()?, "table_no")?,
        sequence: optional(fields.maybe_i64()?, "sequence")?,
        actor: fields.i32()?,
        kind: unsigned(fields.i16()?, "kind")?,
        refusal: optional(fields.maybe_i16()?, "refusal")?,
        own_seats: optional(fields.maybe_i16()?, "own_seats")?,
        dealer_seats: optional(fields.maybe_i16()?, "dealer_seats")?,
        numbers: [
            fields.maybe_i64()?,
            fields.maybe_i64()?,
            fields.maybe_i64()?,
            fields.maybe_i64()?,
        ],
        record: fields.bytes()?.map(<[u8]>::to_vec),
    };
    Ok(StoredEvent {
        period,
        position: Position { batch, index },
        event,
    })
}

fn unsigned<S, T: TryFrom<S>>(stored: S, column: &'static str) -> Result<T, StoreError> {
    T::try_from(stored).map_err(|_| StoreError::Inconsistent {
        table: "event or batch",
        column,
    })
}

fn optional<S, T: TryFrom<S>>(
    stored: Option<S>,
    column: &'static str,
) -> Result<Option<T>, StoreError> {
    stored.map(|number| unsigned(number, column)).transpose()
}
