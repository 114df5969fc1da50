//! The checks that what is stored of a link fits together.

pub mod checkpoints;
pub(crate) mod running_check;
pub(crate) mod sums;
