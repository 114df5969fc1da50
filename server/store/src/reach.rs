//! The first contact with a Postgres: one attempt, and a reason that people can act on.

use std::io::ErrorKind;
use std::time::Duration;

use sqlx::Connection as _;
use sqlx::postgres::PgConnectOptions;

use crate::connections::{connect, timed_out};
use crate::error::StoreError;

/// Longest time of the first attempt.
const REACH_WAIT_MAX: Duration = Duration::from_secs(5);

/// A reason why a Postgres can't be used.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Unreachable {
    /// No server listens at the address.
    Refused,
    /// The host's name has no address.
    UnknownHost,
    /// No answer came in time.
    TimedOut,
    /// The server has no such database.
    NoDatabase,
    /// The server refuses this user: unknown, or with another password.
    AccessDenied,
    /// Something else.
    Other,
}

/// Connects once and disconnects.
///
/// # Errors
/// [`StoreError::Connect`]; [`StoreError::unreachable`] names the reason.
pub async fn reach(options: &PgConnectOptions) -> Result<(), StoreError> {
    let made = tokio::time::timeout(REACH_WAIT_MAX, connect(options)).await;
    let connection = made.unwrap_or_else(|_| {
        let source = timed_out("connecting", REACH_WAIT_MAX);
        Err(StoreError::Connect { source })
    })?;
    // An error of the disconnection does not matter, because the server was reached.
    drop(connection.close().await);
    Ok(())
}

impl StoreError {
    /// Returns the reason why no connection was made, or `None` for another error.
    pub fn unreachable(&self) -> Option<Unreachable> {
        let Self::Connect { source } = self else {
            return None;
        };
        Some(match source {
            sqlx::Error::Io(error) => match error.kind() {
                // A missing socket file means that no server runs.
                ErrorKind::ConnectionRefused | ErrorKind::NotFound => Unreachable::Refused,
                ErrorKind::TimedOut => Unreachable::TimedOut,
                _ if error.to_string().contains("lookup address") => Unreachable::UnknownHost,
                _ => Unreachable::Other,
            },
            sqlx::Error::Database(error) => match error.code().as_deref() {
                Some("3D000") => Unreachable::NoDatabase,
                Some("28P01" | "28000") => Unreachable::AccessDenied,
                _ => Unreachable::Other,
            },
            _ => Unreachable::Other,
        })
    }
}
