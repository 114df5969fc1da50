//! The columns of reconciliation and variance.

use meterhouse_api::report::{PoolVariance, Reconciliation, ReconciliationLine, Variance};

use super::{Cells, Columns, cell, maybe};

impl Columns for Reconciliation {
    const TITLE: &'static str = "RECONCILIATION";
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

    fn whole(&self) -> Cells {
        vec![
            ("link", cell(&self.link)),
            ("from", maybe(self.from.as_ref())),
            ("to", maybe(self.to.as_ref())),
            ("from_batch", cell(&self.from_batch)),
            ("to_batch", cell(&self.to_batch)),
        ]
    }

    fn parts(&self) -> Vec<Cells> {
        let level = |level: &ReconciliationLine| {
            vec![
                ("level", cell(&level.level)),
                ("opening", cell(&level.opening)),
                ("contributions", cell(&level.contributions)),
                ("house", cell(&level.house)),
                ("paid", cell(&level.paid)),
                ("adjustments", cell(&level.adjustments)),
                ("closing", cell(&level.closing)),
                ("pending", cell(&level.pending)),
                ("difference", cell(&level.difference)),
            ]
        };
        self.levels.iter().map(level).collect()
    }
}

impl Columns for Variance {
    const TITLE: &'static str = "VARIANCE OF COIN-IN";
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

    fn whole(&self) -> Cells {
        vec![
            ("link", cell(&self.link)),
            ("batch", cell(&self.batch)),
            ("wagers", cell(&self.wagers)),
            ("wagers_voided", cell(&self.wagers_voided)),
            ("limit", cell(&self.limit)),
        ]
    }

    fn parts(&self) -> Vec<Cells> {
        let pool = |pool: &PoolVariance| {
            vec![
                ("level", cell(&pool.level)),
                ("account", cell(&pool.account)),
                ("share", cell(&pool.share)),
                ("expected", cell(&pool.expected)),
                ("booked", cell(&pool.booked)),
                ("adjusted", cell(&pool.adjusted)),
                ("variance", cell(&pool.variance)),
                ("flagged", cell(&pool.flagged)),
            ]
        };
        self.pools.iter().map(pool).collect()
    }
}
