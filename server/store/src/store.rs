//! The store: a pool for reading and for people's commands, and beside it the connections that
//! commit.
//!
//! # Shape
//! Cheap to clone. A method is one statement, or a few that only read where a page needs them, or one
//! transaction in [`transaction`](crate::transaction).
//!
//! # What bounds it
//! [`POOL_WAIT_MAX`] for a connection of the pool; for the answer of a statement on it [`STATEMENT_TIMEOUT`] in the
//! server and [`READ_WAIT_MAX`] or [`LONG_WAIT_MAX`] on our side, which also ends where the network is silent. Whatever
//! uses the pool goes through [`Inner::rows`] or [`Inner::run`], or is [`limited`] and then [`keep_unless_silent`].
//!
//! # What order or lock holds
//! With sqlx 0.9.0 a `begin()` that is dropped while `BEGIN` is on its way leaves the pooled
//! connection inside a transaction, and the next caller's acknowledged insert is lost (sqlx issue
//! 4385, fix in pull request 4394). So every connection is rolled back when it returns to the pool;
//! a test shows whether that can go.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::name::LinkId;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgPool, PgPoolOptions, PgRow, Postgres};
use sqlx::query::Query;
use sqlx::{ConnectOptions as _, Executor as _, Row as _};
use tokio::time::timeout;

use crate::connections::{CommitConnections, late, session_options};
use crate::error::StoreError;
use crate::pg_journal::PgJournal;
use crate::sql::commit::ROLLBACK;
use crate::sql::{Statement, admin};

/// How long a caller waits for a connection of the pool.
pub const POOL_WAIT_MAX: Duration = Duration::from_secs(5);
/// How long a statement of the pool may run, as Postgres reads it.
const STATEMENT_TIMEOUT: &str = "30s";
/// How long work on a connection of the pool, or one that commits, is waited for on our side.
pub(crate) const READ_WAIT_MAX: Duration = Duration::from_secs(10);
/// The same for what may run for as long as the server lets it: sums of a stretch, pages that look for few among many
/// events, making partitions, transactions. Longer than [`STATEMENT_TIMEOUT`], so that the server's own answer is heard.
pub(crate) const LONG_WAIT_MAX: Duration = Duration::from_secs(35);
/// How long a connection of the pool may lie idle.
const IDLE_MAX: Duration = Duration::from_mins(5);

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
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) pool: PgPool,
    pub(crate) commits: CommitConnections,
    pub(crate) connect: PgConnectOptions,
}

/// A statement with its arguments, which are encoded when they are bound.
pub(crate) type Bound<'q> = Query<'q, Postgres, PgArguments>;

impl Inner {
    /// A connection of the pool, for work that is [`limited`]; it goes back by [`keep_unless_silent`].
    pub(crate) async fn reader(&self) -> Result<PoolConnection<Postgres>, StoreError> {
        self.pool
            .acquire()
            .await
            .map_err(|source| StoreError::Connect { source })
    }

    /// What one statement answers, within [`READ_WAIT_MAX`].
    pub(crate) async fn rows(
        &self,
        statement: Statement,
        query: Bound<'static>,
    ) -> Result<Vec<PgRow>, StoreError> {
        self.rows_within(READ_WAIT_MAX, statement, query).await
    }

    /// The one row, if any, that a statement answers.
    pub(crate) async fn row(
        &self,
        statement: Statement,
        query: Bound<'static>,
    ) -> Result<Option<PgRow>, StoreError> {
        Ok(self.rows(statement, query).await?.pop())
    }

    /// What one statement answers, within a time of its own.
    pub(crate) async fn rows_within(
        &self,
        limit: Duration,
        statement: Statement,
        query: Bound<'static>,
    ) -> Result<Vec<PgRow>, StoreError> {
        let mut connection = self.reader().await?;
        let asked = async { query.fetch_all(&mut *connection).await.of(statement) };
        let asked = limited(statement.name, limit, asked).await;
        keep_unless_silent(asked, connection)
    }

    /// How many rows one statement wrote, within [`READ_WAIT_MAX`].
    pub(crate) async fn run(
        &self,
        statement: Statement,
        query: Bound<'static>,
    ) -> Result<u64, StoreError> {
        let mut connection = self.reader().await?;
        let asked = async { query.execute(&mut *connection).await.of(statement) };
        let asked = limited(statement.name, READ_WAIT_MAX, asked).await;
        let done = keep_unless_silent(asked, connection)?;
        Ok(done.rows_affected())
    }
}

/// Work on a connection, given up after `limit`.
pub(crate) async fn limited<T>(
    what: &'static str,
    limit: Duration,
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    timeout(limit, work)
        .await
        .unwrap_or(Err(StoreError::TooSlow { what, limit }))
}

/// Returns the connection to the pool, unless it gave no answer: the pool would wait for it.
pub(crate) fn keep_unless_silent<T>(
    done: Result<T, StoreError>,
    connection: PoolConnection<Postgres>,
) -> Result<T, StoreError> {
    if matches!(done, Err(StoreError::TooSlow { .. })) {
        drop(connection.detach());
    }
    done
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
        let inner = Inner {
            pool,
            commits,
            connect: options.connect,
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// The journal of one link, for its committer.
    pub fn journal(&self, link: LinkId) -> PgJournal {
        PgJournal::new(Arc::clone(&self.inner), link)
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

/// What a statement could not do, whichever it was.
pub(crate) trait Failed<T> {
    /// Names the statement.
    fn of(self, statement: Statement) -> Result<T, StoreError>;
}

impl<T> Failed<T> for Result<T, sqlx::Error> {
    fn of(self, statement: Statement) -> Result<T, StoreError> {
        self.map_err(statement.failed())
    }
}

fn pool_options(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(connections.max(1))
        .acquire_timeout(POOL_WAIT_MAX)
        .idle_timeout(IDLE_MAX)
        .after_release(|connection, _| {
            Box::pin(async move {
                // Ends the transaction that a cancelled caller may have left open (sqlx issue
                // 4385). Behind a statement that still runs it waits for that one; an error closes
                // the connection, which would otherwise keep its place in the pool for ever.
                let ended = connection.execute(sqlx::raw_sql(ROLLBACK.sql));
                let ended = timeout(READ_WAIT_MAX, ended).await;
                ended.unwrap_or_else(|_| Err(late("a rollback", READ_WAIT_MAX)))?;
                Ok(true)
            })
        })
}
