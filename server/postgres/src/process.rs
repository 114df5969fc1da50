//! The postmaster as a child: spawned, watched and reaped by a dedicated thread.
//!
//! # Shape
//! The parent-death signal of Linux follows the thread that spawned, not the process: when the thread ends, the child
//! gets the signal immediately. One thread therefore spawns, stays until the child has ended, reaps it and reports
//! the end. The thread belongs to no runtime and ends with the child.
//!
//! # Locking
//! The mutex on the pid: the pid is removed before the child is reaped, and signals are sent under the mutex. No
//! signal can therefore reach another process with a reused pid.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::sync::{oneshot, watch};

use crate::error::PostgresError;

/// Interval at which the child is polled on systems that can't wait without reaping.
#[cfg(not(target_os = "linux"))]
const EXIT_POLL: std::time::Duration = std::time::Duration::from_millis(20);

/// The postmaster as a child. Dropping this does not stop it, see [`Postmaster`](crate::postmaster::Postmaster).
#[derive(Debug)]
pub(crate) struct Spawned {
    pid: Pid,
    unreaped: Arc<Mutex<Option<Pid>>>,
    has_ended: watch::Receiver<bool>,
}

impl Spawned {
    /// Starts the command on a thread of its own. If the caller is gone before the answer, the child is stopped.
    pub(crate) async fn start(command: Command, user: &str) -> Result<Self, PostgresError> {
        let program = command.get_program().into();
        let (answer, started) = oneshot::channel();
        thread::Builder::new()
            .name("postmaster".to_owned())
            .spawn(move || supervise(command, answer))
            .map_err(|_| PostgresError::Internal)?;
        started
            .await
            .map_err(|_| PostgresError::Internal)?
            .map_err(|source| PostgresError::Run {
                program,
                user: user.to_owned(),
                source,
            })
    }

    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }

    pub(crate) fn is_running(&self) -> bool {
        !*self.has_ended.borrow()
    }

    /// Returns when the process has ended and is reaped.
    pub(crate) async fn ended(&self) {
        // An error means that the thread is gone, and with it the child.
        let _ = self.has_ended.clone().wait_for(|ended| *ended).await;
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let unreaped = self.unreaped.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pid) = *unreaped
            && let Err(error) = kill(pid, signal)
        {
            tracing::warn!(%pid, %signal, %error, "could not signal Postgres");
        }
    }
}

fn supervise(mut command: Command, answer: oneshot::Sender<io::Result<Spawned>>) {
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            let _ = answer.send(Err(error));
            return;
        }
    };
    // Process numbers fit: the kernel counts them in an `int`.
    let pid = Pid::from_raw(child.id().cast_signed());
    let unreaped = Arc::new(Mutex::new(Some(pid)));
    let (end, has_ended) = watch::channel(false);
    let spawned = Spawned {
        pid,
        unreaped: Arc::clone(&unreaped),
        has_ended,
    };
    if let Err(Ok(unwanted)) = answer.send(Ok(spawned)) {
        unwanted.signal(Signal::SIGINT);
    }
    match reap(&mut child, &unreaped) {
        Ok(status) => tracing::info!(%pid, %status, "Postgres has ended"),
        Err(error) => tracing::warn!(%pid, %error, "could not learn how Postgres ended"),
    }
    end.send_replace(true);
}

/// Waits for the end, empties `unreaped`, reaps.
#[cfg(target_os = "linux")]
fn reap(child: &mut Child, unreaped: &Mutex<Option<Pid>>) -> io::Result<ExitStatus> {
    use nix::errno::Errno;
    use nix::sys::wait::{Id, WaitPidFlag, waitid};

    let pid = Pid::from_raw(child.id().cast_signed());
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
    while waitid(Id::Pid(pid), flags) == Err(Errno::EINTR) {}
    *unreaped.lock().unwrap_or_else(PoisonError::into_inner) = None;
    child.wait()
}

/// Polls for the end, and empties `unreaped` while it reaps.
#[cfg(not(target_os = "linux"))]
fn reap(child: &mut Child, unreaped: &Mutex<Option<Pid>>) -> io::Result<ExitStatus> {
    loop {
        {
            let mut unreaped = unreaped.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(status) = child.try_wait()? {
                *unreaped = None;
                return Ok(status);
            }
        }
        thread::sleep(EXIT_POLL);
    }
}
