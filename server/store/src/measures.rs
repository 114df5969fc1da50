//! What an operator watches of the database: its size, its log with its archive, its standbys, its connections.
//!
//! # Limits
//! [`STANDBYS_MAX`] standbys.

use meterhouse_domain::ids::Timestamp;
use meterhouse_journal::hit::HitState;
use sqlx::PgPool;
use sqlx::Row as _;

use crate::error::StoreError;
use crate::sql::measures::{ARCHIVE, DATABASE, HITS_WAITING, STANDBYS};
use crate::sql::statement::ResultExt as _;
use crate::store::Store;

/// Maximum number of standbys that are read.
pub const STANDBYS_MAX: u32 = 16;

/// The measures of a database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatabaseMeasures {
    /// Size of the database in bytes.
    pub size: i64,
    /// Bytes that were ever written to the log of the cluster; `None` on a standby.
    pub log: Option<i64>,
    /// Standbys that this role may see: the name, and the bytes of the log that it has not applied
    /// yet.
    pub standbys: Vec<(String, i64)>,
    /// Archive of the log; `None` if the cluster has none.
    pub archive: Option<LogArchive>,
    /// Number of connections for reading that are open.
    pub connections: u32,
    /// Number of those that wait for work.
    pub idle: u32,
}

/// The archive of a cluster's log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogArchive {
    /// File that the last attempt failed to archive; `None` if the last attempt succeeded.
    pub failed: Option<String>,
}

/// The hits that wait in a state.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitingHits {
    /// Number of hits.
    pub count: i64,
    /// Time at which the oldest of them was keyed.
    pub oldest: Option<Timestamp>,
}

impl Store {
    /// Returns the measures of the database.
    ///
    /// # Errors
    /// If a query fails.
    pub async fn measures(&self) -> Result<DatabaseMeasures, StoreError> {
        let query = sqlx::query(DATABASE.sql);
        let row = self.inner.row(DATABASE, query).await?;
        let row = row.ok_or_else(|| DATABASE.failed()(sqlx::Error::RowNotFound))?;
        let query = sqlx::query(STANDBYS.sql).bind(i64::from(STANDBYS_MAX));
        let standbys = self.inner.rows(STANDBYS, query).await?;
        let standby = |row: &sqlx::postgres::PgRow| {
            let name = row.try_get("name").in_statement(STANDBYS)?;
            Ok((name, row.try_get("lag").in_statement(STANDBYS)?))
        };
        let idle: usize = self.inner.pools.iter().map(PgPool::num_idle).sum();
        Ok(DatabaseMeasures {
            size: row.try_get("size").in_statement(DATABASE)?,
            log: row.try_get("log").in_statement(DATABASE)?,
            standbys: standbys
                .iter()
                .map(standby)
                .collect::<Result<_, StoreError>>()?,
            archive: self.log_archive().await?,
            connections: self.inner.pools.iter().map(PgPool::size).sum(),
            idle: u32::try_from(idle).unwrap_or(u32::MAX),
        })
    }

    /// Returns the archive of the cluster's log, if there is one.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn log_archive(&self) -> Result<Option<LogArchive>, StoreError> {
        let row = self.inner.row(ARCHIVE, sqlx::query(ARCHIVE.sql)).await?;
        let row = row.ok_or_else(|| ARCHIVE.failed()(sqlx::Error::RowNotFound))?;
        let is_on: bool = row.try_get("is_on").in_statement(ARCHIVE)?;
        let failed = row.try_get("failed").in_statement(ARCHIVE)?;
        Ok(is_on.then_some(LogArchive { failed }))
    }

    /// Returns the hits of all links in a state.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn waiting_hits(&self, state: HitState) -> Result<WaitingHits, StoreError> {
        let query = sqlx::query(HITS_WAITING.sql).bind(i16::from(state.code()));
        let Some(row) = self.inner.row(HITS_WAITING, query).await? else {
            return Ok(WaitingHits::default());
        };
        let oldest: Option<i64> = row.try_get("oldest").in_statement(HITS_WAITING)?;
        Ok(WaitingHits {
            count: row.try_get("count").in_statement(HITS_WAITING)?,
            oldest: oldest.map(Timestamp),
        })
    }
}
