//! The limits that more than one file counts against.

/// Entries in the longest list of a command.
pub const LIST_MAX: usize = 64;
/// Commands that an outbox keeps: without an outcome, or with an outcome that the caller has not taken.
pub const KEPT_MAX: usize = 1_024;
