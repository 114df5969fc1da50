//! The result of `meterhouse verify`, as its JSON has it.

use std::time::Duration;

use meterhouse_engine::verify::{Applied, HouseReport, LinkReport};
use serde::Serialize;

/// The result of `verify`, printed as JSON with `--json`.
#[derive(Serialize)]
pub(super) struct Verified {
    /// `true` if nothing differs.
    pub(super) agrees: bool,
    /// Number of events read, of all links.
    pub(super) events: u64,
    /// Duration in milliseconds.
    pub(super) millis: u64,
    /// Result for people, tokens, paytables, cleared exceptions and signed days.
    pub(super) house: VerifiedHouse,
    /// Differences beyond single links: from the heads that the data folder knew, and links without
    /// a row.
    pub(super) differences: Vec<String>,
    /// Results of all links that were read.
    pub(super) links: Vec<VerifiedLink>,
}

/// The result for people, tokens, paytables, cleared exceptions and signed days.
#[derive(Serialize)]
pub(super) struct VerifiedHouse {
    pub(super) entries: u64,
    pub(super) people_and_devices: u64,
    pub(super) tokens: u64,
    pub(super) paytables: u64,
    pub(super) acts: u64,
    pub(super) cleared_exceptions: u64,
    pub(super) signed_days: u64,
    pub(super) slips: u64,
    pub(super) chain_hash: String,
    /// Number of signed heads.
    pub(super) signed_heads: u64,
    /// Heads that prove nothing, and why.
    pub(super) unproven_heads: Vec<String>,
    /// Differences, each with its position.
    pub(super) differences: Vec<String>,
    /// Number of further differences.
    pub(super) more_differences: u64,
}

/// The result for a link.
#[derive(Serialize)]
pub(super) struct VerifiedLink {
    pub(super) link: String,
    pub(super) batches: u64,
    pub(super) events: u64,
    pub(super) refusals: u64,
    pub(super) decided_again: u64,
    /// Ranges of the journal whose events were only applied, with reasons, in order.
    pub(super) only_applied: Vec<OnlyApplied>,
    pub(super) hits: u64,
    pub(super) chain_hash: String,
    /// Last batch that a signed head covers; null without one.
    pub(super) signed_through: Option<u64>,
    /// Heads that prove nothing, and why.
    pub(super) unproven_heads: Vec<String>,
    /// Archived months whose events were read from their files.
    pub(super) archived_months: Vec<String>,
    /// Archived months whose files were not given: the link was not verified.
    pub(super) unread_months: Vec<String>,
    /// Differences, each with its position.
    pub(super) differences: Vec<String>,
    /// Signed days whose reports were made again from the journal.
    pub(super) signed_days: u64,
    /// Signed days with archived events, which were not made again.
    pub(super) unread_days: u64,
    /// Number of further differences, which may be consequences of the others.
    pub(super) more_differences: u64,
}

/// A range of the journal whose events were only applied.
#[derive(Serialize)]
pub(super) struct OnlyApplied {
    pub(super) rule_version: u16,
    pub(super) first_batch: u64,
    pub(super) last_batch: u64,
    pub(super) events: u64,
}

impl Verified {
    pub(super) fn new(
        house: &HouseReport,
        reports: &[LinkReport],
        differences: Vec<String>,
        elapsed: Duration,
    ) -> Self {
        let links: Vec<VerifiedLink> = reports.iter().map(VerifiedLink::from).collect();
        let agree = |link: &VerifiedLink| link.differences.is_empty() && link.more_differences == 0;
        Self {
            agrees: differences.is_empty() && house.findings.is_empty() && links.iter().all(agree),
            events: links.iter().map(|link| link.events).sum(),
            millis: u64::try_from(elapsed.as_millis())
                .unwrap_or(u64::MAX)
                .max(1),
            house: VerifiedHouse::from(house),
            differences,
            links,
        }
    }
}

impl From<&HouseReport> for VerifiedHouse {
    fn from(report: &HouseReport) -> Self {
        Self {
            entries: report.entries,
            people_and_devices: report.actors,
            tokens: report.tokens,
            paytables: report.paytables,
            acts: report.acts,
            cleared_exceptions: report.clearances,
            signed_days: report.closings,
            slips: report.slips,
            chain_hash: report.chain_hash.to_string(),
            signed_heads: report.heads.heads,
            unproven_heads: report.heads.unproven.clone(),
            differences: report.findings.clone(),
            more_differences: report.more_findings,
        }
    }
}

impl From<&LinkReport> for VerifiedLink {
    fn from(report: &LinkReport) -> Self {
        Self {
            link: report.link.to_string(),
            batches: report.batches,
            events: report.events,
            refusals: report.refusals,
            decided_again: report.decided,
            only_applied: report.applied.iter().map(OnlyApplied::from).collect(),
            hits: report.hits,
            chain_hash: report.chain_hash.to_string(),
            signed_through: report.heads.signed_through.map(|(batch, _)| batch),
            unproven_heads: report.heads.unproven.clone(),
            archived_months: report.archived.iter().map(ToString::to_string).collect(),
            unread_months: report.unread.iter().map(ToString::to_string).collect(),
            differences: report.findings.clone(),
            signed_days: report.days,
            unread_days: report.days_unread,
            more_differences: report.more_findings,
        }
    }
}

impl From<&Applied> for OnlyApplied {
    fn from(applied: &Applied) -> Self {
        Self {
            rule_version: applied.rule_version,
            first_batch: applied.first_batch,
            last_batch: applied.last_batch,
            events: applied.events,
        }
    }
}
