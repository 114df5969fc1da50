//! The report of alterations: the changes of people on a link.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::change::TableAdopted;
use crate::values::{
    Account, Amount, Department, HitName, LevelName, LinkName, Position, ProposalId, TableName,
    Time,
};
use crate::words::AlterationKind;

/// The changes of people on a link in a period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AlterationReport {
    /// Link.
    pub link: LinkName,
    /// Start; null from the opening.
    pub from: Option<Time>,
    /// End; null up to now.
    pub to: Option<Time>,
    /// Last batch before the period; 0 from the opening.
    pub from_batch: u64,
    /// Last batch of the period.
    pub to_batch: u64,
    /// Changes, in the journal's order.
    pub alterations: Vec<Alteration>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Alteration {
    /// Position in the journal. First values that were accepted together have the same one.
    pub position: Position,
    /// Time.
    pub at: Time,
    /// Kind.
    pub kind: AlterationKind,
    /// Level, if the change is about one.
    pub level: Option<LevelName>,
    /// Account, if a balance was adjusted.
    pub account: Option<Account>,
    /// Table, if the change is about one.
    pub table: Option<TableName>,
    /// Hit, if the change is about one.
    pub hit: Option<HitName>,
    /// Exact balance before; of the meter if no account is named.
    pub before: Option<Amount>,
    /// Exact balance after, or the value that was accepted.
    pub after: Option<Amount>,
    /// Reason, as the person or the first of two people gave it.
    pub reason: Option<String>,
    /// Reason of a cleared fault.
    pub fault: Option<String>,
    /// Table of fixed wagers that was adopted; left out for other changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adoption: Option<TableAdopted>,
    /// Proposal of two people.
    pub proposal: Option<ProposalId>,
    /// First of two people; null if the proposal is archived.
    pub proposed_by: Option<String>,
    /// Department of the first person.
    pub proposed_department: Option<Department>,
    /// Time of the proposal.
    pub proposed_at: Option<Time>,
    /// Person who changed it; of two, the one who approved.
    pub by: String,
    /// Department of the person who approved.
    pub department: Option<Department>,
}
