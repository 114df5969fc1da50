//! The columns of displayed amounts at a moment, and of the liability.

use meterhouse_api::level::LevelAmount;
use meterhouse_api::link::LinkMeters;
use meterhouse_api::report::{LevelLiability, Liability};

use super::{Columns, cell, maybe};

impl Columns for LinkMeters {
    const COLUMNS: &'static [&'static str] = &[
        "link", "at", "batch", "batch_at", "complete", "level", "amount",
    ];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |level: &LevelAmount| {
            vec![
                cell(&self.link),
                cell(&self.at),
                cell(&self.batch),
                maybe(self.batch_at.as_ref()),
                maybe(self.complete.as_ref()),
                cell(&level.level),
                cell(&level.amount),
            ]
        };
        self.levels.iter().map(row).collect()
    }
}

impl Columns for Liability {
    const COLUMNS: &'static [&'static str] = &[
        "link", "at", "batch", "batch_at", "complete", "part", "level", "meter", "reserve",
        "overflow", "pending", "total",
    ];

    fn rows(&self) -> Vec<Vec<String>> {
        let of_report = |part: &str| {
            vec![
                cell(&self.link),
                cell(&self.at),
                cell(&self.batch),
                cell(&self.batch_at),
                cell(&self.complete),
                part.to_owned(),
            ]
        };
        let level = |level: &LevelLiability| {
            let mut row = of_report("level");
            row.push(cell(&level.level));
            let amounts = [
                &level.meter,
                &level.reserve,
                &level.overflow,
                &level.pending,
                &level.total,
            ];
            row.extend(amounts.map(cell));
            row
        };
        let mut rows: Vec<Vec<String>> = self.levels.iter().map(level).collect();
        let mut total = of_report("total");
        total.push(String::new());
        let sums = &self.total;
        let amounts = [
            &sums.meter,
            &sums.reserve,
            &sums.overflow,
            &sums.pending,
            &sums.total,
        ];
        total.extend(amounts.map(cell));
        rows.push(total);
        rows
    }
}
