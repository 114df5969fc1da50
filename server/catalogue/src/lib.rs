//! The catalogue: paytable files, read, checked and returned as values.
//!
//! # Shape
//! Each paytable is one TOML file. The project's own files are compiled in and cite the regulation block by block.
//! The operator's files lie in a folder that is read once, at start, and are checked as strictly. The rules see only
//! finished [`Paytable`](meterhouse_domain::paytable::Paytable) values. A value that the source omits is a [`Gap`]:
//! inferred from elsewhere, or missing until the operator's file of the same id supplies it.
//!
//! A file with `kind = "fixed"` is a table of fixed wagers; it becomes a
//! [`FixedTable`](meterhouse_domain::fixed::table::FixedTable). Ids are unique over both kinds.
//!
//! # Findings
//! All mistakes in all files are reported together, each with its file, line and column. Every message says what to
//! write instead. [`Catalogue::with_folder`] returns no files if there is a single finding. A server may start
//! without the refused files that no link uses ([`Catalogue::with_usable_of`]).
//!
//! # Bounds
//! [`FILE_BYTES_MAX`] a file and [`FILES_MAX`] files a folder: a wrong folder is refused before it is read.

mod catalogue;
mod charged;
mod check;
mod compiled;
mod completion;
mod content;
mod describe;
mod draws;
mod entry;
mod error;
mod file;
mod fixed;
mod fixed_returns;
mod game;
mod gaps;
mod lines;
mod minimums;
mod reader;
mod regulation;
mod report;
mod sheet;

pub use crate::catalogue::{Catalogue, Checked, FILES_MAX, Refused, check};
pub use crate::charged::ChargedFile;
pub use crate::check::{GAMES_MAX, SEATS_MAX};
pub use crate::describe::describe;
pub use crate::describe::wager as wager_name;
pub use crate::error::{CatalogueError, CatalogueErrors};
pub use crate::file::{FILE_BYTES_MAX, FORMAT};
pub use crate::fixed::{FixedLine, FixedSheet, describe_fixed, pays_text};
pub use crate::fixed_returns::{Effort, FixedReturns, FixedValue};
pub use crate::game::{
    CardsDealt, Folded, Folding, GameSheet, Rule, Source, Step, Turns, WagerOfGame,
};
pub use crate::gaps::{FixedPart, Gap, Part};
pub use crate::sheet::{LevelOutline, LineOutline, Outline, Sheet};
