//! Whole runs against a server in this process, well behaved and not.

mod mock;
mod runs;
