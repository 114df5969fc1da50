//! Changes that need two people of two departments (RULES §1.5): one proposes, the other approves or declines.

mod decide;
mod dry_run;
mod list;
mod propose;
mod read;
mod request;
mod view;

pub(crate) use decide::{__path_decide, decide};
pub(crate) use dry_run::{__path_dry_run, dry_run};
pub(crate) use list::{__path_list, list};
pub(crate) use propose::{__path_propose, propose};
pub(crate) use read::{__path_read, read};
