//! The queries of links, tables, hits and the journal. Queries change nothing.

pub mod attempts;
pub(crate) mod checked_hits;
pub(crate) mod hits;
pub(crate) mod joined;
pub(crate) mod journal;
mod late_hits;
pub(crate) mod link_reader;
pub(crate) mod links_and_tables;
