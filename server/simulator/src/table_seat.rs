//! A table of a felt, with its controller and its link.

use crate::plan::LinkPlan;
use crate::table::TableController;
use crate::world::World;

/// A table with its link.
pub(crate) struct TableSeat {
    /// Its controller.
    pub(crate) controller: TableController,
    /// The place of its link in the plan.
    pub(crate) link: usize,
}

impl TableSeat {
    /// What the house shares.
    pub(crate) fn world(&self) -> &World {
        self.controller.world()
    }

    /// The link of the table.
    pub(crate) fn link_plan(&self) -> Option<&LinkPlan> {
        self.world().plan.links.get(self.link)
    }
}
