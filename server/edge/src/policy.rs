//! The policy: the one table of rights, of the roles that have them, and of the operations that need them.
//!
//! # Shape
//! - [`GRANTS`] has the rights of each role, by the binding of its token. No other place names a role's rights.
//! - [`HTTP`], [`GRPC`], [`PAGES`] and [`COMMANDS`] have one row for each operation, with its reason.
//! - [`markdown`] writes all of them for people.
//!
//! A role or an operation without a row has no right. A new operation therefore fails
//! `tests/api/policy.rs`, and a new command fails the tests of the program, until a row says who may use it.

mod commands;
mod grants;
mod markdown;
mod operation;
mod operations;

pub use self::commands::COMMANDS;
pub use self::grants::{
    Binding, GRANTS, Grant, can_be_given, can_be_signed, check_given, has, holds, meaning,
    needs_two_people, rights_of, roles_with,
};
pub use self::markdown::markdown;
pub use self::operation::{Access, Operation};
pub use self::operations::{GRPC, HTTP, PAGES};

#[cfg(test)]
mod tests;
