//! The fixed wagers: their pays are printed odds of the wager, and no meter takes part.
//!
//! # Shape
//! [`see`](seen::see) returns the result of some cards for a wager. Dice and the Touchdown Roulette wager have
//! constructors of [`Seen`](seen::Seen). A table pays the first of its lines that the result meets.
//! [`frequencies`] counts how often each result occurs, [`chance`] makes the hold of a wager from the counts, [`worth`](mod@worth)
//! values the wagers of a table, and [`returns`] their lines.
//! [`settle`] settles whole rounds: every wager with its result, its pay and the chips afterwards. [`limit`] has the payout
//! limits.

pub mod bad_beat;
pub mod cajun_stud;
pub mod chance;
pub mod cover_all;
pub mod dice;
pub mod field;
pub mod frequencies;
pub mod limit;
pub mod odds;
pub mod ranks;
pub mod required;
pub mod returns;
pub mod seen;
pub mod settle;
pub mod shows;
pub mod table;
pub mod wager;
pub mod worth;
