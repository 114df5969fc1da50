//! The manual: what each game's paytables pay, from where, and what they are worth.

mod games;
mod page;

pub(crate) use games::{__path_games, games};
pub(crate) use page::{__path_page, page};
