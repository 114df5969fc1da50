//! The columns of alterations.

use meterhouse_api::alteration::{Alteration, AlterationReport};

use super::{Columns, cell, maybe};

impl Columns for AlterationReport {
    const COLUMNS: &'static [&'static str] = &[
        "link",
        "from",
        "to",
        "from_batch",
        "to_batch",
        "position",
        "at",
        "kind",
        "level",
        "account",
        "table",
        "hit",
        "before",
        "after",
        "reason",
        "fault",
        "proposal",
        "proposed_by",
        "proposed_department",
        "proposed_at",
        "by",
        "department",
    ];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |entry: &Alteration| {
            vec![
                cell(&self.link),
                maybe(self.from.as_ref()),
                maybe(self.to.as_ref()),
                cell(&self.from_batch),
                cell(&self.to_batch),
                cell(&entry.position),
                cell(&entry.at),
                entry.kind.name().to_owned(),
                maybe(entry.level.as_ref()),
                maybe(entry.account.as_ref()),
                maybe(entry.table.as_ref()),
                maybe(entry.hit.as_ref()),
                maybe(entry.before.as_ref()),
                maybe(entry.after.as_ref()),
                maybe(entry.reason.as_ref()),
                maybe(entry.fault.as_ref()),
                maybe(entry.proposal.as_ref()),
                maybe(entry.proposed_by.as_ref()),
                maybe(entry.proposed_department.as_ref()),
                maybe(entry.proposed_at.as_ref()),
                entry.by.clone(),
                maybe(entry.department.as_ref()),
            ]
        };
        self.alterations.iter().map(row).collect()
    }
}
