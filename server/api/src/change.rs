//! Changes that need two people, and their effects.

use serde::de::{Deserializer, Error, MapAccess};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::hit::{Hit, ResettledHit};
use crate::request::{List, Request, SharedFields, flat, objects, take_once, unknown_variant};
use crate::sequence::SequenceNumber;
use crate::values::{
    AdjustedAccount, Amount, Card, Department, GivenLetter, GivenNote, Hand, HitName, Letter,
    LevelName, LinkName, PaytableId, ProposalId, ReadingName, Returned, TableName, Time,
};
use crate::words::{ProposalDecision, ProposalState};

/// A proposal of a change: its reason and one change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProposalRequest {
    /// Change, with its own fields.
    #[serde(flatten)]
    pub change: Change,
    /// Reason.
    pub reason: GivenNote,
}

/// A change that needs two people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// A hit that was validated or paid is withdrawn; later hits of its level get the amounts that they have without it.
    Correct(Correct),
    /// Money moves between the house and a meter or reserve.
    Adjust(Adjust),
    /// A winner who was found after GAME OVER is paid.
    LateHit(LateHit),
    /// A faulted link is in play again, with the balances that stand.
    ClearFault(ClearFault),
    /// A link plays although it returns more than the whole wager.
    AcknowledgeReturns(AcknowledgeReturns),
    /// A link settles fixed wagers by a reading of a doubtful print, or by a table that returns more than the wager.
    AdoptTable(AdoptTable),
}

/// The hit to withdraw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Correct {
    /// Hit.
    pub hit: HitName,
}

/// An amount that is added to a balance, or taken from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Adjust {
    /// Level.
    pub level: LevelName,
    /// Account.
    pub account: AdjustedAccount,
    /// Amount; with a `-` it is taken away.
    pub amount: Amount,
}

/// A winner who was found after GAME OVER.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct LateHit {
    /// Table.
    pub table: TableName,
    /// Number of the round's coin-in.
    pub round: SequenceNumber,
    /// Seat of the hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub seat: Option<u8>,
    /// Instead of a seat: `true` for the dealer's hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealer: Option<bool>,
    /// Hand.
    pub hand: Hand,
    /// Cards, if they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Card>>, max_items = 64)]
    pub cards: Option<List<Card>>,
}

/// The clearing of a fault, without fields of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ClearFault {}

/// The acknowledgement of returns, without fields of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct AcknowledgeReturns {}

/// The table of fixed wagers to adopt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct AdoptTable {
    /// Table.
    pub table: PaytableId,
    /// Reading of its print; left out for the print as it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<ReadingName>,
    /// Number of the regulator's letter that chooses the reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub letter: Option<GivenLetter>,
    /// Return of the wager that returns the most. A request may leave it out; another one than the table's is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<Returned>,
}

/// A decision about a proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ProposalDecisionRequest {
    /// Decision.
    pub decision: ProposalDecision,
    /// Reason of a `decline`; not allowed with `approve`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<GivenNote>,
}

objects! { Correct Adjust LateHit ClearFault AcknowledgeReturns AdoptTable ProposalDecisionRequest }

/// A proposal as it was made: the same at every request, whatever happened to it later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProposalMade {
    /// Proposal.
    pub proposal: ProposalId,
    /// Link.
    pub link: LinkName,
    /// Change, with its own fields.
    #[serde(flatten)]
    pub change: Change,
    /// Reason.
    pub reason: String,
    /// Person who proposed it.
    pub proposed_by: String,
    /// Department of that person.
    pub proposed_department: Department,
    /// Time of the proposal.
    pub proposed_at: Time,
    /// Time until which it can be approved.
    pub expires_at: Time,
}

/// A proposal in its present state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Proposal {
    /// Proposal as it was made.
    #[serde(flatten)]
    pub made: ProposalMade,
    /// State.
    pub state: ProposalState,
    /// Person who approved or declined it.
    pub decided_by: Option<String>,
    /// Department of that person.
    pub decided_department: Option<Department>,
    /// Time of the decision.
    pub decided_at: Option<Time>,
    /// Reason of a decline.
    pub note: Option<String>,
    /// Effect, once it was approved.
    pub effect: Option<Effect>,
}

