//! The hits of a link as people see them: one row a hit, one a payout, made of the events alone.
//!
//! # Shape
//! [`project`] says which rows an event changes; the committer writes them beside the batch, and [`HitBook`]
//! folds a whole journal with the same function, so that `verify` can compare.
//!
//! # What bounds it
//! An event changes the hits of one round, or those of one level that follow on one that was undone. A
//! [`HitBook`] holds every hit of its link: hits are rare.
//!
//! # What order holds
//! Events in the journal's order. What an event says is done is shown as done; whether it may be is for the
//! rules, which decided before.

mod project;
mod row;

use std::collections::BTreeMap;

use meterhouse_domain::event::Recorded;
use meterhouse_domain::ids::{HitId, Timestamp};

pub use project::project;
pub use row::{HitRow, HitState, PayoutRow, ProjectError};

/// Every hit of a link, from its journal.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct HitBook {
    rows: BTreeMap<HitId, HitRow>,
}

impl HitBook {
    /// Folds the next event in; on an error nothing has changed.
    ///
    /// # Errors
    /// Those of [`project`].
    pub fn apply(&mut self, at: Timestamp, recorded: &Recorded) -> Result<(), ProjectError> {
        let changed = project(at, recorded, &mut |hit| self.rows.get(&hit).cloned())?;
        self.rows
            .extend(changed.into_iter().map(|row| (row.id(), row)));
        Ok(())
    }

    /// The hits by table, command and number.
    pub const fn rows(&self) -> &BTreeMap<HitId, HitRow> {
        &self.rows
    }
}
