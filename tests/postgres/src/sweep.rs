//! The folder of this process' private Postgres, and the removal of what dead processes left.
//!
//! # What order holds
//! The folder's name holds the pid. A folder whose process lives is left alone; whatever still runs in the
//! others is stopped by the supervisor, under its lock, before they are removed.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use meterhouse_postgres::{Options, Server};
use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use tempfile::TempDir;

/// Before the pid in a folder's name.
const PREFIX: &str = "meterhouse-tests-";

/// A new folder of this process, which the user that Postgres runs as can walk through.
pub(crate) fn own_folder() -> io::Result<TempDir> {
    let prefix = format!("{PREFIX}{}-", std::process::id());
    let folder = tempfile::Builder::new().prefix(&prefix).tempdir()?;
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
    Ok(folder)
}

/// Removes the folders of dead processes. What can't be removed is left for the next one.
pub(crate) async fn sweep() {
    let Ok(entries) = fs::read_dir(std::env::temp_dir()) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let pid = name
            .to_str()
            .and_then(|name| name.strip_prefix(PREFIX)?.split('-').next()?.parse().ok());
        if pid.is_some_and(|pid| !lives(pid)) {
            stop_left_behind(&entry.path()).await;
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}

/// Stops a server whose process died without ending it.
async fn stop_left_behind(folder: &Path) {
    if !folder.join("postgres/postmaster.pid").exists() {
        return;
    }
    if let Ok(server) = Server::start(&Options::small(folder)).await {
        drop(server.stop().await);
    }
}

/// Checks if a process has this number.
pub fn lives(pid: i32) -> bool {
    // Without a signal only the existence is looked at; another user's process exists as well.
    pid > 0 && kill(Pid::from_raw(pid), None) != Err(Errno::ESRCH)
}
