//! `meterhouse verify FILE`: an export or the evidence of a hit, without a database and without a network.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use meterhouse_api::time;
use meterhouse_engine::verify::LinkReport;
use meterhouse_engine::verify::file::{FileReport, Known, verify_file};
use meterhouse_engine::verify::signed::WitnessReport;
use meterhouse_http::evidence::is_evidence;
use meterhouse_journal::tree_head::{PublicKey, SignedHead};
use serde::Serialize;

use crate::cli::VerifyArgs;
use crate::commands::verify_evidence;
use crate::failure::Failure;
use crate::output::{self, outln};
use crate::witness_lines::witnessed_heads;

/// Maximum number of bytes of an evidence bundle that are read.
const EVIDENCE_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Verifies a file with the other arguments of `verify`.
pub(crate) fn run(path: &Path, asked: &VerifyArgs) -> Result<(), Failure> {
    let known = Known {
        keys: asked
            .keys
            .iter()
            .map(|key| public_key(key))
            .collect::<Result<_, _>>()?,
        witnessed: match &asked.witness {
            Some(path) => Some(witnessed(path)?),
            None => None,
        },
    };
    let file = File::open(path).map_err(|error| unreadable(path, &error.to_string()))?;
    let mut file = BufReader::new(file);
    let beginning = file.fill_buf();
    let beginning = beginning.map_err(|error| unreadable(path, &error.to_string()))?;
    if is_evidence(beginning) {
        let mut text = Vec::new();
        let read = file.take(EVIDENCE_BYTES_MAX).read_to_end(&mut text);
        read.map_err(|error| unreadable(path, &error.to_string()))?;
        let name = path.display().to_string();
        return verify_evidence::run(&name, &text, &known, asked.json);
    }
    let report = verify_file(file, &known);
    let report = report.map_err(|error| unreadable(path, &error.to_string()))?;
    if asked.json {
        output::json(&VerifiedFile::from(&report))?;
    } else {
        print(&report, &known);
    }
    if report.agrees() {
        Ok(())
    } else {
        Err(Failure::Difference)
    }
}

fn unreadable(path: &Path, what: &str) -> Failure {
    Failure::Usage(format!(
        "{} can't be read as an export: {what}; `meterhouse export` writes one",
        path.display()
    ))
}

/// Reads a public key: its digits, or a file with digits or PEM.
fn public_key(text: &str) -> Result<PublicKey, Failure> {
    if let Ok(key) = text.parse() {
        return Ok(key);
    }
    let wrong = |what: String| Failure::Usage(format!("--key {text}: {what}"));
    let file = fs::read_to_string(text);
    let file = file.map_err(|error| wrong(format!("neither 64 digits nor a file ({error})")))?;
    file.parse().map_err(|error| wrong(format!("{error}")))
}

