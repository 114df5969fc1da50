//! The columns of displayed amounts at a moment, and of the liability.

use meterhouse_api::level::LevelAmount;
use meterhouse_api::link::LinkMeters;
use meterhouse_api::report::{LevelLiability, Liability};

use super::{Cells, Columns, cell, maybe};

impl Columns for LinkMeters {
    const TITLE: &'static str = "DISPLAYED AMOUNTS";
    const COLUMNS: &'static [&'static str] = &[
        "link", "at", "batch", "batch_at", "complete", "level", "amount",
    ];

    fn whole(&self) -> Cells {
        vec![
            ("link", cell(&self.link)),
            ("at", cell(&self.at)),
            ("batch", cell(&self.batch)),
            ("batch_at", maybe(self.batch_at.as_ref())),
            ("complete", maybe(self.complete.as_ref())),
        ]
    }

    fn parts(&self) -> Vec<Cells> {
        let level = |level: &LevelAmount| {
            vec![
                ("level", cell(&level.level)),
                ("amount", cell(&level.amount)),
            ]
        };
        self.levels.iter().map(level).collect()
    }
}

impl Columns for Liability {
    const TITLE: &'static str = "LIABILITY";
    const COLUMNS: &'static [&'static str] = &[
        "link", "at", "batch", "batch_at", "complete", "part", "level", "meter", "reserve",
        "overflow", "pending", "total",
    ];

    fn whole(&self) -> Cells {
        vec![
            ("link", cell(&self.link)),
            ("at", cell(&self.at)),
            ("batch", cell(&self.batch)),
            ("batch_at", cell(&self.batch_at)),
            ("complete", cell(&self.complete)),
        ]
    }

    fn parts(&self) -> Vec<Cells> {
        let level = |level: &LevelLiability| {
            vec![
                ("part", "level".to_owned()),
                ("level", cell(&level.level)),
                ("meter", cell(&level.meter)),
                ("reserve", cell(&level.reserve)),
                ("overflow", cell(&level.overflow)),
                ("pending", cell(&level.pending)),
                ("total", cell(&level.total)),
            ]
        };
        let total = vec![
            ("part", "total".to_owned()),
            ("meter", cell(&self.total.meter)),
            ("reserve", cell(&self.total.reserve)),
            ("overflow", cell(&self.total.overflow)),
            ("pending", cell(&self.total.pending)),
            ("total", cell(&self.total.total)),
        ];
        self.levels.iter().map(level).chain([total]).collect()
    }
}
