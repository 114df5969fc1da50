//! The connections that commit: a fixed number outside the pool, shared fairly by all links of the
//! process.
//!
//! # Shape
//! Each connection needs a permit, and permits are granted in the order of the requests. Idle
//! connections are kept on a stack. Each connection has checked, at most [`ASSERTED_MAX`] ago, that
//! the server writes commits to disk before acknowledging them.
//!
//! # Limits
//! - [`TURN_WAIT_MAX`] for a permit, [`CONNECT_WAIT_MAX`] for a new connection, [`ASSERTED_MAX`]
//!   for a connection's life.
//! - The commit statement has no time limit in the server, because a commit that waits for a
//!   standby must never be cancelled.
//! - The client stops waiting after [`COMMIT_WAIT_MAX`]. The
//!   outcome is then unknown.
//!
//! # Order and locking
//! Dropping a [`Lease`] closes its connection. A caller that is cancelled inside a statement or a
//! transaction therefore leaves nothing behind for the next caller. Only [`Lease::give_back`]
//! returns the connection.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::Row as _;
use sqlx::postgres::PgConnection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use crate::error::StoreError;
use crate::primary::{Found, Primary};
use crate::session::timed_out;
use crate::sql::admin;

/// Longest wait for the outcome of a commit. Afterwards the outcome is unknown and the connection
/// is dropped. The server continues, because a commit that waits for a standby is never cancelled.
pub const COMMIT_WAIT_MAX: Duration = Duration::from_secs(10);
/// Longest wait of a link for its turn on a connection. It is shorter than that of a commit, so that a caller is denied what
/// was not sent before its own wait ends without an outcome.
const TURN_WAIT_MAX: Duration = Duration::from_secs(5);
/// Longest time for making a connection, its checks included.
pub(crate) const CONNECT_WAIT_MAX: Duration = Duration::from_secs(5);
/// Longest time that a connection commits after its settings were checked, because a running
/// server's settings may change.
const ASSERTED_MAX: Duration = Duration::from_mins(5);
/// Settings that a durable commit needs: name, accepted values, recommended value.
const DURABLE: [(&str, &[&str], &str); 3] = [
    ("fsync", &["on"], "on"),
    ("full_page_writes", &["on"], "on"),
    // `remote_apply` includes what `on` waits for.
    ("synchronous_commit", &["on", "remote_apply"], "on"),
];

/// The set of connections that commit.
pub(crate) struct CommitConnections {
    primary: Arc<Primary>,
    turns: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Idle>>>,
}

/// An unused connection.
struct Idle {
    connection: PgConnection,
    /// Index of its server.
    server: usize,
    /// Time of the last check of the server's settings.
    asserted: Instant,
}

/// A connection for exclusive use until it is given back.
pub(crate) struct Lease {
    pub(crate) connection: PgConnection,
    server: usize,
    asserted: Instant,
    idle: Arc<Mutex<Vec<Idle>>>,
    // Freed last: the turn ends when the connection is back.
    _turn: OwnedSemaphorePermit,
}

impl Lease {
    /// Returns the connection to the set. The last statement must have completed, and no
    /// transaction may be open.
    pub(crate) fn give_back(self) {
        lock(&self.idle).push(Idle {
            connection: self.connection,
            server: self.server,
            asserted: self.asserted,
        });
    }
}

impl CommitConnections {
    /// Creates a set of `count` connections, each made when it is first needed.
    pub(crate) fn new(primary: Arc<Primary>, count: usize) -> Self {
        Self {
            primary,
            turns: Arc::new(Semaphore::new(count.max(1))),
            idle: Arc::default(),
        }
    }

    /// Returns an idle connection, or a new one.
    pub(crate) async fn take(&self) -> Result<Lease, StoreError> {
        let turn = self.turn().await?;
        let taken = match self.take_idle() {
            Some(idle) => idle,
            None => self.connect(false).await?,
        };
        Ok(self.lease(taken, turn))
    }

    /// Returns a new connection, even if others are idle: after a loss, idle connections may lead
    /// to a server that is gone. With several servers, the newest primary is searched.
    pub(crate) async fn take_new(&self) -> Result<Lease, StoreError> {
        let turn = self.turn().await?;
        let made = self.connect(true).await?;
        Ok(self.lease(made, turn))
    }

    /// Drops the idle connections.
    pub(crate) fn drop_idle(&self) {
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

    /// Returns the connection that was used last, and drops those whose check is older than
    /// [`ASSERTED_MAX`] or whose server does not take the writes any more.
    fn take_idle(&self) -> Option<Idle> {
        let current = self.primary.current();
        let mut idle = lock(&self.idle);
        idle.retain(|idle| idle.server == current && idle.asserted.elapsed() < ASSERTED_MAX);
        idle.pop()
    }

    fn lease(&self, taken: Idle, turn: OwnedSemaphorePermit) -> Lease {
        Lease {
            connection: taken.connection,
            server: taken.server,
            asserted: taken.asserted,
            idle: Arc::clone(&self.idle),
            _turn: turn,
        }
    }

    async fn connect(&self, is_lost: bool) -> Result<Idle, StoreError> {
        let asserted = Instant::now();
        let made = timeout(CONNECT_WAIT_MAX, connect_durable(&self.primary, is_lost)).await;
        let found = made.unwrap_or_else(|_| {
            let source = timed_out("a connection that commits", CONNECT_WAIT_MAX);
            Err(StoreError::Connect { source })
        })?;
        Ok(Idle {
            connection: found.connection,
            server: found.server,
            asserted,
        })
    }
}

/// Connects and checks that the server writes a commit to disk before acknowledging it.
async fn connect_durable(primary: &Primary, is_lost: bool) -> Result<Found, StoreError> {
    let mut found = if is_lost {
        primary.find("0").await?
    } else {
        primary.connect("0").await?
    };
    // A failure here is a failure to connect, because no statement that writes was sent yet.
    let failed = |source| StoreError::Connect { source };
    let rows = sqlx::query(admin::SETTINGS.sql)
        .fetch_all(&mut found.connection)
        .await
        .map_err(failed)?;
    // Statements that commit are planned once and kept. A plan for few heads would scan the table, even once it has grown.
    let planned = sqlx::raw_sql(admin::PLAN_COMMITS.sql);
    planned
        .execute(&mut found.connection)
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
    Ok(found)
}

/// Gives the connection back if its statement completed, even with a refusal.
pub(crate) fn return_if_usable<T>(
    done: Result<T, StoreError>,
    lease: Lease,
) -> Result<T, StoreError> {
    match &done {
        Ok(_) => lease.give_back(),
        Err(error) if error.leaves_connection_usable() => lease.give_back(),
        Err(_) => drop(lease),
    }
    done
}

fn lock(idle: &Mutex<Vec<Idle>>) -> std::sync::MutexGuard<'_, Vec<Idle>> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}