/// Reads the heads that a witness kept.
fn witnessed(path: &Path) -> Result<Vec<SignedHead>, Failure> {
    let wrong = |what: String| Failure::Usage(format!("--witness {}: {what}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let heads = |(number, line): (u64, &str)| {
        witnessed_heads(line).ok_or_else(|| wrong(format!("line {number} is no signed head")))
    };
    let heads: Result<Vec<_>, _> = lines.map(heads).collect();
    Ok(heads?.concat())
}

/// The result, printed as JSON with `--json`.
#[derive(Serialize)]
struct VerifiedFile {
    /// `true` if nothing differs.
    agrees: bool,
    /// Identity of the database.
    database: String,
    /// Time of the export.
    exported_at: String,
    /// Program that wrote the file.
    program: String,
    /// Link; null if the file ends before it.
    link: Option<String>,
    /// First batch here.
    first_batch: u64,
    batches: u64,
    events: u64,
    decided_again: u64,
    /// Hash of the last batch.
    chain_hash: Option<String>,
    /// Last batch that a signed head covers; null without one.
    signed_through: Option<u64>,
    /// Number of signed heads by public key.
    signed_by: std::collections::BTreeMap<String, u64>,
    /// Heads that prove nothing, and why.
    unproven_heads: Vec<String>,
    /// What the witness says; null without one.
    witness: Option<Witness>,
    /// Differences, each with its place.
    differences: Vec<String>,
    /// Number of further differences, which may be consequences of the others.
    more_differences: u64,
}

/// What the heads of a witness say of the file.
#[derive(Serialize)]
struct Witness {
    /// Number of heads that confirm something here.
    heads: u64,
    /// Last entry of the house's chain that they confirm; null if they confirm none.
    entry: Option<u64>,
    /// Last batch that they confirm; null if they confirm none.
    batch: Option<u64>,
    /// Last batch under them, if the file ends before.
    beyond: Option<u64>,
}

impl From<&FileReport> for VerifiedFile {
    fn from(report: &FileReport) -> Self {
        let link = report.link.as_ref();
        let count = |of: fn(&LinkReport) -> u64| link.map_or(0, of);
        Self {
            agrees: report.agrees(),
            database: hex::encode(report.header.identity),
            exported_at: time::text(report.header.at),
            program: report.header.program.clone(),
            link: link.map(|link| link.link.to_string()),
            first_batch: report.before + 1,
            batches: count(|link| link.batches),
            events: count(|link| link.events),
            decided_again: count(|link| link.decided),
            chain_hash: link.map(|link| link.chain_hash.to_string()),
            signed_through: report.heads.signed_through.map(|(batch, _)| batch),
            signed_by: report
                .heads
                .by_key
                .iter()
                .map(|(key, heads)| (key.to_string(), *heads))
                .collect(),
            unproven_heads: report.heads.unproven.clone(),
            witness: report.witness.as_ref().map(|witness| Witness {
                heads: witness.confirming,
                entry: witness.entry,
                batch: witness.batch,
                beyond: witness.beyond,
            }),
            differences: differences(report),
            more_differences: report.more_findings + count(|link| link.more_findings),
        }
    }
}

fn differences(report: &FileReport) -> Vec<String> {
    let of_link = report.link.iter().flat_map(|link| &link.findings);
    report.findings.iter().chain(of_link).cloned().collect()
}

/// Prints the result for people.
fn print(report: &FileReport, known: &Known) {
    let FileReport { header, before, .. } = report;
    outln!(
        "export of database {}, written {} by {}",
        hex::encode(header.identity),
        time::text(header.at),
        header.program
    );
    if let Some(link) = &report.link {
        outln!(
            "link {}: batches {} to {}, {} events ({} refusals, {} decided again)",
            link.link,
            before + 1,
            before + link.batches,
            link.events,
            link.refusals,
            link.decided
        );
        if *before > 0 {
            outln!(
                "the state before batch {} is taken from the file: its balances are proven, the rest of it is not",
                before + 1
            );
        }
    }
    print_heads(report, known);
    if let Some(witness) = &report.witness {
        print_witness(witness);
    }
    for difference in differences(report) {
        outln!("  DIFFERS {difference}");
    }
    let of_link = report.link.as_ref().map_or(0, |link| link.more_findings);
    let more = report.more_findings + of_link;
    if more > 0 {
        outln!("  and {more} more, which may only follow from these");
    }
    if report.agrees() {
        outln!("everything agrees, difference 0.00");
    } else {
        outln!("differences were found");
    }
}

/// Prints who signed how far.
fn print_heads(report: &FileReport, known: &Known) {
    let heads = &report.heads;
    for (key, count) in &heads.by_key {
        outln!("{count} heads are signed by {key}");
    }
    print_unproven(&heads.unproven);
    let last = report
        .link
        .as_ref()
        .map(|link| report.before + link.batches);
    match (heads.signed_through, last) {
        (Some((through, at)), Some(last)) => outln!(
            "signed through batch {through} on {}; {} batches behind it are not signed yet",
            time::text(at),
            last.saturating_sub(through)
        ),
        _ => outln!("no signed head proves anything of this link"),
    }
    if known.keys.is_empty() && heads.heads > 0 {
        outln!(
            "the keys are the file's own word: compare them with those that the house gave you, with --key"
        );
    }
}

/// Prints what the witness says.
fn print_witness(witness: &WitnessReport) {
    let through = |what: &str, last: Option<u64>| last.map(|last| format!("{what} {last}"));
    let parts = [
        through("entry", witness.entry),
        through("batch", witness.batch),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        outln!(
            "the witness confirms all through {}, by {} of its heads",
            parts.join(" and "),
            witness.confirming
        );
    }
    if let Some(beyond) = witness.beyond {
        outln!(
            "the witness has heads through batch {beyond}, which is behind the end of this file: ask for a newer one"
        );
    }
}

/// Prints the heads that prove nothing.
pub(crate) fn print_unproven(heads: &[String]) {
    for head in heads {
        outln!("  proves nothing: {head}");
    }
}
