//! A running private server: started, adopted or attached to.
//!
//! # Shape
//! Take the lock, or attach to the lock holder's server. With the lock: check, and make the cluster if there is none.
//! Adopt or stop a server left by an earlier run. Start, wait, and check the settings that keep data safe.
//!
//! # Bounds
//! Attaching by [`ATTACH_WAIT`], the remains of a killed server by [`REMAINS_WAIT`]; the other limits are in their
//! modules.
//!
//! # Order and locking
//! The lock is taken first and released last: the fields and variables of this module are in that
//! order.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

use crate::cluster::{Prepared, prepare, refuse_without_programs};
use crate::command::command;
use crate::connect::{
    Readiness, connect, connect_options, refuse_session_options, verify, wait_until_ready,
};
use crate::error::PostgresError;
use crate::files::{last_words, log_tail, open_log};
use crate::found::Found;
use crate::layout::Layout;
use crate::lock::{Lock, Owner};
use crate::options::Options;
use crate::postmaster::{Postmaster, adopt};
use crate::process::Spawned;
use crate::socket::SUPERUSER;

/// Time limit for the server of another process, which may be just starting.
const ATTACH_WAIT: Duration = Duration::from_secs(10);
/// Time limit for the remains of a killed server: a slow PID 1 keeps zombies for up to 4 s, and backends end when
/// they notice.
pub(crate) const REMAINS_WAIT: Duration = Duration::from_secs(10);
/// Interval at which the lock and another process's server are tried.
const ATTACH_POLL: Duration = Duration::from_millis(50);
/// Interval at which a start is retried while remains block it.
const REMAINS_POLL: Duration = Duration::from_millis(200);

/// Messages of Postgres when another server seems to use its directory.
const IN_THE_WAY: [&str; 2] = [
    "lock file \"postmaster.pid\" already exists",
    "is still in use",
];

/// Relation of this process to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership {
    /// Started by this process, which stops it.
    Owned,
    /// Left behind by an earlier process; this process stops it.
    Adopted,
    /// Owned by another process; never stopped by this one.
    Attached,
}

/// A running private server.
///
/// Dropping it stops an owned or adopted server as well as a drop can, blocking for at most 5 s; use
/// [`stop`](Self::stop).
#[derive(Debug)]
pub struct Server {
    postmaster: Mutex<Arc<Postmaster>>,
    // Dropped after the postmaster, which it protects.
    _lock: Option<Lock>,
    pub(crate) layout: Layout,
    socket_dir: PathBuf,
    /// Values that a restart needs; `None` if this process may not restart the server on the same socket.
    pub(crate) prepared: Option<Arc<Prepared>>,
    /// Offset in bytes at which the log's part about this handle begins.
    pub(crate) log_from: u64,
}

impl Server {
    /// Starts the server of a data directory, adopts one that a killed process left, or attaches to the server of a
    /// living process.
    ///
    /// # Errors
    /// If there is no usable Postgres, or it can't run safely on this directory. Each message names the remedy.
    pub async fn start(options: &Options) -> Result<Self, PostgresError> {
        refuse_session_options()?;
        refuse_without_programs(options)?;
        let layout = Layout::create(&options.data_dir)?;
        let deadline = Instant::now() + ATTACH_WAIT;
        loop {
            if let Some(lock) = Lock::try_take(&layout.lock)? {
                return own(options, layout, lock).await;
            }
            if let Some(server) = try_attach(&layout).await? {
                return Ok(server);
            }
            wait_for_owner(&layout, deadline).await?;
        }
    }

    /// Attaches to the running server of another process; starts nothing, changes nothing.
    ///
    /// # Errors
    /// If no process owns a server there, or the server doesn't answer.
    pub async fn attach(data_dir: &Path) -> Result<Self, PostgresError> {
        refuse_session_options()?;
        let not_running = || PostgresError::NotRunning {
            data_dir: data_dir.to_owned(),
        };
        let layout = Layout::find(data_dir).map_err(|_| not_running())?;
        let deadline = Instant::now() + ATTACH_WAIT;
        loop {
            if !layout.lock.exists() || Lock::try_take(&layout.lock)?.is_some() {
                return Err(not_running());
            }
            if let Some(server) = try_attach(&layout).await? {
                return Ok(server);
            }
            wait_for_owner(&layout, deadline).await?;
        }
    }

