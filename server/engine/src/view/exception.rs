//! The exceptions of a link: what someone has to look at and clear.

use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{LevelName, ProposalId, TableName, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_journal::position::Position;

/// The selection of a link's exceptions.
#[derive(Copy, Clone, Debug)]
pub struct ExceptionFilter {
    /// The start of the period, if it has one.
    pub from: Option<Timestamp>,
    /// The end of the period, if it has one. An exception at this time is not included.
    pub to: Option<Timestamp>,
    /// Cleared ones or open ones; both if left out.
    pub cleared: Option<bool>,
    /// Exceptions before this position only.
    pub after: Option<Position>,
    /// Maximum number of exceptions.
    pub limit: u32,
}

/// An exception: an event of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExceptionView {
    /// The position of the event.
    pub position: Position,
    /// The time of the event.
    pub at: Timestamp,
    /// The kind of the exception.
    pub kind: ExceptionKind,
    /// The dealer's badge, or the person; of two people, the one who approved.
    pub by: Option<String>,
    /// The table, if the exception is about one.
    pub table: Option<TableName>,
    /// The level, if the exception is about one.
    pub level: Option<LevelName>,
    /// The hit, if the exception is about one.
    pub hit: Option<HitName>,
    /// The proposal, if two people caused the exception.
    pub proposal: Option<ProposalId>,
    /// The counted chips.
    pub counted: Option<u32>,
    /// The accepted wagers.
    pub accepted: Option<u32>,
    /// The amount that a meter was short of.
    pub short: Option<Money>,
    /// The time at which a lost table was last heard.
    pub heard_at: Option<Timestamp>,
    /// The reason of a fault.
    pub reason: Option<String>,
    /// The clearance, if someone cleared the exception.
    pub clearance: Option<Clearance>,
}

/// The kind of an exception.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ExceptionKind {
    /// The dealer counted another number of chips than wagers were accepted.
    CountDiffers,
    /// A table was silent for too long.
    TableLost,
    /// A meter was short.
    MeterShort,
    /// The link was faulted.
    LinkFaulted,
}

/// A cleared exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clearance {
    /// The person who cleared it.
    pub by: String,
    /// The time of the clearance.
    pub at: Timestamp,
    /// The reason, as the person gave it.
    pub reason: String,
}
