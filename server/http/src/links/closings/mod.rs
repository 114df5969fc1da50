//! Days of a link: their reports, the signature of a person under one, and the list of signed days.

mod list;
mod read;
mod sign;
mod view;

pub(crate) use list::{__path_list, list};
pub(crate) use read::{__path_read, read};
pub(crate) use sign::{__path_sign, sign};
pub use view::closing_bytes;
