//! The columns of displayed amounts by the day: a row for each level, then one for each decrease.

use meterhouse_api::report::{Decrease, DisplayedAmounts, DisplayedLevel};
use meterhouse_api::words::DecreaseCause;

use super::{Cells, Columns, cell, maybe};

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
    const TITLE: &'static str = "DISPLAYED AMOUNTS BY THE DAY";
    const COLUMNS: &'static [&'static str] = &COLUMNS;

    fn whole(&self) -> Cells {
        vec![
            ("link", cell(&self.link)),
            ("from", cell(&self.from)),
            ("to", cell(&self.to)),
            ("complete", cell(&self.complete)),
            ("from_batch", cell(&self.from_batch)),
            ("to_batch", cell(&self.to_batch)),
        ]
    }

    fn parts(&self) -> Vec<Cells> {
        let levels = self.levels.iter().map(level);
        levels.chain(self.decreases.iter().map(flagged)).collect()
    }
}

fn level(level: &DisplayedLevel) -> Cells {
    vec![
        ("part", "level".to_owned()),
        ("level", cell(&level.level)),
        ("opening", cell(&level.opening)),
        ("closing", cell(&level.closing)),
    ]
}

fn flagged(found: &Decrease) -> Cells {
    let mut cells = decrease(found);
    cells.push(("flagged", cell(&found.flagged)));
    cells
}

/// Returns the cells of a decrease.
pub(super) fn decrease(decrease: &Decrease) -> Cells {
    let cause = decrease.cause.map(DecreaseCause::name);
    vec![
        ("part", "decrease".to_owned()),
        ("level", cell(&decrease.level)),
        ("position", cell(&decrease.position)),
        ("at", cell(&decrease.at)),
        ("amount", cell(&decrease.amount)),
        ("cause", maybe(cause.as_ref())),
        ("hit", maybe(decrease.hit.as_ref())),
        ("proposal", maybe(decrease.proposal.as_ref())),
    ]
}
