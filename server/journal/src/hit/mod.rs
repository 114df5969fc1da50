//! The hits of a link as people see them: one row a hit, one row a payout, made of the events alone.
//!
//! # Shape
//! [`project`] returns the rows that an event changes. The committer writes these rows with the batch. [`HitBook`]
//! folds a whole journal with the same function, so that `verify` can compare.
//!
//! # Bounds
//! An event changes the hits of one round. An undone hit also changes the later hits of its level. A [`HitBook`]
//! holds every hit of its link, because hits are rare.
//!
//! # Order
//! Events in the journal's order. The projection shows as done every fact that an event records. Permission was
//! decided earlier, by the rules.

mod kept;
mod project;
mod row;

use std::collections::BTreeMap;

use meterhouse_domain::event::Recorded;
use meterhouse_domain::ids::{HitId, Timestamp};

pub use project::project;
pub use row::{HitRow, HitState, PayoutRow, ProjectError};

/// Every hit of a link, projected from its journal.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct HitBook {
    rows: BTreeMap<HitId, HitRow>,
}

impl HitBook {
    /// Folds the next event in; an error leaves the book unchanged.
    ///
    /// # Errors
    /// Those of [`project`].
    pub fn apply(&mut self, at: Timestamp, recorded: &Recorded) -> Result<(), ProjectError> {
        let changed = project(at, recorded, &mut |hit| self.rows.get(&hit).cloned())?;
        self.rows
            .extend(changed.into_iter().map(|row| (row.id(), row)));
        Ok(())
    }

    /// Returns the hits by table, command and number.
    pub const fn rows(&self) -> &BTreeMap<HitId, HitRow> {
        &self.rows
    }
}
