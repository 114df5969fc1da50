//! The laws of the money (RULES §7) as properties of random play, judged by an auditor with books of
//! its own.
//!
//! # How
//! A case opens a link ([`setup`], [`world`]) with two or three tables, most often with meters next to
//! nothing, and plays up to sixty random turns on it ([`commands`], [`meaning`], [`play`]), some cases a whole
//! night of them. After every command the [`auditor`] says whether the answer was right and whether every balance is
//! its own.
//!
//! # Which failures count
//! Any answer other than the auditor's, any balance, any law, and the rules breaking
//! (`Stop::Broken`) on whatever command.
//!
//! # What is not here
//! Law 5 (nothing acknowledged is lost, nothing unacknowledged is half there) belongs to the journal and the
//! database: it is among the simulations. Retirement is of a later release.
//!
//! # Again
//! A failing case is kept in `regressions/` and played first next time. `PROPTEST_CASES` sets how many, and
//! `PROPTEST_RNG_SEED` which.

mod auditor;
mod beside;
mod commands;
mod corners;
mod coverage;
mod dry_runs;
mod evidence;
mod found;
mod hands;
mod intents;
mod laws;
mod meaning;
mod paytables;
mod persons;
mod play;
mod same;
mod settled;
mod setup;
mod wagers;
mod world;
