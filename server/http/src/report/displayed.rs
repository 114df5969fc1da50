//! The columns of displayed amounts by the day: a row for each level, then one for each decrease.

use meterhouse_api::report::DisplayedAmounts;

use super::{Columns, cell, maybe, row};

/// The columns.
const COLUMNS: [&str; 17] = [
    "link",
    "from",
    "to",
    "complete",
    "from_batch",
    "to_batch",
    "part",
    "level",
    "opening",
    "closing",
    "position",
    "at",
    "amount",
    "cause",
    "hit",
    "proposal",
    "flagged",
];

impl Columns for DisplayedAmounts {
    const COLUMNS: &'static [&'static str] = &COLUMNS;

    fn rows(&self) -> Vec<Vec<String>> {
        let part = |part: &str, cells: Vec<(&'static str, String)>| {
            let mut all = vec![
                ("link", cell(&self.link)),
                ("from", cell(&self.from)),
                ("to", cell(&self.to)),
                ("complete", cell(&self.complete)),
                ("from_batch", cell(&self.from_batch)),
                ("to_batch", cell(&self.to_batch)),
                ("part", part.to_owned()),
            ];
            all.extend(cells);
            row(&COLUMNS, &all)
        };
        let level = |level: &meterhouse_api::report::DisplayedLevel| {
            let cells = vec![
                ("level", cell(&level.level)),
                ("opening", cell(&level.opening)),
                ("closing", cell(&level.closing)),
            ];
            part("level", cells)
        };
        let decrease = |decrease: &meterhouse_api::report::Decrease| {
            let cells = vec![
                ("level", cell(&decrease.level)),
                ("position", cell(&decrease.position)),
                ("at", cell(&decrease.at)),
                ("amount", cell(&decrease.amount)),
                (
                    "cause",
                    decrease.cause.map_or("", |cause| cause.name()).to_owned(),
                ),
                ("hit", maybe(decrease.hit.as_ref())),
                ("proposal", maybe(decrease.proposal.as_ref())),
                ("flagged", cell(&decrease.flagged)),
            ];
            part("decrease", cells)
        };
        let levels = self.levels.iter().map(level);
        levels.chain(self.decreases.iter().map(decrease)).collect()
    }
}
