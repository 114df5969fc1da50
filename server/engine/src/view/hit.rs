//! A hit with names, and the filter of a list of hits.

use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{LevelName, LinkName, Sequence, TableName};
use meterhouse_journal::hit::HitRow;

use super::proposal::ResettledView;

/// A hit with the names that its row lacks.
#[derive(Clone, Debug)]
pub struct HitView {
    /// The link.
    pub link: LinkName,
    /// The table.
    pub table: TableName,
    /// The name of the level that a percentage was taken from.
    pub level: Option<LevelName>,
    /// The stored row.
    pub row: HitRow,
    /// The names of the people who paid the payouts, in their order.
    pub paid_by: Vec<Option<String>>,
}

impl HitView {
    /// Returns the name of the hit.
    pub fn name(&self) -> HitName {
        HitName {
            table: self.table.clone(),
            sequence: Sequence(self.row.sequence),
            number: self.row.number,
        }
    }
}

/// The result of a rejection.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The hit.
    pub hit: HitView,
    /// Later hits with new amounts, in their order.
    pub resettled: Vec<ResettledView>,
}

/// The filter of a list of hits.
#[derive(Clone, Debug, Default)]
pub struct HitFilter {
    /// The state of the hits, or any.
    pub state: Option<meterhouse_journal::hit::HitState>,
    /// The link of the hits, or any.
    pub link: Option<LinkName>,
    /// The level that the hits took from, or any. Requires a link.
    pub level: Option<LevelName>,
    /// Set to list the newest hits first. Requires a link.
    pub newest_first: bool,
    /// The cursor of the previous page.
    pub after: Option<HitCursor>,
    /// The maximum number of hits.
    pub limit: u32,
}

/// A position in the list of hits: by link, then by order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct HitCursor {
    /// The number of the link.
    pub link: i32,
    /// The order of the hit on its link.
    pub order: u64,
}