    /// Returns the folder of the socket.
    pub fn socket_dir(&self) -> &Path {
        &self.socket_dir
    }

    /// Returns the data directory.
    pub fn data_dir(&self) -> &Path {
        &self.layout.data_dir
    }

    /// Returns the file with the server's standard error.
    pub fn log(&self) -> &Path {
        &self.layout.log
    }

    /// Returns the folder of the cluster.
    pub fn cluster(&self) -> &Path {
        &self.layout.cluster
    }

    /// Returns the postmaster's process id.
    pub fn pid(&self) -> i32 {
        self.postmaster().pid().as_raw()
    }

    /// Returns the superuser's name.
    pub fn superuser(&self) -> &'static str {
        SUPERUSER
    }

    /// Returns the options to connect as superuser to the database `postgres`; the caller changes user and database.
    pub fn connect_options(&self) -> PgConnectOptions {
        connect_options(&self.socket_dir)
    }

    /// Returns the relation of this process to the server.
    pub fn role(&self) -> Ownership {
        match *self.postmaster() {
            Postmaster::Spawned(_) => Ownership::Owned,
            Postmaster::Adopted(_) => Ownership::Adopted,
            Postmaster::Attached(_) => Ownership::Attached,
        }
    }

    /// Checks if the server's process lives.
    pub fn is_running(&self) -> bool {
        self.postmaster().is_running()
    }

    /// Waits until the server's process has ended by itself, and returns an error with the last line of its log.
    /// Meant for a `select!` with the work that needs the server.
    pub async fn died(&self) -> PostgresError {
        self.postmaster().ended().await;
        PostgresError::Died {
            last_words: last_words(&log_tail(&self.layout.log, self.log_from)),
            log: self.layout.log.clone(),
        }
    }

    /// Stops an owned or adopted server in order and waits for its end. An attached server is left alone.
    ///
    /// # Errors
    /// If the process does not end within 40 s.
    pub async fn stop(self) -> Result<(), PostgresError> {
        self.postmaster().stop().await?;
        if self.role() != Ownership::Attached && self.socket_dir != self.layout.run {
            // A short socket folder under /tmp; the next start makes it again.
            let _ = std::fs::remove_dir(&self.socket_dir);
        }
        Ok(())
    }

    /// Locks the postmaster. No code awaits or can panic half way while holding the lock.
    fn lock(&self) -> MutexGuard<'_, Arc<Postmaster>> {
        self.postmaster
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn postmaster(&self) -> Arc<Postmaster> {
        Arc::clone(&self.lock())
    }

    /// Replaces a postmaster that has ended by the next one.
    pub(crate) fn replace(&self, next: Arc<Postmaster>) {
        *self.lock() = next;
    }

    /// Returns the server; restartable if it listens at the assigned place.
    fn with(mut self, prepared: Prepared) -> Self {
        self.prepared = (prepared.socket_dir == self.socket_dir).then(|| Arc::new(prepared));
        self
    }

    fn new(
        postmaster: Postmaster,
        lock: Option<Lock>,
        layout: Layout,
        socket_dir: PathBuf,
    ) -> Self {
        let log_from = std::fs::metadata(&layout.log).map_or(0, |meta| meta.len());
        Self {
            postmaster: Mutex::new(Arc::new(postmaster)),
            prepared: None,
            _lock: lock,
            layout,
            socket_dir,
            log_from,
        }
    }
}

/// Waits for another process; fails at the deadline.
async fn wait_for_owner(layout: &Layout, deadline: Instant) -> Result<(), PostgresError> {
    if Instant::now() < deadline {
        sleep(ATTACH_POLL).await;
        return Ok(());
    }
    let owner = Owner::read(&layout.lock);
    Err(PostgresError::Busy {
        lock: layout.lock.clone(),
        owner: owner.map_or_else(|| "unknown".to_owned(), |owner| owner.pid.to_string()),
        limit_seconds: ATTACH_WAIT.as_secs(),
    })
}

