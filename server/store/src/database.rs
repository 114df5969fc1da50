//! The connections to the database: a pool for reading and for people's commands, and the connections that commit.
//!
//! # What bounds it
//! [`POOL_WAIT_MAX`] for a connection of the pool; for the answer of a statement on it [`STATEMENT_TIMEOUT`] in the
//! server and [`READ_WAIT_MAX`] or [`LONG_WAIT_MAX`] on our side, which also ends where the network is silent. Whatever
//! uses the pool goes through [`Database::rows`] or [`Database::run`], or is [`limited`] and then
//! [`keep_unless_silent`].
//!
//! # What order or lock holds
//! With sqlx 0.9.0 a `begin()` that is dropped while `BEGIN` is on its way leaves the pooled
//! connection inside a transaction, and the next caller's acknowledged insert is lost (sqlx issue
//! 4385, fix in pull request 4394). So every connection is rolled back when it returns to the pool;
//! a test shows whether that can go.

use std::time::Duration;

use sqlx::Executor as _;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgPool, PgPoolOptions, PgRow, Postgres};
use sqlx::query::Query;
use tokio::time::timeout;

use crate::connections::{CommitConnections, late};
use crate::error::StoreError;
use crate::sql::commit::ROLLBACK;
use crate::sql::statement::{Failed as _, Statement};

/// How long a caller waits for a connection of the pool.
pub const POOL_WAIT_MAX: Duration = Duration::from_secs(5);
/// How long a statement of the pool may run, as Postgres reads it.
pub(crate) const STATEMENT_TIMEOUT: &str = "30s";
/// How long work on a connection of the pool, or one that commits, is waited for on our side.
pub(crate) const READ_WAIT_MAX: Duration = Duration::from_secs(10);
/// The same for what may run for as long as the server lets it: sums of a stretch, pages that look for few among many
/// events, making partitions, transactions. Longer than [`STATEMENT_TIMEOUT`], so that the server's own answer is heard.
pub(crate) const LONG_WAIT_MAX: Duration = Duration::from_secs(35);
/// How long a connection of the pool may lie idle.
const IDLE_MAX: Duration = Duration::from_mins(5);

/// The connections of a store.
pub(crate) struct Database {
    pub(crate) pool: PgPool,
    pub(crate) commits: CommitConnections,
    pub(crate) connect: PgConnectOptions,
}

/// A statement with its arguments, which are encoded when they are bound.
pub(crate) type Bound<'q> = Query<'q, Postgres, PgArguments>;

impl Database {
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

/// Returns the options of the pool, which rolls back whatever its connections left open.
pub(crate) fn pool_options(connections: u32) -> PgPoolOptions {
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
