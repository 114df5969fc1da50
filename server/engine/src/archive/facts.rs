//! What is stored with the state of a link after an archived month: facts that no state has, and that only events gave.

use std::collections::BTreeSet;

use meterhouse_domain::event::Event;

/// The least number of a notable kind.
const NOTABLE: u8 = 16;

/// The facts of a link's events so far.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct ArchivedFacts {
    /// Notable kinds.
    pub(crate) kinds: BTreeSet<u8>,
    /// Paytable that each table named when it joined, by the table's number from 1.
    pub(crate) paytables: Vec<String>,
}

impl ArchivedFacts {
    /// Adds the next event.
    pub(crate) fn add(&mut self, kind: u8, event: &Event) {
        if kind >= NOTABLE {
            self.kinds.insert(kind);
        }
        if let Event::TableJoined(joined) = event {
            self.paytables.push(joined.paytable.to_string());
        }
    }
}
