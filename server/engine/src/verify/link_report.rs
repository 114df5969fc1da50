//! The report of a verified link.

use meterhouse_domain::ids::{LinkId, LinkName};
use meterhouse_domain::state::LinkState;
use meterhouse_journal::batch::ChainHash;
use meterhouse_store::Month;

use super::applied::Applied;
use super::signed::HeadsReport;

/// Maximum number of differences that are named; more are only counted.
pub(super) const FINDINGS_MAX: usize = 100;

/// The result of verifying a link.
#[derive(Clone, Debug)]
pub struct LinkReport {
    /// The link.
    pub link: LinkName,
    /// Batches read.
    pub batches: u64,
    /// Events read.
    pub events: u64,
    /// Refusals among the events.
    pub refusals: u64,
    /// Hits compared.
    pub hits: u64,
    /// Events whose command was decided again.
    pub decided: u64,
    /// Events that were only applied, in the order of the journal.
    pub applied: Vec<Applied>,
    /// Archived months whose events were read from their files.
    pub archived: Vec<Month>,
    /// Archived months whose files were not given. The link was not replayed.
    pub unread: Vec<Month>,
    /// The chain's head.
    pub chain_hash: ChainHash,
    /// The signed heads.
    pub heads: HeadsReport,
    /// Signed days whose reports were made again.
    pub days: u64,
    /// Signed days with archived events, which were not made again.
    pub days_unread: u64,
    /// The link after its last batch, for the reports of its days.
    pub(crate) end: Option<(LinkId, LinkState)>,
    /// The differences, each with its position.
    pub findings: Vec<String>,
    /// Differences beyond those named, or that may only follow from them.
    pub more_findings: u64,
}
