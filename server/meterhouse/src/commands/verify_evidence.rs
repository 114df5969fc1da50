//! `meterhouse verify FILE` for an evidence bundle, without a database and without a network.

use meterhouse_api::time;
use meterhouse_engine::verify::file::Known;
use meterhouse_http::evidence::{EvidenceReport, verify_evidence};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{self, outln};

/// Verifies a bundle.
pub(crate) fn run(name: &str, text: &[u8], known: &Known, json: bool) -> Result<(), Failure> {
    let report = verify_evidence(text, known);
    let report = report
        .map_err(|what| Failure::Usage(format!("{name} can't be read as evidence: {what}")))?;
    if json {
        output::json(&VerifiedEvidence::from(&report))?;
    } else {
        print(&report);
    }
    if report.findings.is_empty() {
        Ok(())
    } else {
        Err(Failure::Difference)
    }
}

/// The result, printed as JSON with `--json`.
#[derive(Serialize)]
struct VerifiedEvidence {
    /// `true` if nothing differs.
    agrees: bool,
    /// Identity of the database.
    database: String,
    link: String,
    hit: String,
    /// Number of batches.
    batches: usize,
    /// Number of entries of the house's chain.
    entries: usize,
    /// Last batch that the bundle speaks of.
    through: u64,
    /// Key under the link's head; null if the proof can't be read.
    signed_by: Option<String>,
    /// What the bundle doesn't prove.
    not_proven: Vec<String>,
    /// Differences, each with its place.
    differences: Vec<String>,
    /// Number of further differences.
    more_differences: usize,
}

impl From<&EvidenceReport> for VerifiedEvidence {
    fn from(report: &EvidenceReport) -> Self {
        let evidence = &report.evidence;
        Self {
            agrees: report.findings.is_empty(),
            database: evidence.database.clone(),
            link: evidence.link.to_string(),
            hit: evidence.hit.hit.summary.hit.to_string(),
            batches: evidence.proof.batches.len(),
            entries: evidence.proof.entries.len(),
            through: evidence.through,
            signed_by: report.signed.as_ref().map(|signed| signed.key.to_string()),
            not_proven: report.unproven.clone(),
            differences: report.findings.clone(),
            more_differences: report.more_findings,
        }
    }
}

/// Prints the result for people.
fn print(report: &EvidenceReport) {
    let evidence = &report.evidence;
    let summary = &evidence.hit.hit.summary;
    outln!(
        "evidence of database {}, written {} by {}",
        evidence.database,
        evidence.written_at,
        evidence.program
    );
    outln!(
        "link {}: hit {}, {}, due {}",
        evidence.link,
        summary.hit,
        summary.state,
        summary.due
    );
    outln!(
        "{} batches with {} commands, {} entries of the house",
        evidence.proof.batches.len(),
        evidence.commands.len(),
        evidence.proof.entries.len()
    );
    if let Some(signed) = &report.signed {
        outln!(
            "head {} over batch {}, signed by {} on {}",
            signed.head,
            signed.through,
            signed.key,
            time::text(signed.at)
        );
    }
    for what in &report.unproven {
        outln!("  not proven: {what}");
    }
    for difference in &report.findings {
        outln!("  DIFFERS {difference}");
    }
    if report.more_findings > 0 {
        let more = report.more_findings;
        outln!("  and {more} more, which may only follow from these");
    }
    if report.findings.is_empty() {
        outln!("everything agrees, difference 0.00");
    } else {
        outln!("differences were found");
    }
}
