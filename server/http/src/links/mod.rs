//! Links: what they are, what their signs show, their journal and their books.

mod journal;
mod list;
mod meters;
mod open;
mod read;
mod reconciliation;

pub(crate) use journal::{__path_journal, journal};
pub(crate) use list::{__path_list, list};
pub(crate) use meters::{__path_meters, meters};
pub(crate) use open::{__path_open, open};
pub(crate) use read::{__path_read, LinkNow, LinkedTable, read};
pub(crate) use reconciliation::{__path_reconciliation, reconciliation};

/// The state of a link that plays.
pub(crate) const OPEN: &str = "open";
/// The state of a link that accepts nothing.
pub(crate) const FAULTED: &str = "faulted";

/// The word for a link's state.
pub(crate) const fn state(faulted: bool) -> &'static str {
    if faulted { FAULTED } else { OPEN }
}
