//! Reaching a Postgres for the first time: one attempt, and a reason that people can act on.

use std::io::ErrorKind;
use std::time::Duration;

use sqlx::Connection as _;
use sqlx::postgres::PgConnectOptions;

use crate::connections::{connect, late};
use crate::error::StoreError;

/// How long the first attempt may take.
const REACH_WAIT_MAX: Duration = Duration::from_secs(5);

/// Why a Postgres can't be used.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Unreachable {
    /// No server listens there.
    Refused,
    /// The host's name has no address.
    UnknownHost,
    /// No answer came in time.
    Silent,
    /// The server has no such database.
    NoDatabase,
    /// The server doesn't let this user in: unknown, or with another password.
    NotLetIn,
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
        let source = late("connecting", REACH_WAIT_MAX);
        Err(StoreError::Connect { source })
    })?;
    // Whatever the goodbye meets, the server was there.
    drop(connection.close().await);
    Ok(())
}

impl StoreError {
    /// Returns why no connection was made; nothing for another error.
    pub fn unreachable(&self) -> Option<Unreachable> {
        let Self::Connect { source } = self else {
            return None;
        };
        Some(match source {
            sqlx::Error::Io(error) => match error.kind() {
                // A socket's file that isn't there is a server that isn't there.
                ErrorKind::ConnectionRefused | ErrorKind::NotFound => Unreachable::Refused,
                ErrorKind::TimedOut => Unreachable::Silent,
                _ if error.to_string().contains("lookup address") => Unreachable::UnknownHost,
                _ => Unreachable::Other,
            },
            sqlx::Error::Database(error) => match error.code().as_deref() {
                Some("3D000") => Unreachable::NoDatabase,
                Some("28P01" | "28000") => Unreachable::NotLetIn,
                _ => Unreachable::Other,
            },
            _ => Unreachable::Other,
        })
    }
}
