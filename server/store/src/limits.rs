//! The limits of what is read of a journal at once.

/// Batches that are read at once.
pub const READ_BATCHES_MAX: usize = 1_024;
/// Events that are read at once; a batch of more is read alone.
pub const READ_EVENTS_MAX: usize = 65_536;

/// Batches that are read with an old command.
pub const FOUND_BATCHES_MAX: usize = 256;
/// Events of the batches that are read with an old command; a batch of more is read alone.
pub const FOUND_EVENTS_MAX: usize = 4_096;
