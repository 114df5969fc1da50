//! The connections that commit: a named number, outside the pool, shared fairly by all links of the
//! process.
//!
//! # Shape
//! A permit a connection, given out first come first served; idle connections lie on a stack. Each
//! has asserted that what it acknowledges is on disk, not longer than [`ASSERTED_MAX`] ago.
//!
//! # What bounds it
//! [`TURN_WAIT_MAX`] for a permit, [`CONNECT_WAIT_MAX`] for a new connection, [`ASSERTED_MAX`] for
//! its life. The commit statement itself has no time limit in the server: a commit that waits for a
//! standby must never be cancelled. Its client gives up waiting after
//! [`COMMIT_WAIT_MAX`](crate::pg_journal::COMMIT_WAIT_MAX), and then the outcome is unknown.
//!
//! # What order or lock holds
//! A [`Lease`] that is dropped drops its connection: whoever was cancelled in the middle of a
//! statement can't leave it, or an open transaction, to the next one. Only [`Lease::give_back`]
//! returns it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::Row as _;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use crate::error::StoreError;
use crate::sql::admin;

/// How long a link waits for its turn on a connection.
const TURN_WAIT_MAX: Duration = Duration::from_secs(10);
/// How long making a connection may take, its checks included.
pub(crate) const CONNECT_WAIT_MAX: Duration = Duration::from_secs(5);
/// How long a connection commits on what it asserted when it was made: a server's settings may
/// change while it runs.
const ASSERTED_MAX: Duration = Duration::from_mins(5);
/// How long a statement may wait for a lock, as Postgres reads it. Longer than
/// [`IDLE_IN_TRANSACTION`], so that waiters outlive a node that fell asleep with the head locked.
const LOCK_TIMEOUT: &str = "5s";
/// How long an open transaction may sit idle before the server ends it.
const IDLE_IN_TRANSACTION: &str = "3s";
/// The settings of a durable commit, and what each may be.
const DURABLE: [(&str, &[&str], &str); 3] = [
    ("fsync", &["on"], "on"),
    ("full_page_writes", &["on"], "on"),
    // remote_apply waits for the same and more.
    ("synchronous_commit", &["on", "remote_apply"], "on"),
];

/// The set.
pub(crate) struct CommitConnections {
    options: PgConnectOptions,
    turns: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Idle>>>,
}

/// A connection that nobody uses.
struct Idle {
    connection: PgConnection,
    /// When its server's settings were looked at.
    asserted: Instant,
}

/// One connection, ours until given back.
pub(crate) struct Lease {
    pub(crate) connection: PgConnection,
    asserted: Instant,
    idle: Arc<Mutex<Vec<Idle>>>,
    // Freed last: a turn is over when the connection is back.
    _turn: OwnedSemaphorePermit,
}

impl Lease {
    /// Returns the connection to the set. Only for one whose last statement completed, outside a
    /// transaction.
    pub(crate) fn give_back(self) {
        lock(&self.idle).push(Idle {
            connection: self.connection,
            asserted: self.asserted,
        });
    }
}

impl CommitConnections {
    /// A set of `count` connections, made when first needed.
    pub(crate) fn new(options: &PgConnectOptions, count: usize) -> Self {
        Self {
            options: session_options(options, "0"),
            turns: Arc::new(Semaphore::new(count.max(1))),
            idle: Arc::default(),
        }
    }

    /// A connection: an idle one, else a new one.
    pub(crate) async fn take(&self) -> Result<Lease, StoreError> {
        let turn = self.turn().await?;
        let taken = match self.take_idle() {
            Some(idle) => idle,
            None => self.connect().await?,
        };
        Ok(self.lease(taken, turn))
    }

    /// A new connection, whatever lies idle: after a loss the idle ones may lead to a server that
    /// is gone.
    pub(crate) async fn take_new(&self) -> Result<Lease, StoreError> {
        let turn = self.turn().await?;
        let made = self.connect().await?;
        Ok(self.lease(made, turn))
    }

    /// Drops the idle ones.
    pub(crate) fn forget_idle(&self) {
        lock(&self.idle).clear();
    }

    async fn turn(&self) -> Result<OwnedSemaphorePermit, StoreError> {
        let turn = timeout(TURN_WAIT_MAX, Arc::clone(&self.turns).acquire_owned());
        match turn.await {
            Ok(Ok(turn)) => Ok(turn),
            // The semaphore is never closed.
            Ok(Err(_)) | Err(_) => Err(StoreError::Busy {
                limit: TURN_WAIT_MAX,
            }),
        }
    }

    /// The one that was used last; those that asserted too long ago are dropped.
    fn take_idle(&self) -> Option<Idle> {
        let mut idle = lock(&self.idle);
        idle.retain(|it| it.asserted.elapsed() < ASSERTED_MAX);
        idle.pop()
    }

    fn lease(&self, taken: Idle, turn: OwnedSemaphorePermit) -> Lease {
        Lease {
            connection: taken.connection,
            asserted: taken.asserted,
            idle: Arc::clone(&self.idle),
            _turn: turn,
        }
    }

    async fn connect(&self) -> Result<Idle, StoreError> {
        let asserted = Instant::now();
        let made = timeout(CONNECT_WAIT_MAX, connect_durable(&self.options)).await;
        let connection = made.unwrap_or_else(|_| {
            let source = late("a connection that commits", CONNECT_WAIT_MAX);
            Err(StoreError::Connect { source })
        })?;
        Ok(Idle {
            connection,
            asserted,
        })
    }
}

/// What was waited for too long, where the driver's kind of error is asked for.
pub(crate) fn late(what: &str, limit: Duration) -> sqlx::Error {
    let text = format!("{what} was given up after {limit:?}");
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, text))
}

/// Connects, and makes sure that what this connection acknowledges is on disk.
async fn connect_durable(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    let mut connection = connect(options).await?;
    // Not the error of a statement that was to write: nothing was sent yet.
    let failed = |source| StoreError::Connect { source };
    let rows = sqlx::query(admin::SETTINGS.sql)
        .fetch_all(&mut connection)
        .await
        .map_err(failed)?;
    for row in rows {
        let name: String = row.try_get("name").map_err(failed)?;
        let value: String = row.try_get("setting").map_err(failed)?;
        let rule = DURABLE.iter().find(|(known, _, _)| *known == name);
        if let Some((_, accepted, needed)) = rule
            && !accepted.contains(&value.as_str())
        {
            return Err(StoreError::UnsafeSetting {
                name,
                value,
                needed,
            });
        }
    }
    Ok(connection)
}

/// One connection of its own.
pub(crate) async fn connect(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    let options = options.clone().disable_statement_logging();
    PgConnection::connect_with(&options)
        .await
        .map_err(|source| StoreError::Connect { source })
}

/// What every session of ours is told when it begins.
pub(crate) fn session_options(
    options: &PgConnectOptions,
    statement_timeout: &str,
) -> PgConnectOptions {
    options.clone().options([
        ("default_transaction_isolation", "read committed"),
        // The pool's guard rolls back what is not open; the server's warning about it helps nobody.
        ("client_min_messages", "error"),
        ("lock_timeout", LOCK_TIMEOUT),
        ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION),
        ("statement_timeout", statement_timeout),
        // Our statements are short: Postgres took 780 ms to compile one of a stretch that it then ran in one.
        ("jit", "off"),
    ])
}

fn lock(idle: &Mutex<Vec<Idle>>) -> std::sync::MutexGuard<'_, Vec<Idle>> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}
