//! Verification of signed days: each report is made again from the journal and compared with the signed one.
//!
//! # Limits
//! Days whose events are archived are compared with the house's chain only.

use meterhouse_store::{CLOSINGS_MAX, Store};

use super::link_report::{FINDINGS_MAX, LinkReport};
use crate::answer::{NotExecuted, unavailable};
use crate::reports::closing::closing_of;
use crate::view::{Day, WriteClosing};

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
            let place = format!("closing: the day {}", listed.day);
            let made = match closing_of(store, link, &state, Day(listed.day)).await {
                Ok(made) => made.map(|made| write(&made)),
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

fn find(report: &mut LinkReport, what: String) {
    if report.findings.len() < FINDINGS_MAX {
        report.findings.push(what);
    } else {
        report.more_findings += 1;
    }
}
