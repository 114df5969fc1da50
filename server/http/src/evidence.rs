//! The verification of an evidence bundle: no database and no network, only the pure rules.
//!
//! # Shape
//! The batches of the bundle are compared with its signatures. Everything that people read is made from the batches again,
//! by the functions of the server, and compared member by member.
//!
//! # Limits
//! [`FINDINGS_MAX`] differences are named.

use meterhouse_api::evidence::{Evidence, FORMAT};
use meterhouse_api::report::Payoff;
use meterhouse_api::text::Text;
use meterhouse_domain::hit_name::HitName;
use meterhouse_engine::evidence::check::{SignedBy, check};
use meterhouse_engine::evidence::derived::derive;
use meterhouse_engine::evidence::{EvidenceProof, PayoffFigures, payoff_findings};
use meterhouse_engine::verify::file::Known;
use serde_json::Value;

use crate::render::evidence::{Unproven, evidence};
use crate::render::evidence_proof::read_proof;

/// Maximum number of differences that are named.
pub const FINDINGS_MAX: usize = 50;
/// Members that the batches don't prove.
const UNPROVEN: [&str; 2] = ["written_at", "program"];
/// Number of characters of a value that a difference repeats.
const SHOWN_MAX: usize = 80;

/// The result of verifying a bundle.
#[derive(Debug)]
pub struct EvidenceReport {
    /// Bundle.
    pub evidence: Evidence,
    /// What the signatures say; `None` if the proof can't be read.
    pub signed: Option<SignedBy>,
    /// Differences, each with its place.
    pub findings: Vec<String>,
    /// Differences beyond those named.
    pub more_findings: usize,
    /// What the bundle doesn't prove.
    pub unproven: Vec<String>,
}

/// Returns `true` if a file begins as a bundle does.
pub fn is_evidence(beginning: &[u8]) -> bool {
    beginning.trim_ascii_start().starts_with(b"{")
}

/// Verifies a bundle.
///
/// # Errors
/// A sentence if the text is no bundle. Differences are no error: the report contains them.
pub fn verify_evidence(text: &[u8], known: &Known) -> Result<EvidenceReport, String> {
    let file: Value = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    if file["format"] != FORMAT {
        return Err(format!("its member format is not {FORMAT:?}"));
    }
    let read: Evidence = serde_json::from_value(file.clone()).map_err(|error| error.to_string())?;
    let Text(hit) = read.hit.hit.summary.hit.clone();
    let (mut signed, mut findings) = (None, Vec::new());
    match read_proof(hit, &read.proof) {
        Ok(proof) => {
            let (by, differences) = check(&proof, known);
            findings.extend(differences);
            compare(&file, &read, &proof, &mut findings);
            signed = Some(by);
        }
        Err(what) => findings.push(what),
    }
    let more_findings = findings.len().saturating_sub(FINDINGS_MAX);
    findings.truncate(FINDINGS_MAX);
    Ok(EvidenceReport {
        unproven: unproven(&read, signed.as_ref(), known),
        evidence: read,
        signed,
        findings,
        more_findings,
    })
}

/// Makes the bundle from its batches again, and compares every member.
fn compare(file: &Value, read: &Evidence, proof: &EvidenceProof, findings: &mut Vec<String>) {
    let derived = match derive(proof) {
        Ok(derived) => derived,
        Err(what) => return findings.push(what),
    };
    findings.extend(derived.gaps.iter().cloned());
    let figures = read.payoff_report.as_ref().map(figures);
    findings.extend(payoff_findings(proof, &derived, figures.as_ref()));
    let unproven = Unproven {
        written_at: read.written_at.0,
        program: read.program.clone(),
        payoff: read.payoff_report.clone(),
    };
    let expected = evidence(proof, &derived, unproven);
    let level = expected.hit.hit.summary.level.clone();
    if let Some(report) = &read.payoff_report {
        let names = [
            ("hit", report.hit == expected.hit.hit.summary.hit),
            ("link", report.link == expected.link),
            ("level", Some(&report.level) == level.as_ref()),
        ];
        let wrong = names.iter().filter(|(_, is_same)| !is_same);
        findings.extend(wrong.map(|(member, _)| {
            format!("payoff_report.{member}: it is another one than the bundle's")
        }));
    }
    match serde_json::to_value(&expected) {
        Ok(expected) => differences("", file, &expected, findings),
        Err(error) => findings.push(error.to_string()),
    }
}

fn figures(report: &Payoff) -> PayoffFigures {
    let tables = report.contributions.iter().map(|table| table.amount.0);
    let entries = report.entries.iter().map(|entry| entry.amount.0);
    PayoffFigures {
        since_hit: report.since_hit.clone().map(|Text(hit): Text<HitName>| hit),
        since: report.since.0,
        opening: report.opening.0,
        moved: tables.chain(entries).collect(),
        before: report.before.0,
        displayed: report.displayed.0,
        due: report.due.0,
        after: report.after.0,
        difference: report.difference.0,
    }
}

/// Adds each place at which two values differ.
fn differences(place: &str, found: &Value, expected: &Value, findings: &mut Vec<String>) {
    if UNPROVEN.contains(&place) {
        return;
    }
    match (found, expected) {
        (Value::Object(one), Value::Object(other)) => {
            let missing = other.keys().filter(|name| !one.contains_key(*name));
            for name in one.keys().chain(missing) {
                let inside = if place.is_empty() {
                    name.clone()
                } else {
                    format!("{place}.{name}")
                };
                let of = |value: &Value| value.get(name).cloned().unwrap_or_default();
                differences(&inside, &of(found), &of(expected), findings);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                differences(&format!("{place}[{index}]"), one, other, findings);
            }
        }
        (Value::Array(one), Value::Array(other)) => findings.push(format!(
            "{place}: the file has {} entries, and the journal gives {}",
            one.len(),
            other.len()
        )),
        (one, other) if one != other => findings.push(format!(
            "{place}: the file has {}, and the journal gives {}",
            shown(one),
            shown(other)
        )),
        _ => {}
    }
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= SHOWN_MAX {
        return text;
    }
    let begin: String = text.chars().take(SHOWN_MAX).collect();
    format!("{begin}…")
}

/// Returns what the bundle doesn't prove.
fn unproven(read: &Evidence, signed: Option<&SignedBy>, known: &Known) -> Vec<String> {
    let mut unproven = vec![format!(
        "that nothing happened to the hit after batch {}, and that no command of a person is left out",
        read.through
    )];
    if read.payoff_report.is_some() {
        unproven.push(
            "the contribution of each single table and each entry in payoff_report: their sum is proven".to_owned(),
        );
    }
    unproven.push("written_at and program".to_owned());
    if known.keys.is_empty() {
        unproven
            .push("that the key is the house's: name the one that you have, with --key".to_owned());
    }
    let compared = signed.map_or(0, |signed| signed.compared);
    if known.witnessed.is_some() && compared == 0 {
        unproven.push(
            "that the witness saw the same: none of its heads is about these batches".to_owned(),
        );
    }
    unproven
}
