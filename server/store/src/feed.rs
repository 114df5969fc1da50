//! The reads of the feed: heads of links and notable events.
//!
//! # Limits
//! One page holds at most [`NOTABLE_MAX`] events. A link's batches become visible in order,
//! because moving the head serialises them.

use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_journal::batch::{ChainHash, EventRow};
use meterhouse_journal::position::Position;

use crate::error::StoreError;
use crate::numbers::{bounded, to_bigint, to_columns};
use crate::rows::RowReader;
use crate::sql::feed::{HAPPENINGS, HEADS};
use crate::store::Store;

/// Maximum number of events in one page.
pub const NOTABLE_MAX: usize = 1_000;

/// The head of a link, with its balances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadRow {
    /// Link of the head.
    pub link: LinkId,
    /// Number of the last batch.
    pub batch: u64,
    /// Epoch of the head.
    pub epoch: i64,
    /// Hash of the last batch.
    pub chain_hash: ChainHash,
    /// Period of the last batch.
    pub period: i32,
    /// Link status that displays see.
    pub status: i16,
    /// Balances: account a of book b has index 8 × b + a.
    pub balances: Vec<i64>,
}

/// An event with its position and time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionedEvent {
    /// Position of the event.
    pub position: Position,
    /// Server time of the event.
    pub at: Timestamp,
    /// Event.
    pub event: EventRow,
}

impl Store {
    /// Returns the heads of these links in the order of their numbers. Unknown links are left out.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn heads(&self, links: &[LinkId]) -> Result<Vec<HeadRow>, StoreError> {
        let numbers: Vec<i32> = links.iter().map(|link| link.0).collect();
        let query = sqlx::query(HEADS.sql).bind(numbers);
        let rows = self.inner.rows(HEADS, query).await?;
        rows.iter()
            .map(|row| head_row(&RowReader::new(HEADS, "link_head", row)))
            .collect()
    }

    /// Returns at most [`NOTABLE_MAX`] notable events (kinds from 16) after a position, up to
    /// one batch.
    ///
    /// # Errors
    /// [`StoreError::Archived`] if some of them are archived; or if the query fails.
    pub async fn notable_after(
        &self,
        link: LinkId,
        after: Position,
        through: u64,
        limit: usize,
    ) -> Result<Vec<PositionedEvent>, StoreError> {
        let found = self.new_notable(link, after, through, limit).await?;
        if after < Position::behind(through) {
            self.refuse_archived(link, after, None).await?;
        }
        Ok(found)
    }

    /// Returns what [`notable_after`](Self::notable_after) returns, for a caller who follows the
    /// head: nothing so new is archived.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn new_notable(
        &self,
        link: LinkId,
        after: Position,
        through: u64,
        limit: usize,
    ) -> Result<Vec<PositionedEvent>, StoreError> {
        let (batch, position) = to_columns(after);
        let query = sqlx::query(HAPPENINGS.sql)
            .bind(link.0)
            .bind(batch)
            .bind(position)
            .bind(to_bigint(through))
            .bind(bounded(limit, NOTABLE_MAX));
        let rows = self.inner.rows(HAPPENINGS, query).await?;
        rows.iter()
            .map(|row| happening(&RowReader::new(HAPPENINGS, "event", row)))
            .collect()
    }
}

/// Decodes a row with the head's columns.
pub(crate) fn head_row(row: &RowReader<'_>) -> Result<HeadRow, StoreError> {
    Ok(HeadRow {
        link: LinkId(row.get("link_id")?),
        batch: row.number::<u64, i64>("batch")?,
        epoch: row.get("epoch")?,
        chain_hash: ChainHash(row.hash("chain_hash")?),
        period: row.get("period")?,
        status: row.get("status")?,
        balances: row.get("balances")?,
    })
}

/// Decodes a row that begins with batch, position and time.
pub(crate) fn happening(row: &RowReader<'_>) -> Result<PositionedEvent, StoreError> {
    let position = Position {
        batch: row.number::<u64, i64>("batch")?,
        index: row.number::<u32, i32>("position")?,
    };
    Ok(PositionedEvent {
        position,
        at: Timestamp(row.get("at")?),
        event: row.event(3)?,
    })
}
