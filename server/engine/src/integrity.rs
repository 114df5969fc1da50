//! The checks that the stored rows of a link are consistent.

pub mod checkpoints;
pub(crate) mod running_check;
pub(crate) mod sums;
