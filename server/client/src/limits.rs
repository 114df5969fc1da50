//! The limits that several files use.

/// Maximum number of entries in a list of a command.
pub const LIST_MAX: usize = 64;
/// Maximum number of commands in an outbox: without an outcome, or with an outcome that was not taken.
pub const OUTBOX_COMMANDS_MAX: usize = 1_024;
