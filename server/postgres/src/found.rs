//! A postmaster that this process did not start, identified by the cluster's `postmaster.pid`.
//!
//! # Order
//! A pid alone proves nothing: the process must work in the cluster's folder. This is checked again before every
//! signal.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::error::PostgresError;

/// Lines of `postmaster.pid`, counted from 0: the process.
const LINE_PID: usize = 0;
/// The first folder of its sockets; empty if it has none, missing while it starts.
const LINE_SOCKET_DIR: usize = 4;

/// A postmaster that this process did not start.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) pid: Pid,
    /// `None` while it starts, or if it has no socket.
    pub(crate) socket_dir: Option<PathBuf>,
    pub(crate) cluster: PathBuf,
}

impl Found {
    /// Returns the living postmaster of `cluster`, if there is one. A stale file is left to Postgres' own check.
    pub(crate) fn read(cluster: &Path) -> Result<Option<Self>, PostgresError> {
        let path = cluster.join("postmaster.pid");
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(PostgresError::io("read", &path)(error)),
        };
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        // A single-user Postgres (started by `initdb` or by hand) writes its pid negative.
        let pid = lines
            .get(LINE_PID)
            .and_then(|line| line.parse::<i32>().ok())
            .map(i32::abs);
        let Some(pid) = pid.filter(|pid| *pid > 0) else {
            return Ok(None);
        };
        let socket_dir = lines.get(LINE_SOCKET_DIR).filter(|line| !line.is_empty());
        let found = Self {
            pid: Pid::from_raw(pid),
            socket_dir: socket_dir.map(PathBuf::from),
            cluster: cluster.to_owned(),
        };
        Ok(found.is_alive().then_some(found))
    }

    /// Checks if the process lives and works in the cluster. A zombie doesn't live.
    #[cfg(target_os = "linux")]
    pub(crate) fn is_alive(&self) -> bool {
        let process = PathBuf::from(format!("/proc/{}", self.pid));
        match crate::files::is_same(&process.join("cwd"), &self.cluster) {
            Ok(is_same) => is_same,
            // Root without CAP_SYS_PTRACE (containers) may not inspect other users' processes.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                let name = fs::read_to_string(process.join("comm")).unwrap_or_default();
                let is_zombie = status(self.pid).is_none_or(|status| status.is_zombie);
                name.trim_end() == "postgres" && !is_zombie
            }
            Err(_) => false,
        }
    }

    /// Checks if the process lives and the cluster still names it.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn is_alive(&self) -> bool {
        let text = fs::read_to_string(self.cluster.join("postmaster.pid")).unwrap_or_default();
        let pid = text
            .lines()
            .next()
            .and_then(|line| line.trim().parse().ok())
            .map(i32::abs);
        pid == Some(self.pid.as_raw()) && kill(self.pid, None).is_ok()
    }

    /// Checks if `parent` started the process. If that parent is just dying, its death signal is still to come.
    #[cfg(target_os = "linux")]
    pub(crate) fn is_child_of(&self, parent: Pid) -> bool {
        status(self.pid).is_some_and(|status| status.parent == parent)
    }

    /// Returns false: without death signals there is none to wait for.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn is_child_of(&self, _parent: Pid) -> bool {
        false
    }

    /// Sends a signal, if the process still lives.
    pub(crate) fn signal(&self, signal: Signal) {
        if self.is_alive()
            && let Err(error) = kill(self.pid, signal)
        {
            tracing::warn!(pid = %self.pid, %signal, %error, "could not signal Postgres");
        }
    }
}

#[cfg(target_os = "linux")]
struct Status {
    is_zombie: bool,
    parent: Pid,
}

/// Reads the status from `/proc/<pid>/stat`, which every user may read.
#[cfg(target_os = "linux")]
fn status(pid: Pid) -> Option<Status> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before it is in parentheses and may contain any character.
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    Some(Status {
        is_zombie: matches!(state, "Z" | "X"),
        parent: Pid::from_raw(parent),
    })
}

/// Kills the Postgres processes that work in the cluster's folder; returns their number. For a folder whose
/// postmaster has ended.
#[cfg(target_os = "linux")]
pub(crate) fn end_processes_in(cluster: &Path) -> usize {
    let Ok(processes) = fs::read_dir("/proc") else {
        return 0;
    };
    let pids = processes.flatten().filter_map(|process| {
        let pid = process.file_name().to_str()?.parse().ok()?;
        let name = fs::read_to_string(process.path().join("comm")).ok()?;
        let is_there = crate::files::is_same(&process.path().join("cwd"), cluster).unwrap_or(false);
        // An operator's shell in the folder is no backend.
        (is_there && name.trim_end() == "postgres").then_some(Pid::from_raw(pid))
    });
    pids.inspect(|pid| {
        // A process that ends by itself meanwhile counts as killed.
        if kill(*pid, Signal::SIGKILL).is_ok() {
            tracing::info!(%pid, "ended a backend that a dead Postgres left behind");
        }
    })
    .count()
}

/// Returns 0: without a list of processes, Postgres' own check has to suffice.
#[cfg(not(target_os = "linux"))]
pub(crate) fn end_processes_in(_cluster: &Path) -> usize {
    0
}
