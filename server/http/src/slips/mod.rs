//! Slips: made for a payout, printed again, read and listed.

mod answer;
mod list;
mod make;
mod read;
mod reprint;

pub(crate) use list::{__path_list, list};
pub(crate) use make::{__path_make, make};
pub(crate) use read::{__path_read, read};
pub(crate) use reprint::{__path_reprint, reprint};
