//! Files of fixed wagers: a printed table of odds in each.
//!
//! # Shape
//! [`read`] reads the facts of a file, `lines` its lines in the words of `shows`, and `reading` the second reading of a
//! doubtful print. `filed` has what could be read. `printed` compares an operator's file with the jurisdiction's print.
//! `describe` shows a table.
//!
//! # Recognition
//! A file of fixed wagers has `kind = "fixed"`. It lies beside the paytables of progressive wagers, in one folder with
//! one set of ids: an operator's folder stays flat, and a single file says its kind wherever it is checked.

mod describe;
mod filed;
mod lines;
mod printed;
mod read;
mod reading;
mod sheet;
mod shows;

pub use describe::{describe_fixed, pays_text};
pub(crate) use read::{Known, sheet};
pub use sheet::{FixedLine, FixedSheet};
