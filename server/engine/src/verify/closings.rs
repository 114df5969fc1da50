//! Verification of signed days: each report is made again from the journal and compared with the signed one.
//!
//! # Limits
//! Days whose events are archived are compared with the house's chain only.

use meterhouse_store::{CLOSINGS_MAX, ClosingRow, Store};

use super::link_report::{FINDINGS_MAX, LinkReport};
use crate::answer::{NotExecuted, unavailable};
use crate::clock::now;
use crate::reports::closing::closing_of;
use crate::view::{Day, WriteClosing};

/// Microseconds in a second.
const MICROS_PER_SECOND: i64 = 1_000_000;

/// Compares the signed days of a link that was replayed, and adds the differences to its report. `write` writes a report
/// as its signed bytes.
///
/// # Errors
/// [`NotExecuted`] if the database can't be queried. Differences are no error: the report contains them.
pub async fn verify_closings(
    store: &Store,
    report: &mut LinkReport,
    write: WriteClosing,
) -> Result<(), NotExecuted> {
    let Some((link, state)) = report.end.take() else {
        return Ok(());
    };
    let mut before = i32::MAX;
    loop {
        let page = (i32::MIN, before);
        let page = store.list_closings(link, page, CLOSINGS_MAX).await;
        let page = page.map_err(unavailable)?;
        for listed in &page {
            before = listed.day;
            let signed = store.find_closing(link, listed.day).await;
            let Some(signed) = signed.map_err(unavailable)? else {
                continue;
            };
            let place = format!("closing: the day {}", Day(listed.day));
            warn_of_clock(&signed);
            let made = match closing_of(store, link, &state, Day(listed.day)).await {
                // Only a day that is over is signed. The clock here may be behind, which changes no day.
                Ok(made) => made.map(|made| write(&made.completed())),
                Err(NotExecuted::PositionArchived { .. }) => {
                    report.days_unread += 1;
                    continue;
                }
                Err(
                    error
                    @ (NotExecuted::DatabaseUnavailable | NotExecuted::DatabaseNotWritable(_)),
                ) => return Err(error),
                Err(error) => {
                    find(report, format!("{place} can't be reported again: {error}"));
                    continue;
                }
            };
            report.days += 1;
            if made != signed.report {
                find(report, format!("{place} differs from the journal"));
            }
        }
        if page.len() < CLOSINGS_MAX {
            return Ok(());
        }
    }
}

/// Warns of a clock that is behind the signature of a day.
fn warn_of_clock(signed: &ClosingRow) {
    let now = now();
    if signed.at > now {
        let day = Day(signed.day);
        let seconds = (signed.at.0 - now.0) / MICROS_PER_SECOND;
        tracing::warn!(%day, seconds, "the clock of this machine is behind: the day was signed later by the clock of the server");
    }
}

fn find(report: &mut LinkReport, what: String) {
    if report.findings.len() < FINDINGS_MAX {
        report.findings.push(what);
    } else {
        report.more_findings += 1;
    }
}
