//! Signed days of links, each with the report as it was signed.
//!
//! # Limits
//! One page holds at most [`CLOSINGS_MAX`] or [`HOUSE_PAGE_MAX`] days, and no page has reports.
//!
//! # Order and locking
//! A day is signed with its entry in the house's chain, in one transaction. Of several signatures the first stays.

use meterhouse_domain::ids::{ActorId, LinkId, Timestamp};
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::house::HouseFact;
use sqlx::postgres::{PgConnection, PgRow};

use crate::error::StoreError;
use crate::house_chain::{HOUSE_PAGE_MAX, append};
use crate::numbers::{bounded, to_bigint};
use crate::rows::RowReader;
use crate::sql::closing::{ALL_CLOSINGS, COVERING_HEAD, FIND_CLOSING, LIST_CLOSINGS, SIGN_CLOSING};
use crate::sql::statement::{ResultExt as _, Statement};
use crate::store::Store;

/// Maximum number of signed days in one page.
pub const CLOSINGS_MAX: usize = 200;

/// A signed day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosingRow {
    /// Days since 1970-01-01 in UTC.
    pub day: i32,
    /// Person who signed.
    pub actor: ActorId,
    /// Name of the person.
    pub actor_name: Option<String>,
    /// Time of the signature.
    pub at: Timestamp,
    /// Note, if the person gave one.
    pub note: Option<String>,
    /// The report as it was signed; `None` in a list.
    pub report: Option<Vec<u8>>,
    /// SHA-256 of the report.
    pub report_hash: [u8; HASH_BYTES],
}

/// A day to sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewClosing {
    /// Link of the day.
    pub link: LinkId,
    /// Days since 1970-01-01 in UTC.
    pub day: i32,
    /// Person who signs.
    pub actor: ActorId,
    /// Time of the signature.
    pub at: Timestamp,
    /// Note, if the person gives one.
    pub note: Option<String>,
    /// The report.
    pub report: Vec<u8>,
}

/// A signed head that covers a batch.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct CoveringHead {
    /// Number of the head.
    pub number: u64,
    /// Last batch that it covers.
    pub batch: u64,
    /// Time of the signature.
    pub at: Timestamp,
}

impl Store {
    /// Returns a signed day with its report.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn find_closing(
        &self,
        link: LinkId,
        day: i32,
    ) -> Result<Option<ClosingRow>, StoreError> {
        let query = sqlx::query(FIND_CLOSING.sql).bind(link.0).bind(day);
        let row = self.inner.row(FIND_CLOSING, query).await?;
        row.map(|row| closing(FIND_CLOSING, &row)).transpose()
    }

    /// Returns at most [`CLOSINGS_MAX`] signed days from one day on, before another, newest first and without reports.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn list_closings(
        &self,
        link: LinkId,
        (from, before): (i32, i32),
        limit: usize,
    ) -> Result<Vec<ClosingRow>, StoreError> {
        let query = sqlx::query(LIST_CLOSINGS.sql)
            .bind(link.0)
            .bind(from)
            .bind(before)
            .bind(bounded(limit, CLOSINGS_MAX));
        let rows = self.inner.rows(LIST_CLOSINGS, query).await?;
        let of_row = |row: &PgRow| closing(LIST_CLOSINGS, row);
        rows.iter().map(of_row).collect()
    }

    /// Signs a day with its entry in the house's chain. Returns `false` if the day is signed already.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn sign_closing(&self, new: &NewClosing) -> Result<bool, StoreError> {
        self.run_tx(SIGN_CLOSING.name, async |transaction: &mut PgConnection| {
            let sign = sqlx::query(SIGN_CLOSING.sql)
                .bind(new.link.0)
                .bind(new.day)
                .bind(new.actor.0)
                .bind(new.at.0)
                .bind(&new.note)
                .bind(&new.report);
            let signed = sign.execute(&mut *transaction).await;
            if signed.in_statement(SIGN_CLOSING)?.rows_affected() == 0 {
                return Ok(false);
            }
            let (day, by) = ((new.link, new.day), (new.actor, new.at));
            let fact = HouseFact::day_signed(day, by, new.note.clone(), &new.report);
            append(transaction, new.at, std::slice::from_ref(&fact)).await?;
            Ok(true)
        })
        .await
    }

    /// Returns the facts in the rows of signed days after one, at most [`HOUSE_PAGE_MAX`].
    ///
    /// # Errors
    /// If the query fails.
    pub async fn house_closings(&self, after: (LinkId, i32)) -> Result<Vec<HouseFact>, StoreError> {
        let query = sqlx::query(ALL_CLOSINGS.sql)
            .bind(after.0.0)
            .bind(after.1)
            .bind(bounded(HOUSE_PAGE_MAX, HOUSE_PAGE_MAX));
        let rows = self.inner.rows(ALL_CLOSINGS, query).await?;
        let fact = |row: &PgRow| {
            let row = RowReader::new(ALL_CLOSINGS, "closing", row);
            Ok(HouseFact::DaySigned {
                link: LinkId(row.get("link_id")?),
                day: row.get("day")?,
                actor: ActorId(row.get("actor_id")?),
                signed_at: Timestamp(row.get("at")?),
                note: row.get("note")?,
                report: row.hash("report_hash")?,
            })
        };
        rows.iter().map(fact).collect()
    }

    /// Returns the first signed head of a link that covers a batch.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn covering_head(
        &self,
        link: LinkId,
        batch: u64,
    ) -> Result<Option<CoveringHead>, StoreError> {
        let query = sqlx::query(COVERING_HEAD.sql)
            .bind(link.0)
            .bind(to_bigint(batch));
        let row = self.inner.row(COVERING_HEAD, query).await?;
        let head = |row: PgRow| {
            let row = RowReader::new(COVERING_HEAD, "signed_head", &row);
            Ok(CoveringHead {
                number: row.number::<u64, i64>("number")?,
                batch: row.number::<u64, i64>("batch")?,
                at: Timestamp(row.get("at")?),
            })
        };
        row.map(head).transpose()
    }
}

fn closing(statement: Statement, row: &PgRow) -> Result<ClosingRow, StoreError> {
    let row = RowReader::new(statement, "closing", row);
    Ok(ClosingRow {
        day: row.get("day")?,
        actor: ActorId(row.get("actor_id")?),
        actor_name: row.get("actor_name")?,
        at: Timestamp(row.get("at")?),
        note: row.get("note")?,
        report: row.get("report")?,
        report_hash: row.hash("report_hash")?,
    })
}
