//! Exceptions of a link: the list, and the clearing of one.

mod clear;
mod list;
mod view;

pub(crate) use clear::{__path_clear, clear};
pub(crate) use list::{__path_list, list};
pub(crate) use view::exception;
