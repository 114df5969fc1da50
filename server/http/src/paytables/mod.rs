//! Paytables: what links may open with, what they pay and what they are worth.

mod evaluate;
mod list;
mod read;
mod returns;

use meterhouse_catalogue::Catalogue;
use meterhouse_domain::name::PaytableId;
use meterhouse_domain::paytable::Paytable;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;

pub(crate) use evaluate::{__path_evaluate, evaluate};
pub(crate) use list::{__path_list, PaytableListed, list};
pub(crate) use read::{__path_read, read};
pub(crate) use returns::{__path_returns, returns};

/// A paytable of the catalogue.
pub(crate) fn find<'a>(
    catalogue: &'a Catalogue,
    id: &PaytableId,
) -> Result<&'a Paytable, EdgeError> {
    let unknown = || EdgeError::new(EdgeCode::UnknownPaytable).with("paytable", id);
    catalogue.find(id).ok_or_else(unknown)
}
