//! The running server as one of three kinds: a child, an adopted orphan, or another process's server.
//!
//! # Bounds
//! A stop: [`STOP_WAIT`] for the fast shutdown, then [`QUIT_WAIT`] for the immediate one. An immediate shutdown is a
//! crash to Postgres and loses no acknowledged commit. A drop: [`DROP_WAIT`].
//!
//! # Order
//! Only the holder of the supervisor's lock sends signals; an attached server is never signalled.

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use nix::unistd::Pid;
use tokio::time::sleep;

use crate::connect::{Readiness, verify, wait_until_ready};
use crate::error::PostgresError;
use crate::found::Found;
use crate::process::Spawned;

/// Time limit for a fast shutdown: sessions are cut off, a checkpoint is written.
const STOP_WAIT: Duration = Duration::from_secs(30);
/// Time limit for an immediate shutdown: Postgres itself kills the remaining processes after 5 s.
const QUIT_WAIT: Duration = Duration::from_secs(10);
/// Longest time that dropping a running server may block its thread: a checkpoint of little work.
const DROP_WAIT: Duration = Duration::from_secs(5);
/// Interval at which a process that is no child is polled while it is to end.
const END_POLL: Duration = Duration::from_millis(5);
/// Interval at which a process that is no child is polled while it is to live.
const LIFE_POLL: Duration = Duration::from_millis(200);
/// Time limit for a dying owner to release its child, and for a starting orphan to name its socket.
const SETTLE_WAIT: Duration = Duration::from_secs(10);

/// The running server.
#[derive(Debug)]
pub(crate) enum Postmaster {
    /// A child of this process.
    Spawned(Spawned),
    /// An orphan, adopted under the lock.
    Adopted(Found),
    /// Another process's server; that process holds the lock.
    Attached(Found),
}

impl Postmaster {
    pub(crate) fn pid(&self) -> Pid {
        match self {
            Self::Spawned(spawned) => spawned.pid(),
            Self::Adopted(found) | Self::Attached(found) => found.pid,
        }
    }

    /// Returns the socket's folder: as assigned for a child, as read from its file for the others.
    pub(crate) fn socket_dir(&self) -> Option<PathBuf> {
        match self {
            Self::Spawned(_) => None,
            Self::Adopted(found) | Self::Attached(found) => found.socket_dir.clone(),
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        match self {
            Self::Spawned(spawned) => spawned.is_running(),
            Self::Adopted(found) | Self::Attached(found) => found.is_alive(),
        }
    }

    /// Returns when the server has ended.
    pub(crate) async fn ended(&self) {
        if let Self::Spawned(spawned) = self {
            return spawned.ended().await;
        }
        while self.is_running() {
            sleep(LIFE_POLL).await;
        }
    }

    /// Stops the server, unless another process owns it.
    pub(crate) async fn stop(&self) -> Result<(), PostgresError> {
        if matches!(self, Self::Attached(_)) {
            return Ok(());
        }
        for (signal, limit) in [(Signal::SIGINT, STOP_WAIT), (Signal::SIGQUIT, QUIT_WAIT)] {
            self.signal(signal);
            let deadline = Instant::now() + limit;
            while self.is_running() && Instant::now() < deadline {
                sleep(END_POLL).await;
            }
            if !self.is_running() {
                return Ok(());
            }
            tracing::warn!(pid = %self.pid(), %signal, ?limit, "Postgres did not end");
        }
        Err(PostgresError::StillRunning {
            pid: self.pid().as_raw(),
        })
    }

    fn signal(&self, signal: Signal) {
        match self {
            Self::Spawned(spawned) => spawned.signal(signal),
            Self::Adopted(found) => found.signal(signal),
            Self::Attached(_) => {}
        }
    }
}

/// Cleans up after errors and cancelled starts: requests a fast shutdown and waits a moment.
impl Drop for Postmaster {
    fn drop(&mut self) {
        if matches!(self, Self::Attached(_)) || !self.is_running() {
            return;
        }
        self.signal(Signal::SIGINT);
        let deadline = Instant::now() + DROP_WAIT;
        while self.is_running() && Instant::now() < deadline {
            thread::sleep(END_POLL);
        }
    }
}

/// Decides about an orphan. Adopts it if it works with safe settings; returns `None` if it has ended or was stopped.
pub(crate) async fn adopt(
    found: Found,
    last_owner: Option<Pid>,
) -> Result<Option<Postmaster>, PostgresError> {
    let Some(found) = settle(found, last_owner).await? else {
        return Ok(None);
    };
    let (pid, cluster) = (found.pid, found.cluster.clone());
    let socket_dir = found.socket_dir.clone();
    let orphan = Postmaster::Adopted(found);
    if let Some(socket_dir) = socket_dir {
        match wait_until_ready(&socket_dir, || orphan.is_running()).await? {
            Readiness::Ready(connection) => {
                match verify(*connection, &socket_dir, &cluster).await {
                    Ok(()) => {
                        tracing::info!(%pid, "adopted a Postgres that an earlier run left behind");
                        return Ok(Some(orphan));
                    }
                    Err(error) => {
                        tracing::warn!(%pid, %error, "a left-behind Postgres cannot be used");
                    }
                }
            }
            Readiness::Ended => return Ok(None),
            Readiness::ShuttingDown | Readiness::Silent { .. } => {}
        }
    }
    tracing::info!(%pid, "stopping a Postgres that an earlier run left behind");
    orphan.stop().await?;
    Ok(None)
}

/// Waits until a dying owner has released its child and until the server has written where its socket is.
///
/// The kernel closes a dying process's files, and with them frees the lock, *before* it sends the death signal to its
/// children. A server that still answers in between is about to get that signal.
async fn settle(mut found: Found, last_owner: Option<Pid>) -> Result<Option<Found>, PostgresError> {
    let dying_owner = last_owner.filter(|owner| *owner != Pid::this());
    let deadline = Instant::now() + SETTLE_WAIT;
    loop {
        let is_held = dying_owner.is_some_and(|owner| found.is_child_of(owner));
        if (!is_held && found.socket_dir.is_some()) || Instant::now() >= deadline {
            return Ok(Some(found));
        }
        sleep(END_POLL).await;
        match Found::read(&found.cluster)? {
            Some(again) => found = again,
            None => return Ok(None),
        }
    }
}
