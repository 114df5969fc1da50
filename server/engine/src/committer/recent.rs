//! The recent outcomes of every table, so that a replay is answered without a query.
//!
//! # Limits
//! [`TABLE_MAX`] outcomes a table. With many tables, each keeps its share of [`LINK_MAX`], but at least
//! [`TABLE_LEAST`]. Older outcomes are read from the journal.

use std::collections::VecDeque;

use meterhouse_domain::event::Origin;
use meterhouse_domain::ids::{Sequence, TableNo};

use crate::answer::Outcome;

/// Maximum number of outcomes kept for one table. A controller has few commands in flight.
const TABLE_MAX: usize = 64;
/// Minimum number of outcomes kept for one table.
const TABLE_LEAST: usize = 16;
/// Outcomes kept for all tables of a link: some megabytes. More do not fit into a processor's cache, which costs every
/// command half a microsecond.
const LINK_MAX: usize = 8_192;

/// The recent outcomes, by table.
#[derive(Debug, Default)]
pub(crate) struct RecentOutcomes {
    tables: Vec<VecDeque<Outcome>>,
}

impl RecentOutcomes {
    /// Adds a committed outcome. Moves the table's oldest outcomes, beyond its share, to `forgotten`.
    pub(crate) fn push(&mut self, outcome: Outcome, forgotten: &mut Vec<Outcome>) {
        let Origin::Table { table, .. } = outcome.recorded.origin else {
            return;
        };
        let Ok(index) = usize::try_from(table.0) else {
            return;
        };
        if self.tables.len() <= index {
            self.tables.resize_with(index + 1, VecDeque::new);
        }
        let most = (LINK_MAX / self.tables.len()).clamp(TABLE_LEAST, TABLE_MAX);
        let Some(outcomes) = self.tables.get_mut(index) else {
            return;
        };
        let over = (outcomes.len() + 1).saturating_sub(most);
        forgotten.extend(outcomes.drain(..over.min(outcomes.len())));
        outcomes.push_back(outcome);
    }

    /// Returns the outcome of a command, if it is still kept.
    pub(crate) fn find(&self, table: TableNo, sequence: Sequence) -> Option<&Outcome> {
        let outcomes = self.tables.get(usize::try_from(table.0).ok()?)?;
        // A table's sequence numbers have no gaps, so the oldest one gives the index.
        let Origin::Table {
            sequence: oldest, ..
        } = outcomes.front()?.recorded.origin
        else {
            return None;
        };
        let index = usize::try_from(sequence.0.checked_sub(oldest.0)?).ok()?;
        outcomes.get(index)
    }
}
