//! The limits that several files use.

/// Maximum number of entries in a list of a command.
pub const LIST_MAX: usize = 64;
/// Maximum number of seats with fixed wagers.
pub(crate) const ROUND_SEATS_MAX: usize = 15;
/// Maximum number of fixed wagers of a seat.
pub(crate) const SEAT_WAGERS_MAX: usize = 16;
/// Maximum number of tables that pay fixed wagers.
pub(crate) const ROUND_TABLES_MAX: usize = 24;
/// Maximum number of cards of a bonus.
pub(crate) const HAND_CARDS_MAX: usize = 8;
/// Maximum number of commands in an outbox: without an outcome, or with an outcome that was not taken.
pub const OUTBOX_COMMANDS_MAX: usize = 1_024;
