//! The lock on a data directory: the process that holds the `flock` on `supervisor.lock` owns the server.
//!
//! # Locking
//! The kernel ties the lock to the open file, which it closes with the process, also on SIGKILL. The standard library
//! opens files close-on-exec, so Postgres never inherits the lock. The file is never removed: a lock on a removed
//! file excludes no process.
//!
//! The text in the file (pid, socket directory) is for processes without the lock. It may be old or half written, so
//! it proves nothing.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use nix::unistd::Pid;

use crate::error::PostgresError;
use crate::files::open_kept;

/// The held lock. Dropping it releases the server to other processes.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
}

/// Contents of the file: the last process that took the lock.
#[derive(Debug)]
pub(crate) struct Owner {
    pub(crate) pid: Pid,
    pub(crate) socket_dir: PathBuf,
}

impl Lock {
    /// Takes the lock; `None` if another process (or another server of this one) holds it.
    pub(crate) fn try_take(path: &Path) -> Result<Option<Self>, PostgresError> {
        let file = open_kept(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self {
                file,
                path: path.to_owned(),
            })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(PostgresError::io("lock", path)(source)),
        }
    }

    /// Writes the owner's pid and the server's socket folder into the file.
    pub(crate) fn sign(&mut self, socket_dir: &Path) -> Result<(), PostgresError> {
        let mut text = format!("{}\n", Pid::this()).into_bytes();
        text.extend_from_slice(socket_dir.as_os_str().as_bytes());
        text.push(b'\n');
        self.file
            .set_len(0)
            .and_then(|()| self.file.write_all(&text))
            .map_err(PostgresError::io("write", &self.path))
    }
}

impl Owner {
    /// Returns the last process that took the lock, if the file names one.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let text = fs::read(path).ok()?;
        let mut lines = text.split_inclusive(|byte| *byte == b'\n');
        let pid = str::from_utf8(lines.next()?)
            .ok()?
            .trim_end()
            .parse()
            .ok()?;
        // Without its end the line is still being written.
        let socket_dir = lines.next()?.strip_suffix(b"\n")?;
        Some(Self {
            pid: Pid::from_raw(pid),
            socket_dir: PathBuf::from(OsString::from_vec(socket_dir.to_owned())),
        })
    }
}
