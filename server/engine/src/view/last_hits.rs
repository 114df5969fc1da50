//! The last hits of each level.

use meterhouse_domain::ids::{LevelName, LinkName};

use super::hit::HitView;

/// The last hits of each level of a link.
#[derive(Clone, Debug)]
pub struct LastHitsView {
    /// The link.
    pub link: LinkName,
    /// The levels, in the paytable's order.
    pub levels: Vec<LevelHits>,
}

/// The last hits of one level.
#[derive(Clone, Debug)]
pub struct LevelHits {
    /// The level.
    pub level: LevelName,
    /// The hits, newest first.
    pub hits: Vec<HitView>,
    /// Set if the next hit is archived.
    pub archived: bool,
}