/// Makes one attempt to attach; `None` if the other server is starting or gone.
async fn try_attach(layout: &Layout) -> Result<Option<Server>, PostgresError> {
    let Some(Owner {
        socket_dir,
        pid: owner,
    }) = Owner::read(&layout.lock)
    else {
        return Ok(None);
    };
    let Ok(connection) = connect(&socket_dir).await else {
        return Ok(None);
    };
    match verify(connection, &socket_dir, &layout.cluster).await {
        // The connection was cut off: the owner is stopping the server.
        Err(PostgresError::Connect { .. }) => return Ok(None),
        verified => verified?,
    }
    let Some(found) = Found::read(&layout.cluster)? else {
        return Ok(None);
    };
    tracing::info!(pid = %found.pid, %owner, "attached to the Postgres of another process");
    Ok(Some(Server::new(
        Postmaster::Attached(found),
        None,
        layout.clone(),
        socket_dir,
    )))
}

/// Makes every step that needs the lock.
async fn own(options: &Options, layout: Layout, lock: Lock) -> Result<Server, PostgresError> {
    let last_owner = Owner::read(&layout.lock).map(|owner| owner.pid);
    // The lock moves along: a cancelled start keeps it until the disk is at rest.
    let (prepared, mut lock) = {
        let (options, layout) = (options.clone(), layout.clone());
        spawn_blocking(move || Ok((prepare(&options, &layout)?, lock)))
            .await
            .map_err(|_| PostgresError::Internal)??
    };
    if let Some(found) = Found::read(&layout.cluster)?
        && let Some(postmaster) = adopt(found, last_owner).await?
    {
        let socket_dir = postmaster.socket_dir();
        let socket_dir = socket_dir.unwrap_or_else(|| prepared.socket_dir.clone());
        lock.sign(&socket_dir)?;
        return Ok(Server::new(postmaster, Some(lock), layout, socket_dir).with(prepared));
    }
    lock.sign(&prepared.socket_dir)?;
    let postmaster = start(&layout, &prepared).await?;
    let socket_dir = prepared.socket_dir.clone();
    Ok(Server::new(postmaster, Some(lock), layout, socket_dir).with(prepared))
}

/// Starts the server, again if the remains of a killed one block it.
pub(crate) async fn start(
    layout: &Layout,
    prepared: &Prepared,
) -> Result<Postmaster, PostgresError> {
    let deadline = Instant::now() + REMAINS_WAIT;
    loop {
        let (log, mark) = open_log(&layout.log)?;
        prepared.account.give(&layout.log)?;
        let mut postgres = command(&prepared.binaries.postgres(), &prepared.account);
        postgres.args(&prepared.arguments).stderr(log);
        let spawned = Spawned::start(postgres, &prepared.account.name).await?;
        let postmaster = Postmaster::Spawned(spawned);
        match wait_until_ready(&prepared.socket_dir, || postmaster.is_running()).await? {
            Readiness::Ready(connection) => {
                verify(*connection, &prepared.socket_dir, &layout.cluster).await?;
                let socket = &prepared.socket_dir;
                tracing::info!(pid = %postmaster.pid(), ?socket, "Postgres is ready");
                return Ok(postmaster);
            }
            Readiness::Silent { limit } => {
                postmaster.stop().await?;
                let limit_seconds = limit.as_secs();
                return Err(PostgresError::NotReady {
                    limit_seconds,
                    log: layout.log.clone(),
                });
            }
            Readiness::ShuttingDown | Readiness::Ended => postmaster.stop().await?,
        }
        let tail = log_tail(&layout.log, mark);
        let last_words = last_words(&tail);
        if !IN_THE_WAY.iter().any(|words| tail.contains(words)) {
            return Err(PostgresError::EndedAtStart {
                last_words,
                log: layout.log.clone(),
            });
        }
        if Instant::now() >= deadline {
            return Err(PostgresError::CannotTakeOver {
                cluster: layout.cluster.clone(),
                last_words,
            });
        }
        tracing::info!(
            last_words,
            "the remains of a killed Postgres are in the way, trying again"
        );
        sleep(REMAINS_POLL).await;
    }
}
