//! The connections to the database: a pool for reading and for people's commands, and the
//! connections that commit.
//!
//! # Shape
//! With several servers, each has a pool, which makes its first connection when it is used. Readers
//! use the pool of the server that takes writes. While it gives no connection, all servers are asked.
//!
//! # Limits
//! - [`POOL_WAIT_MAX`] for a connection of the pool, twice after a change of the server.
//! - [`STATEMENT_TIMEOUT`] for a statement in the server.
//! - [`READ_WAIT_MAX`] or [`LONG_WAIT_MAX`] for a statement on the client's side. The client's
//!   limits also end a wait on a silent network.
//!
//! Every use of the pool goes through [`Database::rows`] or [`Database::run`], or through
//! [`with_timeout`] followed by [`return_unless_timed_out`].
//!
//! # Order and locking
//! In sqlx 0.9.0, a `begin()` that is dropped while `BEGIN` is in flight leaves the pooled
//! connection inside a transaction. The next caller's acknowledged insert is then lost (sqlx issue
//! 4385, fix in pull request 4394). Therefore every connection is rolled back when it returns to
//! the pool. A test shows when the rollback is no longer needed.

use std::sync::Arc;
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgPool, PgPoolOptions, PgRow, Postgres};
use sqlx::{ConnectOptions as _, Executor as _};
use tokio::time::timeout;

use crate::combiner::Combiner;
use crate::connections::CommitConnections;
use crate::error::StoreError;
use crate::primary::Primary;
use crate::session::{session_options, timed_out, with_timeout};
use crate::sql::commit::END_OPEN;
use crate::sql::statement::{Bound, ResultExt as _, Statement};

/// Longest wait of a caller for a connection of the pool.
pub const POOL_WAIT_MAX: Duration = Duration::from_secs(5);
/// Longest run time of a statement of the pool, in Postgres' notation.
pub(crate) const STATEMENT_TIMEOUT: &str = "30s";
/// Longest wait on the client's side for work on a connection.
pub(crate) const READ_WAIT_MAX: Duration = Duration::from_secs(10);
/// Longest wait on the client's side for long work: sums of a range, pages that seek a few among
/// many events, partitions, transactions. The limit is longer than [`STATEMENT_TIMEOUT`], so that
/// the server's own error arrives first.
pub(crate) const LONG_WAIT_MAX: Duration = Duration::from_secs(35);
/// Longest idle time of a connection in the pool.
const IDLE_MAX: Duration = Duration::from_mins(5);

/// The connections of a store.
pub(crate) struct Database {
    /// A pool for each server.
    pub(crate) pools: Vec<PgPool>,
    pub(crate) commits: CommitConnections,
    pub(crate) combiner: Combiner,
    pub(crate) primary: Arc<Primary>,
}

impl Database {
    /// Drops the idle connections that commit.
    pub(crate) fn drop_idle(&self) {
        self.commits.drop_idle();
        self.combiner.drop_idle();
    }

    /// Returns a connection of the pool. The caller uses [`with_timeout`] and
    /// [`return_unless_timed_out`].
    pub(crate) async fn reader(&self) -> Result<PoolConnection<Postgres>, StoreError> {
        let mut changes = self.primary.changes();
        let server = *changes.borrow_and_update();
        let failed = tokio::select! {
            acquired = self.acquire(server) => match acquired {
                Ok(connection) => return Ok(connection),
                Err(error) => error,
            },
            // Another caller found that this server does not take the writes any more.
            _ = changes.changed() => StoreError::Busy { limit: POOL_WAIT_MAX },
            never = self.primary.seek() => match never {},
        };
        let server = self.primary.search(server, failed).await?;
        // Rare, so that it does not make every caller's future larger.
        Box::pin(self.acquire(server)).await
    }

    async fn acquire(&self, server: usize) -> Result<PoolConnection<Postgres>, StoreError> {
        let pool = self.pools.get(server).ok_or(sqlx::Error::PoolClosed);
        let acquired = match pool {
            Ok(pool) => pool.acquire().await,
            Err(error) => Err(error),
        };
        acquired.map_err(|source| StoreError::Connect { source })
    }

