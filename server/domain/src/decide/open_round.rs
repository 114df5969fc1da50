//! The round that a command of a table belongs to.

use crate::refusal::RefusalCode;
use crate::state::{Round, Table};

use super::decision::Stop;

/// Returns the open round of a table.
pub(super) fn open_round(table: &Table) -> Result<&Round, Stop> {
    table
        .round
        .as_ref()
        .ok_or_else(|| RefusalCode::NoRound.into())
}
