//! What displays need: where links stand, and what happened on them.
//!
//! # What bounds it
//! [`HAPPENINGS_MAX`] in one page. A position is (batch, position): a link's batches become visible
//! in order, because moving the head serialises them.

use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_journal::batch::EventRow;

use crate::error::StoreError;
use crate::numbers::{bounded, stored};
use crate::rows::Of;
use crate::sql::feed::{HAPPENINGS, HEADS};
use crate::store::Store;

/// Happenings in one page.
pub const HAPPENINGS_MAX: usize = 1_000;

/// Where a link stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadRow {
    /// The link.
    pub link: LinkId,
    /// Its last batch.
    pub batch: u64,
    /// Its epoch.
    pub epoch: i64,
    /// Its last batch's period.
    pub period: i32,
    /// What the engine wants displays to know of its state.
    pub status: i16,
    /// The balances: book b, account a stands at 8 × b + a.
    pub balances: Vec<i64>,
}

/// A place in a link's journal: after it everything later follows. [`Position::behind`] a batch is
/// the greatest place in it that the database can hold.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Position {
    /// The batch.
    pub batch: u64,
    /// The place in it.
    pub position: u32,
}

impl Position {
    /// Behind the whole batch.
    pub const fn behind(batch: u64) -> Self {
        Self {
            batch,
            position: i32::MAX.cast_unsigned(),
        }
    }

    /// As the database holds it; what it can't hold is behind all that it does.
    pub(crate) fn stored(self) -> (i64, i32) {
        let position = i32::try_from(self.position).unwrap_or(i32::MAX);
        (stored(self.batch), position)
    }
}

/// An event that was more than a table's routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    /// Where it stands.
    pub place: Position,
    /// The server's time.
    pub at: Timestamp,
    /// The event.
    pub event: EventRow,
}

impl Store {
    /// Where these links stand, in the order of their numbers; unknown ones are left out.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn heads(&self, links: &[LinkId]) -> Result<Vec<HeadRow>, StoreError> {
        let numbers: Vec<i32> = links.iter().map(|it| it.0).collect();
        let query = sqlx::query(HEADS.sql).bind(numbers);
        let rows = self.inner.rows(HEADS, query).await?;
        rows.iter()
            .map(|row| head_row(&Of::new(HEADS, "link_head", row)))
            .collect()
    }

    /// What happened (kinds from 16) after one place and up to one batch, at most
    /// [`HAPPENINGS_MAX`].
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn happenings(
        &self,
        link: LinkId,
        after: Position,
        through: u64,
        limit: usize,
    ) -> Result<Vec<Happening>, StoreError> {
        let (batch, position) = after.stored();
        let query = sqlx::query(HAPPENINGS.sql)
            .bind(link.0)
            .bind(batch)
            .bind(position)
            .bind(stored(through))
            .bind(bounded(limit, HAPPENINGS_MAX));
        let rows = self.inner.rows(HAPPENINGS, query).await?;
        rows.iter()
            .map(|row| happening(&Of::new(HAPPENINGS, "event", row)))
            .collect()
    }
}

/// Of a row with the head's columns.
pub(crate) fn head_row(row: &Of<'_>) -> Result<HeadRow, StoreError> {
    Ok(HeadRow {
        link: LinkId(row.get("link_id")?),
        batch: row.number::<u64, i64>("batch")?,
        epoch: row.get("epoch")?,
        period: row.get("period")?,
        status: row.get("status")?,
        balances: row.get("balances")?,
    })
}

/// Of a row that begins with batch, position, at.
pub(crate) fn happening(row: &Of<'_>) -> Result<Happening, StoreError> {
    let place = Position {
        batch: row.number::<u64, i64>("batch")?,
        position: row.number::<u32, i32>("position")?,
    };
    Ok(Happening {
        place,
        at: Timestamp(row.get("at")?),
        event: row.event(3)?,
    })
}