    /// Returns the rows of one statement, within [`READ_WAIT_MAX`].
    pub(crate) async fn rows(
        &self,
        statement: Statement,
        query: Bound<'static>,
    ) -> Result<Vec<PgRow>, StoreError> {
        self.rows_within(READ_WAIT_MAX, statement, query).await
    }

    /// Returns the row of a statement that has at most one.
    pub(crate) async fn row(
        &self,
        statement: Statement,
        query: Bound<'static>,
    ) -> Result<Option<PgRow>, StoreError> {
        Ok(self.rows(statement, query).await?.pop())
    }

    /// Returns the rows of one statement, within `limit`.
    pub(crate) async fn rows_within(
        &self,
        limit: Duration,
        statement: Statement,
        query: Bound<'static>,
    ) -> Result<Vec<PgRow>, StoreError> {
        let mut connection = self.reader().await?;
        let asked = async {
            query
                .fetch_all(&mut *connection)
                .await
                .in_statement(statement)
        };
        let asked = with_timeout(statement.name, limit, asked).await;
        return_unless_timed_out(asked, connection)
    }

    /// Runs one statement within [`READ_WAIT_MAX`] and returns the number of rows that it wrote.
    pub(crate) async fn run(
        &self,
        statement: Statement,
        query: Bound<'static>,
    ) -> Result<u64, StoreError> {
        let mut connection = self.reader().await?;
        let asked = async {
            query
                .execute(&mut *connection)
                .await
                .in_statement(statement)
        };
        let asked = with_timeout(statement.name, READ_WAIT_MAX, asked).await;
        let done = return_unless_timed_out(asked, connection)?;
        Ok(done.rows_affected())
    }
}

/// Returns the connection to the pool. A connection whose statement timed out is dropped instead,
/// because the pool would wait for its answer.
pub(crate) fn return_unless_timed_out<T>(
    done: Result<T, StoreError>,
    connection: PoolConnection<Postgres>,
) -> Result<T, StoreError> {
    if matches!(done, Err(StoreError::TooSlow { .. })) {
        drop(connection.detach());
    }
    done
}

/// Returns a pool for each server. The pool of a single server connects immediately.
pub(crate) async fn pools(
    primary: &Arc<Primary>,
    connections: u32,
) -> Result<Vec<PgPool>, StoreError> {
    let session = |server| session_options(server, STATEMENT_TIMEOUT).disable_statement_logging();
    if let [single] = primary.servers() {
        let pool = pool_options(connections)
            .connect_with(session(single))
            .await;
        return Ok(vec![pool.map_err(|source| StoreError::Connect { source })?]);
    }
    let pool =
        |server| checked(pool_options(connections), primary).connect_lazy_with(session(server));
    Ok(primary.servers().iter().map(pool).collect())
}

/// Adds the check that a new connection's server takes writes.
fn checked(options: PgPoolOptions, primary: &Arc<Primary>) -> PgPoolOptions {
    let primary = Arc::clone(primary);
    options.after_connect(move |connection, _| {
        let primary = Arc::clone(&primary);
        Box::pin(async move {
            let checked = timeout(READ_WAIT_MAX, primary.check(connection)).await;
            match checked {
                Ok(Ok(_)) => Ok(()),
                Ok(Err(reason)) => Err(sqlx::Error::Protocol(format!("the server {reason}"))),
                Err(_) => Err(timed_out("the check of a server", READ_WAIT_MAX)),
            }
        })
    })
}

/// Returns the options of the pool, which rolls back every returned connection.
fn pool_options(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(connections.max(1))
        .acquire_timeout(POOL_WAIT_MAX)
        .idle_timeout(IDLE_MAX)
        .after_release(|connection, _| {
            Box::pin(async move {
                // Ends a transaction that a cancelled caller may have left open (sqlx issue 4385).
                // The rollback waits for a statement that still runs. An error, as after a statement that failed
                // in such a transaction, closes the connection, which would otherwise occupy a slot of the pool
                // for ever.
                let ended = connection.execute(sqlx::raw_sql(END_OPEN));
                let ended = timeout(READ_WAIT_MAX, ended).await;
                ended.unwrap_or_else(|_| Err(timed_out("a rollback", READ_WAIT_MAX)))?;
                Ok(true)
            })
        })
}
