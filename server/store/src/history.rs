//! The history of one level, for plots: balances at times, extremes between them, and single batches.
//!
//! # Limits
//! A caller asks for at most as many edges, batches and coin-ins as it names. The extremes read the batches of a period that
//! may lower a meter, within [`LONG_WAIT_MAX`].

use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_domain::link::{ACCOUNTS, Account};
use sqlx::postgres::PgRow;

use crate::database::LONG_WAIT_MAX;
use crate::error::StoreError;
use crate::feed::{PositionedEvent, happening};
use crate::hits::{FoundHit, HITS_MAX, gather};
use crate::numbers::{bounded, to_bigint};
use crate::rows::RowReader;
use crate::sql::history::{HISTORY_COIN_INS, HISTORY_EDGES, HISTORY_EXTREMES, HISTORY_STEPS};
use crate::sql::hit::HISTORY_HITS;
use crate::store::Store;

/// A meter and its reserve, in micro-dollars.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LevelBalances {
    /// Displayed balance.
    pub meter: i64,
    /// Hidden balance.
    pub reserve: i64,
}

/// The balances of a level after the last batch before a time.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LevelAt {
    /// Index of the time among those that were asked for.
    pub index: usize,
    /// Number of the batch.
    pub batch: u64,
    /// Time of the batch.
    pub at: Timestamp,
    /// Balances after it.
    pub after: LevelBalances,
}

/// The least and the greatest balances around batches that may lower them, in one stretch between two times.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LevelExtremes {
    /// Index of the stretch's first time among those that were asked for.
    pub index: usize,
    /// Least balances after such a batch.
    pub least: LevelBalances,
    /// Greatest balances before such a batch.
    pub greatest: LevelBalances,
}

/// One batch.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LevelStep {
    /// Number of the batch.
    pub batch: u64,
    /// Time of the batch.
    pub at: Timestamp,
    /// Balances before it.
    pub before: LevelBalances,
    /// Balances after it.
    pub after: LevelBalances,
}

impl Store {
    /// Returns the balances of a level after the last batch before each of these times. A time before the first batch is
    /// left out.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn level_at(
        &self,
        link: LinkId,
        level: usize,
        edges: &[Timestamp],
    ) -> Result<Vec<LevelAt>, StoreError> {
        let query = sqlx::query(HISTORY_EDGES.sql)
            .bind(link.0)
            .bind(micros(edges))
            .bind(ordinal(level, Account::Meter))
            .bind(ordinal(level, Account::Reserve));
        let rows = self.inner.rows(HISTORY_EDGES, query).await?;
        let edge = |row: &PgRow| {
            let row = RowReader::new(HISTORY_EDGES, "batch", row);
            Ok(LevelAt {
                index: row.number::<usize, i64>("ordinal")?.saturating_sub(1),
                batch: row.number::<u64, i64>("batch")?,
                at: Timestamp(row.get("at")?),
                after: balances(&row, "meter", "reserve")?,
            })
        };
        rows.iter().map(edge).collect()
    }

    /// Returns the extremes of a level after one batch up to another, for each stretch between two of these times that has
    /// some.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn level_extremes(
        &self,
        link: LinkId,
        level: usize,
        (after, through): (u64, u64),
        edges: &[Timestamp],
    ) -> Result<Vec<LevelExtremes>, StoreError> {
        let query = sqlx::query(HISTORY_EXTREMES.sql)
            .bind(link.0)
            .bind(to_bigint(after))
            .bind(to_bigint(through))
            .bind(micros(edges))
            .bind(ordinal(level, Account::Meter))
            .bind(ordinal(level, Account::Reserve));
        let rows = self
            .inner
            .rows_within(LONG_WAIT_MAX, HISTORY_EXTREMES, query);
        let extremes = |row: &PgRow| {
            let row = RowReader::new(HISTORY_EXTREMES, "batch", row);
            Ok(LevelExtremes {
                index: row.number::<usize, i32>("bucket")?.saturating_sub(1),
                least: balances(&row, "meter_min", "reserve_min")?,
                greatest: balances(&row, "meter_max", "reserve_max")?,
            })
        };
        rows.await?.iter().map(extremes).collect()
    }

    /// Returns the batches after one up to another with the balances of a level, at most `limit`.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn level_steps(
        &self,
        link: LinkId,
        level: usize,
        (after, through): (u64, u64),
        limit: usize,
    ) -> Result<Vec<LevelStep>, StoreError> {
        let query = sqlx::query(HISTORY_STEPS.sql)
            .bind(link.0)
            .bind(to_bigint(after))
            .bind(to_bigint(through))
            .bind(ordinal(level, Account::Meter))
            .bind(ordinal(level, Account::Reserve))
            .bind(bounded(limit, limit));
        let rows = self.inner.rows(HISTORY_STEPS, query).await?;
        let step = |row: &PgRow| {
            let row = RowReader::new(HISTORY_STEPS, "batch", row);
            Ok(LevelStep {
                batch: row.number::<u64, i64>("batch")?,
                at: Timestamp(row.get("at")?),
                before: balances(&row, "meter_before", "reserve_before")?,
                after: balances(&row, "meter", "reserve")?,
            })
        };
        rows.iter().map(step).collect()
    }

    /// Returns the coin-ins after one batch up to another, at most `limit`.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn coin_ins_between(
        &self,
        link: LinkId,
        (after, through): (u64, u64),
        limit: usize,
    ) -> Result<Vec<PositionedEvent>, StoreError> {
        let query = sqlx::query(HISTORY_COIN_INS.sql)
            .bind(link.0)
            .bind(to_bigint(after))
            .bind(to_bigint(through))
            .bind(bounded(limit, limit));
        let rows = self
            .inner
            .rows_within(LONG_WAIT_MAX, HISTORY_COIN_INS, query);
        let event = |row: &PgRow| happening(&RowReader::new(HISTORY_COIN_INS, "event", row));
        rows.await?.iter().map(event).collect()
    }

    /// Returns the hits of a level that were entered from one time until before another, at most `limit` and at most
    /// [`HITS_MAX`]. Of more, those that took all of the level come first, and then the newest ones.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn level_hits(
        &self,
        link: LinkId,
        level: u8,
        (from, to): (Timestamp, Timestamp),
        limit: usize,
    ) -> Result<Vec<FoundHit>, StoreError> {
        let query = sqlx::query(HISTORY_HITS.sql)
            .bind(link.0)
            .bind(i16::from(level))
            .bind(from.0)
            .bind(to.0)
            .bind(bounded(limit, HITS_MAX));
        let rows = self.inner.rows_within(LONG_WAIT_MAX, HISTORY_HITS, query);
        gather(HISTORY_HITS, &rows.await?)
    }
}

fn micros(times: &[Timestamp]) -> Vec<i64> {
    times.iter().map(|time| time.0).collect()
}

/// Returns the place of an account of a level among a link's balances, from 1.
fn ordinal(level: usize, account: Account) -> i32 {
    let index = level
        .saturating_mul(ACCOUNTS)
        .saturating_add(account.index());
    i32::try_from(index.saturating_add(1)).unwrap_or(i32::MAX)
}

fn balances(row: &RowReader<'_>, meter: &str, reserve: &str) -> Result<LevelBalances, StoreError> {
    Ok(LevelBalances {
        meter: row.get(meter)?,
        reserve: row.get(reserve)?,
    })
}
