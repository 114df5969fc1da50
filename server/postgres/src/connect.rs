//! Connections to the server: making them, waiting for readiness, and checking that the right server with safe
//! settings answers.
//!
//! # Bounds
//! One attempt by [`CONNECT_WAIT`]; a silent server by [`READY_WAIT`]; a recovering server by [`RECOVERY_WAIT`],
//! because killing a recovery only makes the next one start over.

use std::path::Path;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgSslMode};
use sqlx::{Connection as _, Row as _};
use tokio::time::{Instant, sleep, timeout};

use crate::error::PostgresError;
use crate::files::is_same;
use crate::settings::ASSERTED;
use crate::socket::{PORT, SUPERUSER};

/// Time limit for a server that doesn't answer after its start; normally it listens within 0.05 s.
pub(crate) const READY_WAIT: Duration = Duration::from_mins(1);
/// Time limit for a recovery after a crash: it reads at most `max_wal_size` (4 GiB), slowest disks included.
pub(crate) const RECOVERY_WAIT: Duration = Duration::from_mins(15);
/// Time limit for one attempt to connect, or one query.
const CONNECT_WAIT: Duration = Duration::from_secs(5);
/// Interval between attempts to connect.
const CONNECT_POLL: Duration = Duration::from_millis(10);

/// SQLSTATE `cannot_connect_now`: starting, recovering or shutting down.
const CANNOT_CONNECT_NOW: &str = "57P03";

/// The result of waiting for the server.
#[derive(Debug)]
pub(crate) enum Readiness {
    /// The server takes connections, such as this one.
    Ready(Box<PgConnection>),
    /// The process has ended.
    Ended,
    /// The server is shutting down.
    ShuttingDown,
    /// The server didn't answer, or was recovering for too long.
    Silent {
        /// Time that the server was given.
        limit: Duration,
    },
}

/// Returns the options for the superuser on the socket in `socket_dir`; `PGHOST`, `PGUSER` and the like have no
/// effect.
pub(crate) fn connect_options(socket_dir: &Path) -> PgConnectOptions {
    PgConnectOptions::new_without_pgpass()
        .socket(socket_dir)
        .port(PORT)
        .username(SUPERUSER)
        .database("postgres")
        .ssl_mode(PgSslMode::Disable)
        .application_name("meterhouse")
}

/// Refuses `PGOPTIONS`, the one variable that can't be overridden: the driver appends to it.
pub(crate) fn refuse_session_options() -> Result<(), PostgresError> {
    let options = PgConnectOptions::new_without_pgpass();
    if options
        .get_options()
        .is_some_and(|text| !text.trim().is_empty())
    {
        return Err(PostgresError::SessionOptions);
    }
    Ok(())
}

/// Makes one attempt to connect.
pub(crate) async fn connect(socket_dir: &Path) -> Result<PgConnection, sqlx::Error> {
    let options = connect_options(socket_dir);
    timeout(CONNECT_WAIT, PgConnection::connect_with(&options))
        .await
        .unwrap_or(Err(sqlx::Error::PoolTimedOut))
}

/// Tries until the server takes a connection, ends, or has used up its time.
pub(crate) async fn wait_until_ready(
    socket_dir: &Path,
    is_running: impl Fn() -> bool,
) -> Result<Readiness, PostgresError> {
    let start = Instant::now();
    let mut limit = READY_WAIT;
    loop {
        // Checked before the attempt: a server that ends during the attempt is noticed in the next round.
        let was_running = is_running();
        match connect(socket_dir).await {
            Ok(connection) => return Ok(Readiness::Ready(Box::new(connection))),
            Err(_) if !was_running => return Ok(Readiness::Ended),
            Err(sqlx::Error::Database(refusal)) => {
                let must_wait = refusal
                    .code()
                    .is_some_and(|code| code == CANNOT_CONNECT_NOW);
                if must_wait && refusal.message().contains("shutting down") {
                    return Ok(Readiness::ShuttingDown);
                }
                if !must_wait {
                    let source = sqlx::Error::Database(refusal);
                    return Err(PostgresError::Connect {
                        socket_dir: socket_dir.into(),
                        source,
                    });
                }
                if limit == READY_WAIT {
                    tracing::info!("Postgres is starting up, perhaps recovering what a crash left");
                    limit = RECOVERY_WAIT;
                }
            }
            // No socket yet, no listener yet, or the connection was cut off.
            Err(_) => {}
        }
        if start.elapsed() >= limit {
            return Ok(Readiness::Silent { limit });
        }
        sleep(CONNECT_POLL).await;
    }
}

/// Checks that this is the server of `cluster` and that acknowledged commits are on its disk.
pub(crate) async fn verify(
    mut connection: PgConnection,
    socket_dir: &Path,
    cluster: &Path,
) -> Result<(), PostgresError> {
    let failed = |source| PostgresError::Connect {
        socket_dir: socket_dir.into(),
        source,
    };
    let question =
        sqlx::query("SELECT name, setting FROM pg_catalog.pg_settings").fetch_all(&mut connection);
    let rows = timeout(CONNECT_WAIT, question)
        .await
        .unwrap_or(Err(sqlx::Error::PoolTimedOut))
        .map_err(failed)?;
    // Closing is optional: the answers have arrived.
    let _ = timeout(CONNECT_WAIT, connection.close()).await;
    let mut settings = std::collections::HashMap::<String, String>::new();
    for row in rows {
        let name = row.try_get("name").map_err(failed)?;
        let value: Option<String> = row.try_get("setting").map_err(failed)?;
        settings.insert(name, value.unwrap_or_default());
    }
    let value_of = |name: &str| settings.get(name).cloned().unwrap_or_default();
    for name in ASSERTED {
        let value = value_of(name);
        if value != "on" {
            return Err(PostgresError::Unsafe {
                name,
                value,
                needed: "on",
            });
        }
    }
    let served = value_of("data_directory");
    if is_same(Path::new(&served), cluster).unwrap_or(false) {
        return Ok(());
    }
    Err(PostgresError::Unsafe {
        name: "data_directory",
        value: served,
        needed: "the cluster of this data directory",
    })
}
