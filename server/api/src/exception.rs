//! The exceptions of a link, and the clearing of one.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::request::objects;
use crate::values::{
    Amount, GivenNote, HitName, LevelName, LinkName, Position, ProposalId, TableName, Time,
};
use crate::words::ExceptionKind;

/// A page of a link's exceptions, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ExceptionPage {
    /// Link.
    pub link: LinkName,
    /// Exceptions.
    pub exceptions: Vec<LinkException>,
    /// True if older ones follow.
    pub more: bool,
    /// Value of `after` for the next page.
    pub next: Option<Position>,
}

/// An event of the journal that someone has to look at and clear.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkException {
    /// Position in the journal.
    pub position: Position,
    /// Time.
    pub at: Time,
    /// Kind.
    pub kind: ExceptionKind,
    /// Badge of the dealer, or the person; of two people, the one who approved. Null for the server itself.
    pub by: Option<String>,
    /// Table, if the exception is about one.
    pub table: Option<TableName>,
    /// Level, if the exception is about one.
    pub level: Option<LevelName>,
    /// Hit, if the exception is about one.
    pub hit: Option<HitName>,
    /// Proposal, if two people caused the exception.
    pub proposal: Option<ProposalId>,
    /// Chips that the dealer counted.
    pub counted: Option<u32>,
    /// Wagers that the coin-in accepted.
    pub accepted: Option<u32>,
    /// Amount that a meter was short of, exact.
    pub short: Option<Amount>,
    /// Time at which a lost table was heard last.
    pub heard_at: Option<Time>,
    /// Reason of a fault.
    pub reason: Option<String>,
    /// Clearance; null while the exception is open.
    pub clearance: Option<ExceptionClearance>,
}

/// The reason that an exception is cleared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ClearanceRequest {
    /// Reason, for the people who read the report.
    pub reason: GivenNote,
}

/// The clearance of an exception.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ExceptionClearance {
    /// Person who cleared it.
    pub by: String,
    /// Time.
    pub at: Time,
    /// Reason, as the person gave it.
    pub reason: String,
}

/// An exception that is cleared: the same at every request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClearedException {
    /// Link.
    pub link: LinkName,
    /// Position of the exception in the journal.
    pub position: Position,
    /// Person who cleared it.
    pub by: String,
    /// Time.
    pub at: Time,
    /// Reason, as the person gave it.
    pub reason: String,
}

objects! { ClearanceRequest }
