//! The changes of people on a link.

use meterhouse_domain::adopted::AdoptedTable;
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{
    Department, LevelName, LinkName, Note, ProposalId, TableName, Timestamp,
};
use meterhouse_domain::link::Account;
use meterhouse_domain::money::Money;
use meterhouse_journal::position::Position;

use super::proposal::Act;

/// The changes of people on a link in a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlterationsView {
    /// The link.
    pub link: LinkName,
    /// The last batch before the period; 0 from the opening.
    pub from_batch: u64,
    /// The last batch of the period.
    pub to_batch: u64,
    /// The changes, in the journal's order.
    pub alterations: Vec<Alteration>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alteration {
    /// The position in the journal.
    pub position: Position,
    /// The time of the change.
    pub at: Timestamp,
    /// The kind of the change.
    pub kind: AlterationKind,
    /// The person; of two, the one who approved.
    pub by: String,
    /// The department of the person who approved.
    pub department: Option<Department>,
    /// The level, if the change is about one.
    pub level: Option<LevelName>,
    /// The account, if a balance was adjusted.
    pub account: Option<Account>,
    /// The table, if the change is about one.
    pub table: Option<TableName>,
    /// The hit, if the change is about one.
    pub hit: Option<HitName>,
    /// The exact balance before.
    pub before: Option<Money>,
    /// The exact balance after.
    pub after: Option<Money>,
    /// The reason, as the first person gave it.
    pub reason: Option<Note>,
    /// The reason of a cleared fault.
    pub fault: Option<String>,
    /// The table of fixed wagers that was adopted, with what it was before.
    pub adoption: Option<(Box<AdoptedTable>, Option<Box<AdoptedTable>>)>,
    /// The proposal of two people.
    pub proposal: Option<ProposalId>,
    /// The first of two people. Empty if the proposal is archived.
    pub proposed: Option<Act>,
}

/// The kind of a change.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum AlterationKind {
    /// Two people adjusted a balance.
    Adjusted,
    /// Two people withdrew a hit.
    Corrected,
    /// Two people recorded a winner found after GAME OVER.
    LateHitRecorded,
    /// Two people cleared a fault.
    FaultCleared,
    /// Two people acknowledged the returns.
    ReturnsAcknowledged,
    /// Two people adopted a table of fixed wagers.
    TableAdopted,
    /// A manager accepted the first value of a level.
    ValuesAccepted,
    /// A manager suspended the link.
    LinkSuspended,
    /// A manager resumed the link.
    LinkResumed,
    /// A manager switched a level off.
    LevelDisabled,
    /// A manager switched a level on.
    LevelEnabled,
    /// A manager switched a table off.
    TableDisabled,
    /// A manager switched a table on.
    TableEnabled,
    /// A manager let a table leave.
    TableLeft,
}
