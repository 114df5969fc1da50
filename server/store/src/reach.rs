//! The first contact with a Postgres: one attempt, and a reason that people can act on.

use std::time::Duration;

use sqlx::Connection as _;
use sqlx::postgres::PgConnectOptions;

use crate::error::StoreError;
use crate::primary::Primary;
use crate::servers::Servers;
use crate::session::timed_out;

/// Longest time of the first attempt.
const REACH_WAIT_MAX: Duration = Duration::from_secs(5);

/// Distance of two major versions in Postgres' number of a version: 15.3 is 150003.
const MAJOR: u32 = 10_000;
/// Oldest major version of Postgres that the statements of this crate run on.
const VERSION_LEAST: u32 = 15;

/// Connects once and disconnects. Returns the options of the single server, or of the one that
/// takes writes.
///
/// # Errors
/// [`StoreError::Connect`]; [`StoreError::unreachable`] names the reason. With several servers,
/// [`StoreError::NoPrimary`]. [`StoreError::TooOld`] for an old server.
pub async fn reach(servers: &Servers) -> Result<PgConnectOptions, StoreError> {
    let primary = Primary::new(servers);
    let made = tokio::time::timeout(REACH_WAIT_MAX, primary.find("0")).await;
    let found = made.unwrap_or_else(|_| {
        let source = timed_out("connecting", REACH_WAIT_MAX);
        Err(StoreError::Connect { source })
    })?;
    let version = found.connection.server_version_num();
    // An error of the disconnection does not matter, because the server was reached.
    drop(found.connection.close().await);
    match version {
        Some(version) if version / MAJOR < VERSION_LEAST => Err(StoreError::TooOld {
            found: format!("{}.{}", version / MAJOR, version % MAJOR),
            least: VERSION_LEAST,
        }),
        _ => Ok(found.options),
    }
}
