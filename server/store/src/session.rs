//! The session of a connection: its settings, and how it is made outside the pool.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::time::timeout;

use crate::error::StoreError;

/// Longest wait of a statement for a lock, in Postgres' notation. The limit is longer than
/// [`IDLE_IN_TRANSACTION`], so that waiting statements outlive a node that stalls with the head
/// locked.
const LOCK_TIMEOUT: &str = "5s";
/// Longest idle time of an open transaction before the server ends the session.
const IDLE_IN_TRANSACTION: &str = "3s";

/// Returns a timeout as the driver's error type.
pub(crate) fn timed_out(what: &str, limit: Duration) -> sqlx::Error {
    let text = format!("{what} was given up after {limit:?}");
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, text))
}

/// Connects outside the pool.
pub(crate) async fn connect(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    let options = options.clone().disable_statement_logging();
    PgConnection::connect_with(&options)
        .await
        .map_err(|source| StoreError::Connect { source })
}

/// Returns the connection options with the session settings of this crate.
pub(crate) fn session_options(
    options: &PgConnectOptions,
    statement_timeout: &str,
) -> PgConnectOptions {
    options.clone().options([
        ("default_transaction_isolation", "read committed"),
        // The pool rolls back every returned connection, and the server's warning "no transaction
        // in progress" is of no use.
        ("client_min_messages", "error"),
        ("lock_timeout", LOCK_TIMEOUT),
        ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION),
        ("statement_timeout", statement_timeout),
        // The statements are short. Postgres once took 780 ms to compile a statement that then ran
        // in 1 ms.
        ("jit", "off"),
    ])
}

/// Runs work on a connection and gives it up after `limit`.
pub(crate) async fn with_timeout<T>(
    what: &'static str,
    limit: Duration,
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    timeout(limit, work)
        .await
        .unwrap_or(Err(StoreError::TooSlow { what, limit }))
}
