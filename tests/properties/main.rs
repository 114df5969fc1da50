//! The laws of the money (rules page, §7) as properties of random play, judged by an auditor with books of
//! its own.
//!
//! # How
//! A case opens a link ([`setup`], [`world`]) with two or three tables, most often with meters next to
//! nothing, and plays up to sixty random turns on it ([`commands`], [`meaning`], [`play`]). After every command the
//! [`auditor`] says whether the answer was right and whether every balance is its own.
//!
//! # Which failures count
//! Any answer other than the auditor's, any balance, any law, and the rules breaking
//! (`Stop::Broken`) on whatever command.
//!
//! # What is not here
//! Law 5 (nothing acknowledged is lost, nothing unacknowledged is half there) belongs to the journal and the
//! database, and is tested there. Ceilings, resettling, corrections and retirement are of a later release.
//!
//! # Again
//! A failing case is kept in `regressions/` and played first next time. `PROPTEST_CASES` sets how many.

mod auditor;
mod commands;
mod coverage;
mod laws;
mod meaning;
mod paytables;
mod play;
mod same;
mod setup;
mod wagers;
mod world;
