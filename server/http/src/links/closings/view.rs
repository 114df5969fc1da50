//! A day as a response has it, and its report as the bytes that a person signs.

use meterhouse_api::closing::{
    Closing, ClosingBalances, ClosingHead, ClosingHit, ClosingLevel, ClosingPayment, ClosingReport,
    ClosingSignature,
};
use meterhouse_api::text::Text;
use meterhouse_api::time;
use meterhouse_engine::view::{self, BookBalances, ClosingView, Day, DayClosing};

use super::super::displayed::decrease;
use super::super::exceptions::exception;
use crate::problem::Failure;
use crate::render::value::level_name;

/// Characters of a date.
const DATE_LENGTH: usize = 10;

/// Returns the report of a day as the bytes that a person signs: JSON without spaces, its members in the order of the API.
pub fn closing_bytes(view: &ClosingView) -> Vec<u8> {
    // Plain texts and numbers are always written. The database refuses a report without bytes.
    serde_json::to_vec(&report(view)).unwrap_or_default()
}

/// Returns a day with its signature: of a signed day the report as it was signed.
pub(super) fn closing(day: &DayClosing) -> Result<Closing, Failure> {
    let covered_by = day.covered_by.map(|head| ClosingHead {
        number: head.number,
        batch: head.batch,
        signed_at: Text(head.at),
    });
    let made = day.report.as_ref();
    let Some(signed) = &day.signed else {
        let made = made.ok_or_else(|| Failure::internal("an unsigned day has no report"))?;
        return Ok(Closing {
            report: report(made),
            covered_by,
            sign_off: None,
        });
    };
    let bytes = signed.report.as_deref().unwrap_or_default();
    let read = serde_json::from_slice(bytes);
    let shown = read.map_err(|_| Failure::internal("a signed report can't be read"))?;
    let matches = made.map(|made| closing_bytes(made) == bytes);
    let differs = made.filter(|_| matches == Some(false));
    Ok(Closing {
        report: shown,
        covered_by,
        sign_off: Some(ClosingSignature {
            by: signed.actor_name.clone().unwrap_or_default(),
            at: Text(signed.at),
            note: signed.note.clone(),
            sha256: hex::encode(signed.report_hash),
            matches,
            recomputed: differs.map(report),
        }),
    })
}

/// Returns a day as YYYY-MM-DD.
pub(super) fn date(day: Day) -> String {
    let mut text = time::text(day.begin());
    text.truncate(DATE_LENGTH);
    text
}

fn report(view: &ClosingView) -> ClosingReport {
    ClosingReport {
        link: Text(view.link.clone()),
        date: date(view.day),
        from: Text(view.day.begin()),
        to: Text(view.day.end()),
        complete: view.complete,
        from_batch: view.from_batch,
        to_batch: view.to_batch,
        chain_hash: view.chain_hash.to_string(),
        balanced: view.is_balanced(),
        levels: view.levels.iter().map(level).collect(),
        decreases: view.decreases.iter().map(decrease).collect(),
        unmatched: Text(view.unmatched),
        hits: view.hits.iter().map(hit).collect(),
        payments: view.payments.iter().map(payment).collect(),
        exceptions: view.exceptions.iter().map(exception).collect(),
        open_exceptions: view.open_exceptions(),
    }
}

fn level(level: &view::ClosingLevel) -> ClosingLevel {
    let flows = &level.flows;
    ClosingLevel {
        level: level_name(&flows.name),
        opening: balances(&level.opening),
        contributions: Text(flows.contributions),
        house: Text(flows.house),
        paid: Text(flows.paid),
        adjustments: Text(flows.adjustments),
        closing: balances(&level.closing),
        difference: Text(flows.difference),
    }
}

fn balances(book: &BookBalances) -> ClosingBalances {
    ClosingBalances {
        meter: Text(book.meter),
        reserve: Text(book.reserve),
        overflow: Text(book.overflow),
        pending: Text(book.pending),
    }
}

fn hit(hit: &view::ClosingHit) -> ClosingHit {
    ClosingHit {
        hit: Text(hit.hit.clone()),
        position: Text(hit.position),
        at: Text(hit.at),
        order: hit.order,
        level: hit.level.clone().map(Text),
        before: hit.before.map(Text),
        after: hit.after.map(Text),
        due: Text(hit.due),
    }
}

fn payment(payment: &view::ClosingPayment) -> ClosingPayment {
    ClosingPayment {
        position: Text(payment.position),
        at: Text(payment.at),
        hits: payment.hits.iter().cloned().map(Text).collect(),
        payout: payment.payout,
        document: payment.document.clone().map(Text),
        amount: Text(payment.amount),
    }
}
