//! The layout of the data directory.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;

use crate::error::PostgresError;
use crate::files::create_folder;

/// Prefix of a cluster that is being made; a number follows.
pub(crate) const UNFINISHED_PREFIX: &str = "postgres.new-";

const CLUSTER: &str = "postgres";
/// Standard error of Postgres; older lines are in a second file.
const LOG: &str = "postgres.log";
const OLD_LOG: &str = "postgres.log.1";
const RUN: &str = "run";
/// File that is locked by the process that owns the server.
const LOCK: &str = "supervisor.lock";

/// The paths in a data directory, absolute and without links.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) data_dir: PathBuf,
    pub(crate) cluster: PathBuf,
    pub(crate) log: PathBuf,
    pub(crate) run: PathBuf,
    pub(crate) lock: PathBuf,
}

impl Layout {
    /// Returns the layout of an existing data directory.
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

    /// Returns the layout of a data directory that is created if missing.
    pub(crate) fn create(data_dir: &Path) -> Result<Self, PostgresError> {
        if let Some(parent) = data_dir.parent() {
            fs::create_dir_all(parent).map_err(PostgresError::io("create the folder", parent))?;
        }
        // As root, the user that runs Postgres must walk through; the cluster and the socket are closed in any case.
        create_folder(data_dir, if geteuid().is_root() { 0o755 } else { 0o700 })?;
        Self::find(data_dir)
    }

    /// Checks if a file or folder of a data directory may have this name.
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
