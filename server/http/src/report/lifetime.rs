//! The columns of the lifetime meters: a row for the link, and one for each pool, each level and each line.

use meterhouse_api::report::Lifetime;

use super::{Cells, Columns, cell};

/// The columns.
const COLUMNS: [&str; 21] = [
    "link",
    "batch",
    "part",
    "name",
    "account",
    "rounds",
    "wagers",
    "wagers_voided",
    "coin_in",
    "coin_in_voided",
    "contributed",
    "voided",
    "machine_paid",
    "attendant_paid",
    "house_funded",
    "overflow",
    "adjusted_up",
    "adjusted_down",
    "resets",
    "hits",
    "due",
];

impl Columns for Lifetime {
    const TITLE: &'static str = "LIFETIME METERS";
    const COLUMNS: &'static [&'static str] = &COLUMNS;

    fn whole(&self) -> Cells {
        vec![("link", cell(&self.link)), ("batch", cell(&self.batch))]
    }

    fn parts(&self) -> Vec<Cells> {
        let part = |part: &str, name: String, cells: Cells| {
            let mut all = vec![("part", part.to_owned()), ("name", name)];
            all.extend(cells);
            all
        };
        let link = vec![
            ("rounds", cell(&self.rounds)),
            ("wagers", cell(&self.wagers)),
            ("wagers_voided", cell(&self.wagers_voided)),
            ("coin_in", cell(&self.coin_in)),
            ("coin_in_voided", cell(&self.coin_in_voided)),
        ];
        let mut parts = vec![part("link", cell(&self.link), link)];
        for pool in &self.pools {
            let cells = vec![
                ("account", cell(&pool.account)),
                ("contributed", cell(&pool.contributed)),
                ("voided", cell(&pool.voided)),
            ];
            parts.push(part("pool", cell(&pool.level), cells));
        }
        for level in &self.levels {
            let cells = vec![
                ("machine_paid", cell(&level.machine_paid)),
                ("attendant_paid", cell(&level.attendant_paid)),
                ("house_funded", cell(&level.house_funded)),
                ("overflow", cell(&level.overflow)),
                ("adjusted_up", cell(&level.adjusted_up)),
                ("adjusted_down", cell(&level.adjusted_down)),
                ("resets", cell(&level.resets)),
            ];
            parts.push(part("level", cell(&level.level), cells));
        }
        for line in &self.lines {
            let cells = vec![("hits", cell(&line.hits)), ("due", cell(&line.due))];
            parts.push(part("line", cell(&line.line), cells));
        }
        parts
    }
}
