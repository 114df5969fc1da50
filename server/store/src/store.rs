//! The store: a pool for reading and for people's commands, and the connections that commit.
//!
//! # Shape
//! A store is cheap to clone. A method is one statement, or several that only read, or one
//! transaction in [`transaction`](crate::transaction).

use std::sync::Arc;

use futures_util::future::join_all;
use meterhouse_domain::ids::Timestamp;
use sqlx::Row as _;
use sqlx::postgres::{PgPool, PgRow};

use crate::combiner::Combiner;
use crate::connections::CommitConnections;
use crate::database::{Database, LONG_WAIT_MAX, pools};
use crate::error::StoreError;
use crate::primary::Primary;
use crate::servers::Servers;
use crate::sql::admin;
use crate::sql::statement::ResultExt as _;

/// The address of the database and the number of connections.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// Servers of the database, with the application's role.
    pub servers: Servers,
    /// Number of connections for reading and for people's commands.
    pub pool_connections: u32,
    /// Maximum number of connections that commit, apart from the one that commits several links. A node never uses more
    /// than it has links.
    pub commit_connections: usize,
}

/// Default number of connections for reading.
const POOL_CONNECTIONS: u32 = 10;
/// Default number of connections that commit. A busy link uses one connection, and Postgres syncs
/// concurrent commits together.
const COMMIT_CONNECTIONS: usize = 16;

impl StoreOptions {
    /// Returns options with the default numbers of connections.
    pub fn new(servers: impl Into<Servers>) -> Self {
        Self {
            servers: servers.into(),
            pool_connections: POOL_CONNECTIONS,
            commit_connections: COMMIT_CONNECTIONS,
        }
    }
}

/// The database of a casino, a demo or a load run.
#[derive(Clone)]
pub struct Store {
    pub(crate) inner: Arc<Database>,
}

/// The protection of the journal by the database against the user of this store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enforcement {
    /// This user can only add rows.
    Enforced,
    /// This user could change or remove rows.
    NotEnforced {
        /// Reason.
        why: NotEnforced,
    },
}

/// A reason why a user could change the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotEnforced {
    /// The user is a superuser.
    Superuser,
    /// The user is a member of `meterhouse_owner`.
    Owner,
    /// The user is a member of the role that owns the schema and may drop its tables.
    SchemaOwner,
    /// The user was granted more rights than the migrations grant.
    Granted {
        /// First table with such a right.
        table: String,
    },
}

impl Store {
    /// Connects the pool. The connections that commit are made when they are needed.
    ///
    /// # Errors
    /// [`StoreError::Connect`], or [`StoreError::NoPrimary`] if none of several servers takes
    /// writes.
    pub async fn connect(options: StoreOptions) -> Result<Self, StoreError> {
        let primary = Arc::new(Primary::new(&options.servers));
        if !primary.is_single() {
            primary.find("0").await?;
        }
        let inner = Database {
            pools: pools(&primary, options.pool_connections).await?,
            commits: CommitConnections::new(Arc::clone(&primary), options.commit_connections),
            combiner: Combiner::new(Arc::clone(&primary)),
            primary,
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// Closes the pool and the idle connections that commit. Running statements are completed
    /// first.
    pub async fn close(&self) {
        self.inner.drop_idle();
        join_all(self.inner.pools.iter().map(PgPool::close)).await;
    }

    /// Checks that the database answers.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let ping = sqlx::query(admin::PING.sql);
        self.inner.rows(admin::PING, ping).await.map(drop)
    }

    /// Returns the time of the database's clock.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn clock(&self) -> Result<Timestamp, StoreError> {
        let row = self.inner.row(admin::CLOCK, sqlx::query(admin::CLOCK.sql));
        let row = row.await?.ok_or(sqlx::Error::RowNotFound);
        let at = row.and_then(|row| row.try_get("at"));
        at.map(Timestamp).in_statement(admin::CLOCK)
    }

    /// Checks if the current user could change the journal.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn enforcement(&self) -> Result<Enforcement, StoreError> {
        let failed = || admin::ENFORCEMENT.failed();
        let query = sqlx::query(admin::ENFORCEMENT.sql);
        let row = self.inner.row(admin::ENFORCEMENT, query).await?;
        let row = row.ok_or(sqlx::Error::RowNotFound).map_err(failed())?;
        let is_superuser: bool = row.try_get("is_superuser").map_err(failed())?;
        let is_owner: bool = row.try_get("is_owner").map_err(failed())?;
        // NULL if there is no such schema.
        let is_schema_owner: Option<bool> = row.try_get("is_schema_owner").map_err(failed())?;
        let writable: Option<String> = row.try_get("writable").map_err(failed())?;
        let why = match writable {
            _ if is_superuser => NotEnforced::Superuser,
            _ if is_owner => NotEnforced::Owner,
            _ if is_schema_owner == Some(true) => NotEnforced::SchemaOwner,
            Some(table) => NotEnforced::Granted { table },
            None => return Ok(Enforcement::Enforced),
        };
        Ok(Enforcement::NotEnforced { why })
    }

    /// Returns the periods that have a partition, in order.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn periods(&self) -> Result<Vec<i32>, StoreError> {
        let query = sqlx::query(admin::PERIODS.sql);
        let rows = self.inner.rows(admin::PERIODS, query).await?;
        let period = |row: PgRow| row.try_get("period").in_statement(admin::PERIODS);
        rows.into_iter().map(period).collect()
    }

    /// Creates the missing partitions of `count` periods from `first` on and returns their number.
    ///
    /// # Errors
    /// If the database refuses: periods outside the years 2000 to 2999, or more than 120 in one
    /// call.
    pub async fn make_periods(&self, first: i32, count: i32) -> Result<i32, StoreError> {
        let statement = admin::MAKE_PERIODS;
        let query = sqlx::query(statement.sql).bind(first).bind(count);
        let rows = self.inner.rows_within(LONG_WAIT_MAX, statement, query);
        let row = rows.await?.pop().ok_or(sqlx::Error::RowNotFound);
        row.and_then(|row| row.try_get("made"))
            .in_statement(statement)
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Store")
            .field("pools", &self.inner.pools)
            .finish_non_exhaustive()
    }
}
