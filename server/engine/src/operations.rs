//! The operations of tables, people and the server on links.

pub(crate) mod closings;
pub(crate) mod dry_run;
pub(crate) mod exceptions;
pub(crate) mod follow_hits;
pub(crate) mod hits;
pub(crate) mod late_hit;
pub(crate) mod link_states;
pub(crate) mod links;
pub mod pipelined;
pub(crate) mod presentations;
pub(crate) mod proposal_history;
pub(crate) mod proposals;
pub(crate) mod restored;
pub(crate) mod screens;
pub(crate) mod slips;
pub(crate) mod themes;
