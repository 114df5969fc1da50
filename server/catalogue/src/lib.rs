//! The catalogue: paytable files, read, checked and handed out as values.
//!
//! # Shape
//! One TOML file a paytable. Ours are compiled in and cite the regulation block by block; the
//! operator's lie in a folder that is read once, at start, and are checked as strictly. The rules
//! see only finished [`Paytable`](meterhouse_domain::paytable::Paytable) values: no file, no format. What a source doesn't print stands in the file as a [`Gap`]:
//! inferred from elsewhere, or lacking until the operator's file of the same id completes it.
//!
//! # Findings
//! All that is wrong in all files is reported together, each finding with its file, line and
//! column, and every message says what to write instead. Who asks for all files gets none with a
//! single finding; a server may start without those that no link uses ([`Catalogue::with_usable_of`]).
//!
//! # What bounds it
//! [`FILE_BYTES_MAX`] a file and [`FILES_MAX`] files a folder, so that a wrong folder is refused
//! and not read.

mod catalogue;
mod charged;
mod check;
mod compiled;
mod completing;
mod content;
mod describe;
mod draws;
mod entry;
mod error;
mod game;
mod gaps;
mod least;
mod lines;
mod reader;
mod regulation;
mod report;
mod sheet;

pub use crate::catalogue::{Catalogue, FILES_MAX, Refused, check};
pub use crate::charged::ChargedFile;
pub use crate::check::{FILE_BYTES_MAX, FORMAT, GAMES_MAX, SEATS_MAX};
pub use crate::describe::describe;
pub use crate::describe::wager as wager_name;
pub use crate::error::{CatalogueError, CatalogueErrors};
pub use crate::game::{
    CardsDealt, Folded, Folding, GameSheet, Rule, Source, Step, Turns, WagerOfGame,
};
pub use crate::gaps::{Gap, Part};
pub use crate::sheet::{LevelOutline, LineOutline, Outline, Sheet};
