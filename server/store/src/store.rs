//! The store: a pool for reading and for people's commands, and beside it the connections that
//! commit.
//!
//! # Shape
//! Cheap to clone. A method is one statement, or a few that only read where a page needs them, or one
//! transaction in [`transaction`](crate::transaction).

use std::sync::Arc;

use sqlx::postgres::{PgConnectOptions, PgRow};
use sqlx::{ConnectOptions as _, Row as _};

use crate::connections::{CommitConnections, session_options};
use crate::database::{Database, LONG_WAIT_MAX, STATEMENT_TIMEOUT, pool_options};
use crate::error::StoreError;
use crate::sql::admin;
use crate::sql::statement::Failed as _;

/// Where the database is and how much of it to use.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// How to connect: as the application's role.
    pub connect: PgConnectOptions,
    /// Connections for reading and for people's commands.
    pub pool_connections: u32,
    /// Connections that commit; more than there are links on this node are never used.
    pub commit_connections: usize,
}

/// Connections for reading, unless told otherwise.
const POOL_CONNECTIONS: u32 = 10;
/// Connections that commit, unless told otherwise: a busy link keeps one busy, and what several send at once Postgres
/// syncs together.
const COMMIT_CONNECTIONS: usize = 16;

impl StoreOptions {
    /// The usual number of connections.
    pub fn new(connect: PgConnectOptions) -> Self {
        Self {
            connect,
            pool_connections: POOL_CONNECTIONS,
            commit_connections: COMMIT_CONNECTIONS,
        }
    }
}

/// The database.
#[derive(Clone)]
pub struct Store {
    pub(crate) inner: Arc<Database>,
}

/// Whether the database itself keeps the journal append-only against the user of this store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enforcement {
    /// This user can only add.
    Enforced,
    /// This user could change or remove what is written.
    NotEnforced {
        /// Why.
        why: NotEnforced,
    },
}

/// Why a user could change the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotEnforced {
    /// It is a superuser.
    Superuser,
    /// It is a member of `meterhouse_owner`.
    Owner,
    /// It is a member of the role that owns the schema: that one may drop whatever is in it.
    SchemaOwner,
    /// Somebody granted it more than the migrations do.
    Granted {
        /// On this table, perhaps on others.
        table: String,
    },
}

impl Store {
    /// Connects.
    ///
    /// # Errors
    /// [`StoreError::Connect`].
    pub async fn connect(options: StoreOptions) -> Result<Self, StoreError> {
        let commits = CommitConnections::new(&options.connect, options.commit_connections);
        let session = session_options(&options.connect, STATEMENT_TIMEOUT);
        let pool = pool_options(options.pool_connections)
            .connect_with(session.disable_statement_logging())
            .await
            .map_err(|source| StoreError::Connect { source })?;
        let inner = Database {
            pool,
            commits,
            connect: options.connect,
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// Closes the pool and the idle connections that commit; what runs is waited for.
    pub async fn close(&self) {
        self.inner.commits.forget_idle();
        self.inner.pool.close().await;
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// If it doesn't.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let ping = sqlx::query(admin::PING.sql);
        self.inner.rows(admin::PING, ping).await.map(drop)
    }

    /// Whether the current user could write the journal.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn enforcement(&self) -> Result<Enforcement, StoreError> {
        let failed = || admin::ENFORCEMENT.failed();
        let query = sqlx::query(admin::ENFORCEMENT.sql);
        let row = self.inner.row(admin::ENFORCEMENT, query).await?;
        let row = row.ok_or(sqlx::Error::RowNotFound).map_err(failed())?;
        let is_superuser: bool = row.try_get("is_superuser").map_err(failed())?;
        let is_owner: bool = row.try_get("is_owner").map_err(failed())?;
        // Nothing where there is no such schema.
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

    /// The periods that have a partition, in order.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn periods(&self) -> Result<Vec<i32>, StoreError> {
        let query = sqlx::query(admin::PERIODS.sql);
        let rows = self.inner.rows(admin::PERIODS, query).await?;
        let period = |row: PgRow| row.try_get("period").of(admin::PERIODS);
        rows.into_iter().map(period).collect()
    }

    /// Makes the partitions of `count` periods from `first` on that are missing; answers how many
    /// were made.
    ///
    /// # Errors
    /// If the database refuses: periods outside the years 2000 to 2999, more than 120 at once.
    pub async fn make_periods(&self, first: i32, count: i32) -> Result<i32, StoreError> {
        let statement = admin::MAKE_PERIODS;
        let query = sqlx::query(statement.sql).bind(first).bind(count);
        let rows = self.inner.rows_within(LONG_WAIT_MAX, statement, query);
        let row = rows.await?.pop().ok_or(sqlx::Error::RowNotFound);
        row.and_then(|it| it.try_get("made")).of(statement)
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Store")
            .field("pool", &self.inner.pool)
            .finish_non_exhaustive()
    }
}
