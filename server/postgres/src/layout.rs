//! Where everything lies in the data directory.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;

use crate::error::PostgresError;
use crate::files::create_folder;

/// What a cluster in the making is called, before its number.
pub(crate) const UNFINISHED_PREFIX: &str = "postgres.new-";

/// The folder of the cluster.
const CLUSTER: &str = "postgres";
/// What Postgres writes to standard error, and where older lines are kept.
const LOG: &str = "postgres.log";
const OLD_LOG: &str = "postgres.log.1";
/// The folder of the socket.
const RUN: &str = "run";
/// The file that the process which owns the server holds locked.
const LOCK: &str = "supervisor.lock";

/// Where everything lies in the data directory. The paths are absolute and without links.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) data_dir: PathBuf,
    pub(crate) cluster: PathBuf,
    pub(crate) log: PathBuf,
    pub(crate) run: PathBuf,
    pub(crate) lock: PathBuf,
}

impl Layout {
    /// The layout in an existing data directory.
    pub(crate) fn find(data_dir: &Path) -> Result<Self, PostgresError> {
        let data_dir = fs::canonicalize(data_dir)
            .map_err(PostgresError::io("find the data directory", data_dir))?;
        Ok(Self {
            cluster: data_dir.join(CLUSTER),
            log: data_dir.join(LOG),
            run: data_dir.join(RUN),
            lock: data_dir.join(LOCK),
            data_dir,
        })
    }

    /// The layout in a data directory that is created if missing.
    pub(crate) fn create(data_dir: &Path) -> Result<Self, PostgresError> {
        if let Some(parent) = data_dir.parent() {
            fs::create_dir_all(parent).map_err(PostgresError::io("create the folder", parent))?;
        }
        // As root, the user who runs Postgres must walk through; the cluster and the socket are
        // closed anyway.
        create_folder(data_dir, if geteuid().is_root() { 0o755 } else { 0o700 })?;
        Self::find(data_dir)
    }

    /// Checks if a data directory's file or folder may have this name.
    pub(crate) fn has_name(name: &str) -> bool {
        [CLUSTER, LOG, OLD_LOG, RUN, LOCK].contains(&name) || name.starts_with(UNFINISHED_PREFIX)
    }
}

/// Checks if a data directory holds a cluster; creates nothing.
pub fn has_cluster(data_dir: &Path) -> bool {
    data_dir.join(CLUSTER).join("PG_VERSION").is_file()
}

/// Checks if a process owns the server of a data directory at this moment; creates nothing.
pub fn is_owned(data_dir: &Path) -> bool {
    let lock = File::open(data_dir.join(LOCK));
    lock.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}
