//! What displays need: where links stand, and what happened on them.
//!
//! # What bounds it
//! [`HAPPENINGS_MAX`] in one page. A position is (batch, position): a link's batches become visible
//! in order, because moving the head serialises them.

use meterhouse_domain::name::{LinkId, Timestamp};
use meterhouse_journal::batch::EventRow;

use crate::error::StoreError;
use crate::links::bounded;
use crate::rows::Of;
use crate::sql::feed::{HAPPENINGS, HEADS};
use crate::store::{Failed as _, Store};

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

/// A place in a link's journal: after it everything later follows. (n, `u32::MAX`) is behind batch
/// n.
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
        let rows = sqlx::query(HEADS.sql)
            .bind(numbers)
            .fetch_all(self.pool())
            .await
            .of(HEADS)?;
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
        let rows = sqlx::query(HAPPENINGS.sql)
            .bind(link.0)
            .bind(after.batch.cast_signed())
            .bind(i32::try_from(after.position).unwrap_or(i32::MAX))
            .bind(i64::try_from(through).unwrap_or(i64::MAX))
            .bind(bounded(limit, HAPPENINGS_MAX))
            .fetch_all(self.pool())
            .await
            .of(HAPPENINGS)?;
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
