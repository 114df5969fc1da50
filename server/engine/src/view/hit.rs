//! A hit as people see it, and the filter of a list of hits.

use meterhouse_domain::ids::{LevelName, LinkName, Sequence, TableName};
use meterhouse_journal::hit::HitRow;

use super::hit_name::HitName;
use super::proposal::ResettledView;

/// A hit with the names that its row leaves out.
#[derive(Clone, Debug)]
pub struct HitView {
    /// The link.
    pub link: LinkName,
    /// The table.
    pub table: TableName,
    /// The name of the level that a percentage was taken from.
    pub level: Option<LevelName>,
    /// Everything else.
    pub row: HitRow,
    /// Who paid each of its payouts, in their order.
    pub paid_by: Vec<Option<String>>,
}

impl HitView {
    /// Its name.
    pub fn name(&self) -> HitName {
        HitName {
            table: self.table.clone(),
            sequence: Sequence(self.row.sequence),
            number: self.row.number,
        }
    }
}

/// What a rejection did.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The hit.
    pub hit: HitView,
    /// Later hits with new amounts, in their order.
    pub resettled: Vec<ResettledView>,
}

/// Which hits to list.
#[derive(Clone, Debug, Default)]
pub struct HitFilter {
    /// Only those in this state.
    pub state: Option<meterhouse_journal::hit::HitState>,
    /// Only those of this link.
    pub link: Option<LinkName>,
    /// Only those that took from this level; needs a link.
    pub level: Option<LevelName>,
    /// Whether the newest come first; needs a link.
    pub newest_first: bool,
    /// Only those behind this place: the cursor of the page before.
    pub after: Option<HitCursor>,
    /// At most this many.
    pub limit: u32,
}

/// A place in the list of hits: by link, then by order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct HitCursor {
    /// The link's number.
    pub link: i32,
    /// The hit's order on it.
    pub order: u64,
}
