//! The columns of reconciliation and variance.

use meterhouse_api::report::{Reconciliation, Variance};

use super::{Columns, cell, maybe};

impl Columns for Reconciliation {
    const COLUMNS: &'static [&'static str] = &[
        "link",
        "from",
        "to",
        "from_batch",
        "to_batch",
        "level",
        "opening",
        "contributions",
        "house",
        "paid",
        "adjustments",
        "closing",
        "pending",
        "difference",
    ];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |level: &meterhouse_api::report::ReconciliationLine| {
            vec![
                cell(&self.link),
                maybe(self.from.as_ref()),
                maybe(self.to.as_ref()),
                cell(&self.from_batch),
                cell(&self.to_batch),
                cell(&level.level),
                cell(&level.opening),
                cell(&level.contributions),
                cell(&level.house),
                cell(&level.paid),
                cell(&level.adjustments),
                cell(&level.closing),
                cell(&level.pending),
                cell(&level.difference),
            ]
        };
        self.levels.iter().map(row).collect()
    }
}

impl Columns for Variance {
    const COLUMNS: &'static [&'static str] = &[
        "link",
        "batch",
        "wagers",
        "wagers_voided",
        "limit",
        "level",
        "account",
        "share",
        "expected",
        "booked",
        "adjusted",
        "variance",
        "flagged",
    ];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |pool: &meterhouse_api::report::PoolVariance| {
            vec![
                cell(&self.link),
                cell(&self.batch),
                cell(&self.wagers),
                cell(&self.wagers_voided),
                cell(&self.limit),
                cell(&pool.level),
                cell(&pool.account),
                cell(&pool.share),
                cell(&pool.expected),
                cell(&pool.booked),
                cell(&pool.adjusted),
                cell(&pool.variance),
                cell(&pool.flagged),
            ]
        };
        self.pools.iter().map(row).collect()
    }
}
