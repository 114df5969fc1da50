//! The shared edge of HTTP and gRPC: authentication, authorization, the text of values, and errors.
//!
//! # Shape
//! The modules hold plain functions of values.
//!
//! - [`wire_error`] maps every error to a status and a stable code, and
//!   [`problem`] is the body of the response.
//! - [`authenticate`] identifies the caller, and [`authorize`] checks rights by the table
//!   of [`policy`]. [`operation_access`] checks those of an operation before its request is read.
//! - [`value`], [`amount`] and [`timestamp`] read values by the text forms of `meterhouse-api`.
//! - [`hit`] sums the payouts of a hit, and [`feed`] builds messages.
//! - [`log_throttle`] keeps the log short, and [`anonymous_connections`] limits connections without
//!   a valid token.
//! - [`paytables`] finds paytables, [`comparison`] compares two, [`evaluation`] evaluates a hand,
//!   [`settlement`] settles a whole round, and [`returns`] computes the return of a paytable.
//! - [`fixed`] shows a table of fixed wagers, and computes the return of its wagers.
//! - [`link_returns`] computes the return of a link, and [`manual`] shows both as pages.
//!
//! # Limits
//! Nothing here waits, except [`authenticate::caller`] for the engine. The callers limit every text
//! before a value is read from it. An error repeats at most [`value::SHOWN_MAX`] characters of a
//! text.

mod access;
pub mod admission;
pub mod adoption;
pub mod anonymous_connections;
pub mod authenticate;
pub mod authorize;
pub mod codes;
pub mod comparison;
mod error_count;
pub mod evaluation;
pub mod feed;
pub mod fixed;
pub mod hit;
pub mod link_returns;
pub mod log_throttle;
pub mod manual;
mod offer;
pub mod operation_access;
pub mod paytables;
pub mod policy;
pub mod problem;
pub mod returns;
pub mod round_wagers;
pub mod settlement;

pub mod trusted_proxies;
pub mod value;
pub mod wire_error;
