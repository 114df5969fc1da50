//! The last commands of every table, so that a repeat is answered without asking the database.
//!
//! # What bounds it
//! [`TABLE_MAX`] outcomes a table while there are few tables; with many, their share of [`LINK_MAX`], but [`TABLE_LEAST`].
//! Older repeats are found in the journal.

use std::collections::VecDeque;

use meterhouse_domain::event::Origin;
use meterhouse_domain::ids::{Sequence, TableNo};

use crate::answer::Outcome;

/// Outcomes kept for one table: a controller has few commands under way.
const TABLE_MAX: usize = 64;
/// Outcomes kept for one table, however many tables there are.
const TABLE_LEAST: usize = 16;
/// Outcomes kept for all tables of a link: some megabytes. More no longer fit in a processor's cache, which costs every
/// command half a microsecond.
const LINK_MAX: usize = 8_192;

/// The last outcomes, by table.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    tables: Vec<VecDeque<Outcome>>,
}

impl Recent {
    /// Remembers a committed outcome and hands over those of the table that are now forgotten, which are answered.
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
