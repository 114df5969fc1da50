//! Exceptions of a link's journal, and who cleared them.
//!
//! # Limits
//! One page holds at most [`NOTABLE_MAX`] events, or [`HOUSE_PAGE_MAX`] clearances.
//!
//! # Order and locking
//! A clearance is added with its entry in the house's chain, in one transaction. Of several for one exception the first
//! stays.

use meterhouse_domain::ids::{ActorId, LinkId, Timestamp};
use meterhouse_journal::house::HouseFact;
use meterhouse_journal::position::Position;
use sqlx::postgres::{PgConnection, PgRow};

use crate::error::StoreError;
use crate::feed::{NOTABLE_MAX, PositionedEvent, happening};
use crate::house_chain::{HOUSE_PAGE_MAX, append};
use crate::numbers::{bounded, to_bigint, to_columns};
use crate::rows::RowReader;
use crate::sql::closing::{ALL_CLEARANCES, CANDIDATES, CLEAR, CLEARANCES};
use crate::sql::statement::{ResultExt as _, Statement};
use crate::store::Store;

/// A stored clearance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClearanceRow {
    /// Position of the exception.
    pub position: Position,
    /// Person who cleared it.
    pub actor: ActorId,
    /// Name of the person.
    pub actor_name: Option<String>,
    /// Time of the clearance.
    pub at: Timestamp,
    /// Reason, as the person gave it.
    pub reason: String,
}

/// A clearance to add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewClearance {
    /// Link of the exception.
    pub link: LinkId,
    /// Position of the exception.
    pub position: Position,
    /// Person who clears it.
    pub actor: ActorId,
    /// Time of the clearance.
    pub at: Timestamp,
    /// Reason, as the person gave it.
    pub reason: String,
}

impl Store {
    /// Returns at most [`NOTABLE_MAX`] events that may be exceptions, newest first: those of these kinds (from 16) and
    /// counts that differ, before a position and behind a batch. A caller who needs all of them asks
    /// [`refuse_archived`](Self::refuse_archived) at the end.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn exception_candidates(
        &self,
        link: LinkId,
        kinds: &[u8],
        before: Position,
        behind: u64,
    ) -> Result<Vec<PositionedEvent>, StoreError> {
        let kinds: Vec<i16> = kinds.iter().map(|kind| i16::from(*kind)).collect();
        let (batch, position) = to_columns(before);
        let query = sqlx::query(CANDIDATES.sql)
            .bind(link.0)
            .bind(kinds)
            .bind(batch)
            .bind(position)
            .bind(to_bigint(behind))
            .bind(bounded(NOTABLE_MAX, NOTABLE_MAX));
        let rows = self.inner.rows(CANDIDATES, query).await?;
        let event = |row: &PgRow| happening(&RowReader::new(CANDIDATES, "event", row));
        rows.iter().map(event).collect()
    }

    /// Returns the clearances of the exceptions at these positions.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn clearances(
        &self,
        link: LinkId,
        positions: &[Position],
    ) -> Result<Vec<ClearanceRow>, StoreError> {
        if positions.is_empty() {
            return Ok(Vec::new());
        }
        let columns = positions.iter().map(|position| to_columns(*position));
        let (batches, indexes): (Vec<i64>, Vec<i32>) = columns.unzip();
        let query = sqlx::query(CLEARANCES.sql)
            .bind(link.0)
            .bind(batches)
            .bind(indexes);
        let rows = self.inner.rows(CLEARANCES, query).await?;
        let clearance = |row: &PgRow| {
            let row = RowReader::new(CLEARANCES, "exception_clearance", row);
            Ok(ClearanceRow {
                position: position(&row)?,
                actor: ActorId(row.get("actor_id")?),
                actor_name: row.get("actor_name")?,
                at: Timestamp(row.get("at")?),
                reason: row.get("reason")?,
            })
        };
        rows.iter().map(clearance).collect()
    }

    /// Adds a clearance with its entry in the house's chain. Returns `false` if the exception is cleared already.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn clear_exception(&self, new: &NewClearance) -> Result<bool, StoreError> {
        self.run_tx(CLEAR.name, async |transaction: &mut PgConnection| {
            let (batch, position) = to_columns(new.position);
            let add = sqlx::query(CLEAR.sql)
                .bind(new.link.0)
                .bind(batch)
                .bind(position)
                .bind(new.actor.0)
                .bind(new.at.0)
                .bind(&new.reason);
            let added = add.execute(&mut *transaction).await.in_statement(CLEAR)?;
            if added.rows_affected() == 0 {
                return Ok(false);
            }
            let fact = HouseFact::ExceptionCleared {
                link: new.link,
                position: new.position,
                actor: new.actor,
                cleared_at: new.at,
                reason: new.reason.clone(),
            };
            append(transaction, new.at, std::slice::from_ref(&fact)).await?;
            Ok(true)
        })
        .await
    }

    /// Returns the facts in the rows of clearances after one, at most [`HOUSE_PAGE_MAX`].
    ///
    /// # Errors
    /// If the query fails.
    pub async fn house_clearances(
        &self,
        after: (LinkId, Position),
    ) -> Result<Vec<HouseFact>, StoreError> {
        let (batch, index) = to_columns(after.1);
        let query = sqlx::query(ALL_CLEARANCES.sql)
            .bind(after.0.0)
            .bind(batch)
            .bind(index)
            .bind(bounded(HOUSE_PAGE_MAX, HOUSE_PAGE_MAX));
        let rows = self.inner.rows(ALL_CLEARANCES, query).await?;
        let fact = |row: &PgRow| cleared(ALL_CLEARANCES, row);
        rows.iter().map(fact).collect()
    }
}

fn cleared(statement: Statement, row: &PgRow) -> Result<HouseFact, StoreError> {
    let row = RowReader::new(statement, "exception_clearance", row);
    Ok(HouseFact::ExceptionCleared {
        link: LinkId(row.get("link_id")?),
        position: position(&row)?,
        actor: ActorId(row.get("actor_id")?),
        cleared_at: Timestamp(row.get("at")?),
        reason: row.get("reason")?,
    })
}

fn position(row: &RowReader<'_>) -> Result<Position, StoreError> {
    Ok(Position {
        batch: row.number::<u64, i64>("batch")?,
        index: row.number::<u32, i32>("position")?,
    })
}
