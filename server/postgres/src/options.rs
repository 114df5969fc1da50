//! The caller's choices for its private server. Durability is no choice.

use std::path::PathBuf;

/// Memory of the server's page cache in production, MiB: the meters and the journal's tail fit many times.
const SHARED_BUFFERS_MIB: u32 = 256;
/// Write-ahead log kept for reuse, MiB: a busy hour does not create files anew.
const MIN_WAL_SIZE_MIB: u32 = 1024;
/// Write-ahead log between two checkpoints, MiB: also the most that a crash recovery has to read.
const MAX_WAL_SIZE_MIB: u32 = 4096;

/// Page cache of a small server, MiB: tests run many of them concurrently.
const SMALL_SHARED_BUFFERS_MIB: u32 = 16;
/// Kept log of a small server, MiB: Postgres accepts no less than two segments of 16.
const SMALL_MIN_WAL_SIZE_MIB: u32 = 32;
/// Log between two checkpoints of a small server, MiB.
const SMALL_MAX_WAL_SIZE_MIB: u32 = 256;

/// The caller's choices for its private server.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder that holds the cluster, the log and the lock; created if missing.
    pub data_dir: PathBuf,
    /// Folder with `postgres` and `initdb`; `None` searches, see [`find_binaries`](crate::find_binaries).
    pub binaries: Option<PathBuf>,
    /// Postgres' `shared_buffers`, MiB.
    pub shared_buffers_mib: u32,
    /// Postgres' `min_wal_size`, MiB.
    pub min_wal_size_mib: u32,
    /// Postgres' `max_wal_size`, MiB.
    pub max_wal_size_mib: u32,
    /// More settings by name. They override this crate's defaults, except the settings that keep data safe.
    pub extra_settings: Vec<(String, String)>,
}

impl Options {
    /// Returns options with the sizes of production.
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            data_dir: data_dir.into(),
            binaries: None,
            shared_buffers_mib: SHARED_BUFFERS_MIB,
            min_wal_size_mib: MIN_WAL_SIZE_MIB,
            max_wal_size_mib: MAX_WAL_SIZE_MIB,
            extra_settings: Vec::new(),
        }
    }

    /// Returns options for a server in tests: as durable, and small enough to run many concurrently.
    pub fn small(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            shared_buffers_mib: SMALL_SHARED_BUFFERS_MIB,
            min_wal_size_mib: SMALL_MIN_WAL_SIZE_MIB,
            max_wal_size_mib: SMALL_MAX_WAL_SIZE_MIB,
            ..Self::new(data_dir)
        }
    }
}