/// A page of a link's proposals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProposalPage {
    /// Link.
    pub link: LinkName,
    /// Proposals, newest first.
    pub proposals: Vec<Proposal>,
    /// True if more follow.
    pub more: bool,
    /// Value of `after` for the next page.
    pub next: Option<ProposalId>,
}

/// The decision of the second person: the same at every request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Approval {
    /// Proposal.
    pub proposal: ProposalId,
    /// Link.
    pub link: LinkName,
    /// Decision.
    pub decision: ProposalDecision,
    /// Person who decided.
    pub by: Option<String>,
    /// Department of that person.
    pub department: Option<Department>,
    /// Time of the decision.
    pub at: Option<Time>,
    /// Reason of a decline.
    pub note: Option<String>,
    /// Effect.
    pub effect: Option<Effect>,
}

/// The effect of an approved change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// A hit was withdrawn.
    Corrected(Corrected),
    /// A balance was adjusted.
    Adjusted(Adjusted),
    /// A late hit was recorded.
    LateHitRecorded(Box<LateHitRecorded>),
    /// The link is in play again.
    FaultCleared(FaultCleared),
    /// The returns of the link are acknowledged.
    ReturnsAcknowledged(ReturnsAcknowledged),
    /// A table is adopted.
    TableAdopted(TableAdopted),
}

/// A hit was withdrawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Corrected {
    /// Hit.
    pub hit: HitName,
    /// Later hits of the level with new amounts, in their order.
    pub resettled: Vec<ResettledHit>,
}

/// A balance was adjusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Adjusted {
    /// Level.
    pub level: LevelName,
    /// Account.
    pub account: AdjustedAccount,
    /// Exact balance before.
    pub before: Amount,
    /// Exact balance after.
    pub after: Amount,
}

/// A late hit was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LateHitRecorded {
    /// Hit.
    pub hit: Hit,
    /// True if the meter paid it; false if the house did, because the level was won since.
    pub from_meter: bool,
}

/// The link is in play again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FaultCleared {
    /// Reason of the fault.
    pub fault: String,
}

/// The returns of the link are acknowledged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReturnsAcknowledged {}

/// A table is adopted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableAdopted {
    /// Table now.
    pub adopted: AdoptedTable,
    /// Table before; null if it was not adopted.
    pub before: Option<AdoptedTable>,
}

/// A table of fixed wagers that two people adopted on a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AdoptedTable {
    /// Table.
    pub table: PaytableId,
    /// Reading of its print; null for the print as it stands.
    pub reading: Option<ReadingName>,
    /// Number of the regulator's letter that chose the reading.
    pub letter: Option<Letter>,
    /// Return of the wager that returns the most.
    pub returns: Returned,
}

/// Name of the field that names the change.
const TAG: &str = "change";

/// The field that every proposal has.
#[derive(Default)]
struct Beside {
    reason: Option<GivenNote>,
}

impl SharedFields for Beside {
    fn take<'de, A: MapAccess<'de>>(&mut self, field: &str, map: &mut A) -> Result<bool, A::Error> {
        match field {
            "reason" => take_once(&mut self.reason, "reason", map),
            _ => Ok(false),
        }
    }
}

impl Request for ProposalRequest {
    const TAG: Option<&'static str> = Some(TAG);
    const VARIANTS: &'static [&'static str] = &[
        "correct",
        "adjust",
        "late_hit",
        "clear_fault",
        "acknowledge_returns",
        "adopt_table",
    ];

    fn read<'de, D: Deserializer<'de>>(variant: &str, from: D) -> Result<Self, D::Error> {
        match variant {
            "correct" => own(from, Change::Correct),
            "adjust" => own(from, Change::Adjust),
            "late_hit" => own(from, Change::LateHit),
            "clear_fault" => own(from, Change::ClearFault),
            "acknowledge_returns" => own(from, Change::AcknowledgeReturns),
            "adopt_table" => own(from, Change::AdoptTable),
            _ => Err(D::Error::custom(unknown_variant::<Self>())),
        }
    }
}

fn own<'de, D, T>(from: D, change: fn(T) -> Change) -> Result<ProposalRequest, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let (Beside { reason }, own) = flat(TAG, from)?;
    let reason = reason.ok_or_else(|| D::Error::missing_field("reason"))?;
    let change = change(own);
    Ok(ProposalRequest { change, reason })
}
