//! The columns of the closing of a day.

use meterhouse_api::closing::{Closing, ClosingBalances, ClosingHit, ClosingLevel, ClosingPayment};
use meterhouse_api::exception::LinkException;

use super::displayed::decrease;
use super::{Cells, Columns, cell, maybe};

const COLUMNS: [&str; 53] = [
    "link",
    "date",
    "from",
    "to",
    "complete",
    "from_batch",
    "to_batch",
    "chain_hash",
    "balanced",
    "unmatched",
    "open_exceptions",
    "signed_by",
    "signed_at",
    "note",
    "sha256",
    "matches",
    "part",
    "level",
    "opening_meter",
    "opening_reserve",
    "opening_overflow",
    "opening_pending",
    "contributions",
    "house",
    "paid",
    "adjustments",
    "closing_meter",
    "closing_reserve",
    "closing_overflow",
    "closing_pending",
    "difference",
    "position",
    "at",
    "amount",
    "cause",
    "hit",
    "proposal",
    "order",
    "before",
    "after",
    "due",
    "payout",
    "document",
    "kind",
    "table",
    "by",
    "counted",
    "accepted",
    "short",
    "reason",
    "cleared_by",
    "cleared_at",
    "clearance",
];

impl Columns for Closing {
    const TITLE: &'static str = "CLOSING OF A DAY";
    const COLUMNS: &'static [&'static str] = &COLUMNS;

    fn mark(&self) -> Option<&'static str> {
        self.sign_off.is_none().then_some("NOT SIGNED OFF")
    }

    fn whole(&self) -> Cells {
        of_day(self)
    }

    fn parts(&self) -> Vec<Cells> {
        let report = &self.report;
        let levels = report.levels.iter().map(level);
        let decreases = report.decreases.iter().map(decrease);
        let hits = report.hits.iter().map(hit);
        let payments = report.payments.iter().map(payment);
        let exceptions = report.exceptions.iter().map(exception);
        let parts = levels.chain(decreases).chain(hits).chain(payments);
        parts.chain(exceptions).collect()
    }
}

fn of_day(closing: &Closing) -> Cells {
    let report = &closing.report;
    let mut cells = vec![
        ("link", cell(&report.link)),
        ("date", cell(&report.date)),
        ("from", cell(&report.from)),
        ("to", cell(&report.to)),
        ("complete", cell(&report.complete)),
        ("from_batch", cell(&report.from_batch)),
        ("to_batch", cell(&report.to_batch)),
        ("chain_hash", cell(&report.chain_hash)),
        ("balanced", cell(&report.balanced)),
        ("unmatched", cell(&report.unmatched)),
        ("open_exceptions", cell(&report.open_exceptions)),
    ];
    if let Some(signed) = &closing.sign_off {
        cells.extend([
            ("signed_by", cell(&signed.by)),
            ("signed_at", cell(&signed.at)),
            ("note", maybe(signed.note.as_ref())),
            ("sha256", cell(&signed.sha256)),
            ("matches", maybe(signed.matches.as_ref())),
        ]);
    }
    cells
}

fn level(level: &ClosingLevel) -> Cells {
    let ClosingBalances {
        meter,
        reserve,
        overflow,
        pending,
    } = &level.opening;
    let closing = &level.closing;
    vec![
        ("part", "level".to_owned()),
        ("level", cell(&level.level)),
        ("opening_meter", cell(meter)),
        ("opening_reserve", cell(reserve)),
        ("opening_overflow", cell(overflow)),
        ("opening_pending", cell(pending)),
        ("contributions", cell(&level.contributions)),
        ("house", cell(&level.house)),
        ("paid", cell(&level.paid)),
        ("adjustments", cell(&level.adjustments)),
        ("closing_meter", cell(&closing.meter)),
        ("closing_reserve", cell(&closing.reserve)),
        ("closing_overflow", cell(&closing.overflow)),
        ("closing_pending", cell(&closing.pending)),
        ("difference", cell(&level.difference)),
    ]
}

fn hit(hit: &ClosingHit) -> Cells {
    vec![
        ("part", "hit".to_owned()),
        ("level", maybe(hit.level.as_ref())),
        ("position", cell(&hit.position)),
        ("at", cell(&hit.at)),
        ("hit", cell(&hit.hit)),
        ("order", cell(&hit.order)),
        ("before", maybe(hit.before.as_ref())),
        ("after", maybe(hit.after.as_ref())),
        ("due", cell(&hit.due)),
    ]
}

/// Returns the cells of a payment. Several hits stand in one cell, with spaces between.
fn payment(payment: &ClosingPayment) -> Cells {
    let hits: Vec<String> = payment.hits.iter().map(cell).collect();
    vec![
        ("part", "payment".to_owned()),
        ("position", cell(&payment.position)),
        ("at", cell(&payment.at)),
        ("amount", cell(&payment.amount)),
        ("hit", hits.join(" ")),
        ("payout", maybe(payment.payout.as_ref())),
        ("document", maybe(payment.document.as_ref())),
    ]
}

fn exception(exception: &LinkException) -> Cells {
    let clearance = exception.clearance.as_ref();
    vec![
        ("part", "exception".to_owned()),
        ("level", maybe(exception.level.as_ref())),
        ("position", cell(&exception.position)),
        ("at", cell(&exception.at)),
        ("hit", maybe(exception.hit.as_ref())),
        ("proposal", maybe(exception.proposal.as_ref())),
        ("kind", exception.kind.name().to_owned()),
        ("table", maybe(exception.table.as_ref())),
        ("by", maybe(exception.by.as_ref())),
        ("counted", maybe(exception.counted.as_ref())),
        ("accepted", maybe(exception.accepted.as_ref())),
        ("short", maybe(exception.short.as_ref())),
        ("reason", maybe(exception.reason.as_ref())),
        ("cleared_by", maybe(clearance.map(|cleared| &cleared.by))),
        ("cleared_at", maybe(clearance.map(|cleared| &cleared.at))),
        ("clearance", maybe(clearance.map(|cleared| &cleared.reason))),
    ]
}
