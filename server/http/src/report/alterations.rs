//! The columns of alterations.

use meterhouse_api::alteration::{Alteration, AlterationReport};

use super::{Cells, Columns, cell, maybe};

impl Columns for AlterationReport {
    const TITLE: &'static str = "ALTERATIONS";
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
        "adopted_table",
        "reading",
        "letter",
        "returns",
        "reading_before",
        "returns_before",
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
        self.alterations.iter().map(alteration).collect()
    }
}

fn alteration(entry: &Alteration) -> Cells {
    let mut cells = vec![
        ("kind", entry.kind.name().to_owned()),
        ("position", cell(&entry.position)),
        ("at", cell(&entry.at)),
        ("level", maybe(entry.level.as_ref())),
        ("account", maybe(entry.account.as_ref())),
        ("table", maybe(entry.table.as_ref())),
        ("hit", maybe(entry.hit.as_ref())),
        ("before", maybe(entry.before.as_ref())),
        ("after", maybe(entry.after.as_ref())),
        ("reason", maybe(entry.reason.as_ref())),
        ("fault", maybe(entry.fault.as_ref())),
        ("proposal", maybe(entry.proposal.as_ref())),
        ("proposed_by", maybe(entry.proposed_by.as_ref())),
        (
            "proposed_department",
            maybe(entry.proposed_department.as_ref()),
        ),
        ("proposed_at", maybe(entry.proposed_at.as_ref())),
        ("by", entry.by.clone()),
        ("department", maybe(entry.department.as_ref())),
    ];
    let adopted = entry.adoption.as_ref().map(|adoption| &adoption.adopted);
    let before = entry
        .adoption
        .as_ref()
        .and_then(|adoption| adoption.before.as_ref());
    cells.extend([
        ("adopted_table", maybe(adopted.map(|table| &table.table))),
        (
            "reading",
            maybe(adopted.and_then(|table| table.reading.as_ref())),
        ),
        (
            "letter",
            maybe(adopted.and_then(|table| table.letter.as_ref())),
        ),
        ("returns", maybe(adopted.map(|table| &table.returns))),
        (
            "reading_before",
            maybe(before.and_then(|table| table.reading.as_ref())),
        ),
        ("returns_before", maybe(before.map(|table| &table.returns))),
    ]);
    cells
}
