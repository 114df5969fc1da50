//! The last commands of every table, so that a repeat is answered without asking the database.
//!
//! # What bounds it
//! [`RECENT_PER_TABLE`] outcomes a table; older repeats are found in the journal.

use std::collections::VecDeque;

use meterhouse_domain::event::Origin;
use meterhouse_domain::name::{Sequence, TableNo};

use crate::answer::Outcome;

/// Outcomes kept for each table. A controller has few commands under way; with 64 the outcomes of some hundred tables
/// no longer fit in a processor's cache, which costs every command half a microsecond.
pub(crate) const RECENT_PER_TABLE: usize = 16;

/// The last outcomes, by table.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    tables: Vec<VecDeque<Outcome>>,
}

impl Recent {
    /// Remembers a committed outcome, forgetting the table's oldest, which is answered.
    pub(crate) fn push(&mut self, outcome: Outcome) -> Option<Outcome> {
        let Origin::Table { table, .. } = outcome.recorded.origin else {
            return None;
        };
        let index = usize::try_from(table.0).ok()?;
        if self.tables.len() <= index {
            self.tables.resize_with(index + 1, VecDeque::new);
        }
        let outcomes = self.tables.get_mut(index)?;
        let forgotten = (outcomes.len() == RECENT_PER_TABLE).then(|| outcomes.pop_front());
        outcomes.push_back(outcome);
        forgotten.flatten()
    }

    /// The outcome of a command, if it is among the last.
    pub(crate) fn find(&self, table: TableNo, sequence: Sequence) -> Option<&Outcome> {
        let outcomes = self.tables.get(usize::try_from(table.0).ok()?)?;
        // A table's numbers have no gaps, so the place follows from the newest.
        let Origin::Table {
            sequence: oldest, ..
        } = outcomes.front()?.recorded.origin
        else {
            return None;
        };
        let place = usize::try_from(sequence.0.checked_sub(oldest.0)?).ok()?;
        outcomes.get(place)
    }
}
