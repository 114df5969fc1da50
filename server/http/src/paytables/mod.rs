//! Paytables: the catalogue, comparisons, evaluations and returns.

mod differences;
mod evaluate;
mod list;
mod read;
mod returns;

pub(crate) use differences::{__path_differences, differences};
pub(crate) use evaluate::{__path_evaluate, evaluate};
pub use list::paytable_list;
pub(crate) use list::{__path_list, list};
pub use read::paytable;
pub(crate) use read::{__path_read, read};
pub(crate) use returns::{__path_returns, returns};
