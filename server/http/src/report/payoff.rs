//! The columns of a payoff report: a row for the hit, then one for each table and each other movement of the meter.

use meterhouse_api::report::Payoff;

use super::{Cells, Columns, cell, maybe};
use crate::pdf::{Sheet, payoff_sheet};

/// The columns.
const COLUMNS: [&str; 19] = [
    "hit",
    "link",
    "level",
    "part",
    "since_hit",
    "since",
    "opening",
    "before",
    "displayed",
    "due",
    "after",
    "difference",
    "table",
    "wagers",
    "position",
    "at",
    "kind",
    "entry_hit",
    "amount",
];

impl Columns for Payoff {
    const TITLE: &'static str = "PAYOFF";
    const COLUMNS: &'static [&'static str] = &COLUMNS;

    fn whole(&self) -> Cells {
        vec![
            ("hit", cell(&self.hit)),
            ("link", cell(&self.link)),
            ("level", cell(&self.level)),
        ]
    }

    fn parts(&self) -> Vec<Cells> {
        let part = |part: &str, cells: Cells| {
            let mut all = vec![("part", part.to_owned())];
            all.extend(cells);
            all
        };
        let whole = vec![
            ("since_hit", maybe(self.since_hit.as_ref())),
            ("since", cell(&self.since)),
            ("opening", cell(&self.opening)),
            ("before", cell(&self.before)),
            ("displayed", cell(&self.displayed)),
            ("due", cell(&self.due)),
            ("after", cell(&self.after)),
            ("difference", cell(&self.difference)),
        ];
        let mut parts = vec![part("payoff", whole)];
        for contribution in &self.contributions {
            let cells = vec![
                ("table", cell(&contribution.table)),
                ("wagers", cell(&contribution.wagers)),
                ("amount", cell(&contribution.amount)),
            ];
            parts.push(part("contribution", cells));
        }
        for entry in &self.entries {
            let cells = vec![
                ("position", cell(&entry.position)),
                ("at", cell(&entry.at)),
                ("kind", entry.kind.name().to_owned()),
                ("entry_hit", maybe(entry.hit.as_ref())),
                ("amount", cell(&entry.amount)),
            ];
            parts.push(part("entry", cells));
        }
        parts
    }

    fn sheet(&self) -> Sheet {
        payoff_sheet(self)
    }
}
