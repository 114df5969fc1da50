//! Decoders of rows. A value that no version of this program writes is
//! [`StoreError::Inconsistent`], never a panic.
//!
//! # Shape
//! Every statement that reads events ends with the same columns in the same order, which are read
//! by index.

use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_journal::batch::{Batch, ChainHash, EventRow, HASH_BYTES};
use sqlx::Row as _;
use sqlx::postgres::PgRow;

use crate::error::StoreError;
use crate::journal::{Head, StoredBatch};
use crate::limits::READ_EVENTS_MAX;
use crate::sql::statement::{ResultExt as _, Statement};

/// A reader of one row of a statement's result.
#[derive(Copy, Clone)]
pub(crate) struct RowReader<'r> {
    pub(crate) statement: Statement,
    /// Table that error messages name.
    pub(crate) table: &'static str,
    pub(crate) row: &'r PgRow,
}

impl<'r> RowReader<'r> {
    pub(crate) fn new(statement: Statement, table: &'static str, row: &'r PgRow) -> Self {
        Self {
            statement,
            table,
            row,
        }
    }

    /// Returns a column as the driver reads it.
    pub(crate) fn get<T, C>(&self, column: C) -> Result<T, StoreError>
    where
        T: sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
        C: sqlx::ColumnIndex<PgRow>,
    {
        self.row.try_get(column).in_statement(self.statement)
    }

    /// Returns an unsigned number that is stored as a signed one.
    pub(crate) fn number<T, S>(&self, column: &'static str) -> Result<T, StoreError>
    where
        S: sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
        T: TryFrom<S>,
    {
        T::try_from(self.get(column)?).map_err(|_| self.inconsistent(column))
    }

    /// Returns an unsigned number that may be NULL.
    pub(crate) fn maybe<T, S>(&self, column: &'static str) -> Result<Option<T>, StoreError>
    where
        S: sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
        T: TryFrom<S>,
    {
        let stored: Option<S> = self.get(column)?;
        stored
            .map(T::try_from)
            .transpose()
            .map_err(|_| self.inconsistent(column))
    }

    /// Returns a hash.
    pub(crate) fn hash(&self, column: &'static str) -> Result<[u8; HASH_BYTES], StoreError> {
        self.array(column)
    }

    /// Returns bytes of a fixed length.
    pub(crate) fn array<const N: usize>(
        &self,
        column: &'static str,
    ) -> Result<[u8; N], StoreError> {
        let bytes: &[u8] = self.get(column)?;
        bytes.try_into().map_err(|_| self.inconsistent(column))
    }

    /// Returns the event whose columns begin at index `first`.
    pub(crate) fn event(&self, first: usize) -> Result<EventRow, StoreError> {
        Ok(EventRow {
            table: self.at::<_, i32>(first, "table_no")?,
            sequence: self.at::<_, i64>(first + 1, "sequence")?,
            actor: self.get(first + 2)?,
            kind: self
                .at::<_, i16>(first + 3, "kind")?
                .ok_or_else(|| self.inconsistent("kind"))?,
            refusal: self.at::<_, i16>(first + 4, "refusal")?,
            own_seats: self.at::<_, i16>(first + 5, "own_seats")?,
            dealer_seats: self.at::<_, i16>(first + 6, "dealer_seats")?,
            numbers: [
                self.get(first + 7)?,
                self.get(first + 8)?,
                self.get(first + 9)?,
                self.get(first + 10)?,
            ],
            record: self.get(first + 11)?,
        })
    }

    fn at<T, S>(&self, index: usize, column: &'static str) -> Result<Option<T>, StoreError>
    where
        S: sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
        T: TryFrom<S>,
    {
        let stored: Option<S> = self.get(index)?;
        stored
            .map(T::try_from)
            .transpose()
            .map_err(|_| self.inconsistent(column))
    }

    pub(crate) fn inconsistent(&self, column: &'static str) -> StoreError {
        StoreError::Inconsistent {
            table: self.table,
            column,
        }
    }
}

/// Decodes a head.
pub(crate) fn head(statement: Statement, row: &PgRow) -> Result<Head, StoreError> {
    let row = RowReader::new(statement, "link_head", row);
    Ok(Head {
        batch: row.number::<u64, i64>("batch")?,
        epoch: row.get("epoch")?,
        chain_hash: ChainHash(row.hash("chain_hash")?),
        period: row.get("period")?,
    })
}

/// Decodes a batch without its events. Returns the batch and its number of events.
pub(crate) fn batch(
    statement: Statement,
    link: LinkId,
    row: &PgRow,
) -> Result<(StoredBatch, usize), StoreError> {
    let row = RowReader::new(statement, "batch", row);
    let events = row.number::<usize, i32>("events")?;
    let batch = Batch {
        link,
        number: row.number::<u64, i64>("batch")?,
        at: Timestamp(row.get("at")?),
        node: row.get("node")?,
        epoch: row.get("epoch")?,
        rule_version: row.number::<u16, i16>("rule_version")?,
        period: row.get("period")?,
        events: Vec::with_capacity(events.min(READ_EVENTS_MAX)),
        deltas: row.get("deltas")?,
        after: row.get("after")?,
    };
    Ok((
        StoredBatch {
            batch,
            chain_hash: ChainHash(row.hash("chain_hash")?),
        },
        events,
    ))
}
