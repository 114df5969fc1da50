//! The queries of links, tables, hits and the journal. None of them changes anything.

pub(crate) mod checked_hits;
pub(crate) mod joined;
pub(crate) mod lists;
pub(crate) mod views;
