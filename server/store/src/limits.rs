//! The limits of one read of a journal.

/// Maximum number of batches in one read.
pub const READ_BATCHES_MAX: usize = 1_024;
/// Maximum number of events in one read. A larger batch is read alone.
pub const READ_EVENTS_MAX: usize = 65_536;

/// Maximum number of batches that are read with an old command.
pub const FOUND_BATCHES_MAX: usize = 256;
/// Maximum number of events in the batches that are read with an old command. A larger batch is
/// read alone.
pub const FOUND_EVENTS_MAX: usize = 4_096;
