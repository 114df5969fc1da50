//! What the caller chooses about its private server. Durability is not among it.

use std::path::PathBuf;

/// Memory of the server's page cache in production, MiB: the meters and the journal's tail fit many
/// times.
const SHARED_BUFFERS_MIB: u32 = 256;
/// Write-ahead log kept for reuse, MiB: a busy hour does not create files anew.
const MIN_WAL_SIZE_MIB: u32 = 1024;
/// Write-ahead log between two checkpoints, MiB: also what a crash recovery has to read at most.
const MAX_WAL_SIZE_MIB: u32 = 4096;

/// Page cache of a small server, MiB: many of them run side by side in tests.
const SMALL_SHARED_BUFFERS_MIB: u32 = 16;
/// Kept log of a small server, MiB: the least Postgres accepts is two segments of 16.
const SMALL_MIN_WAL_SIZE_MIB: u32 = 32;
/// Log between two checkpoints of a small server, MiB.
const SMALL_MAX_WAL_SIZE_MIB: u32 = 256;

/// What the caller chooses about its private server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder that holds the cluster, the log and the lock; created if missing.
    pub data_dir: PathBuf,
    /// The folder with `postgres` and `initdb`; `None` searches, see
    /// [`find_binaries`](crate::find_binaries).
    pub binaries: Option<PathBuf>,
    /// Postgres' `shared_buffers`, MiB.
    pub shared_buffers_mib: u32,
    /// Postgres' `min_wal_size`, MiB.
    pub min_wal_size_mib: u32,
    /// Postgres' `max_wal_size`, MiB.
    pub max_wal_size_mib: u32,
    /// More settings by name. They win over the defaults of this crate, never over what keeps data
    /// safe.
    pub extra_settings: Vec<(String, String)>,
}

impl Options {
    /// The sizes of production.
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

    /// A server for tests: as durable, and small enough to have many at once.
    pub fn small(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            shared_buffers_mib: SMALL_SHARED_BUFFERS_MIB,
            min_wal_size_mib: SMALL_MIN_WAL_SIZE_MIB,
            max_wal_size_mib: SMALL_MAX_WAL_SIZE_MIB,
            ..Self::new(data_dir)
        }
    }
}
