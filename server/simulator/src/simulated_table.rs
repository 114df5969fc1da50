//! A table of a physical table, with its controller and its link.

use crate::context::RunContext;
use crate::plan::LinkPlan;
use crate::table_controller::TableController;

/// A table on one link, as the simulation plays it.
pub(crate) struct SimulatedTable {
    pub(crate) controller: TableController,
    /// The index of its link in the plan.
    pub(crate) link: usize,
}

impl SimulatedTable {
    pub(crate) fn context(&self) -> &RunContext {
        self.controller.context()
    }

    pub(crate) fn link_plan(&self) -> Option<&LinkPlan> {
        self.context().plan.links.get(self.link)
    }
}
