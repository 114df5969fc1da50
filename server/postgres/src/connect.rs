//! Connections to the server: how, when they work, and whether behind them is the right server with
//! safe settings.
//!
//! # What bounds it
//! One attempt by [`CONNECT_WAIT`]; a silent server by [`READY_WAIT`]; one that says it is
//! recovering by [`RECOVERY_WAIT`], because killing a recovery only makes the next one start over.

use std::path::Path;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgSslMode};
use sqlx::{Connection as _, Row as _};
use tokio::time::{Instant, sleep, timeout};

use crate::error::PostgresError;
use crate::files::is_same;
use crate::settings::ASSERTED;
use crate::socket::{PORT, SUPERUSER};

/// How long a server may say nothing after its start: it listens within 0.05 s.
pub(crate) const READY_WAIT: Duration = Duration::from_mins(1);
/// How long a recovery after a crash may take: it reads at most `max_wal_size` (4 GiB), slowest
/// disks included.
pub(crate) const RECOVERY_WAIT: Duration = Duration::from_mins(15);
/// How long one attempt to connect, or one question, may take.
const CONNECT_WAIT: Duration = Duration::from_secs(5);
/// How often a connection is tried.
const CONNECT_POLL: Duration = Duration::from_millis(10);

/// SQLSTATE `cannot_connect_now`: starting, recovering or shutting down.
const CANNOT_CONNECT_NOW: &str = "57P03";

/// How a wait for the server ended.
#[derive(Debug)]
pub(crate) enum Readiness {
    /// It takes connections; this is one.
    Ready(Box<PgConnection>),
    /// The process is gone.
    Ended,
    /// It is on its way out.
    ShuttingDown,
    /// It said nothing, or too long the same.
    Silent {
        /// How long it was given.
        limit: Duration,
    },
}

/// The superuser on the socket in `socket_dir`, whatever `PGHOST`, `PGUSER` and the like say.
pub(crate) fn connect_options(socket_dir: &Path) -> PgConnectOptions {
    PgConnectOptions::new_without_pgpass()
        .socket(socket_dir)
        .port(PORT)
        .username(SUPERUSER)
        .database("postgres")
        .ssl_mode(PgSslMode::Disable)
        .application_name("meterhouse")
}

/// `PGOPTIONS` is the one variable that cannot be overridden: it is appended to.
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

/// One attempt.
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
        // Asked before the attempt: a server that ends during it is noticed in the next round.
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
            // No socket yet, nobody listens yet, or cut off in the middle.
            Err(_) => {}
        }
        if start.elapsed() >= limit {
            return Ok(Readiness::Silent { limit });
        }
        sleep(CONNECT_POLL).await;
    }
}

/// Makes sure that this is the server of `cluster` and that what it acknowledges is on disk.
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
    // A courtesy; the answers are here.
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
