//! Proposals with names, open or decided.

use std::sync::Arc;

use meterhouse_domain::adopted::AdoptedTable;
use meterhouse_domain::card::Card;
use meterhouse_domain::change::AdjustedAccount;
use meterhouse_domain::command::Holder;
use meterhouse_domain::event::{HitRecorded, Payout};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{
    Department, LevelName, LinkName, Note, ProposalId, Sequence, TableName, Timestamp,
};
use meterhouse_domain::link::Move;
use meterhouse_domain::money::Money;
use meterhouse_domain::state::LinkState;

/// A change that one person proposes to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProposedChange {
    /// The withdrawal of a validated or paid hit.
    Correct {
        /// The hit.
        hit: HitName,
    },
    /// A move of money between the house and a meter or reserve.
    Adjust {
        /// The level.
        level: LevelName,
        /// The meter or the reserve.
        account: AdjustedAccount,
        /// The added amount. A negative amount is taken away.
        amount: Money,
    },
    /// A winner found after GAME OVER.
    LateHit {
        /// The table.
        table: TableName,
        /// The sequence number of the round's coin-in.
        round: Sequence,
        /// The holder of the hand.
        holder: Holder,
        /// The hand.
        hand: Hand,
        /// The cards, if they are known.
        cards: Option<Vec<Card>>,
    },
    /// The end of the state `faulted`.
    ClearFault,
    /// The permission to play although the link returns more than the whole wager.
    AcknowledgeReturns,
    /// The adoption of a table of fixed wagers.
    AdoptTable(Box<AdoptedTable>),
}

/// The state of a proposal.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ProposalState {
    /// The proposal waits for a second person.
    Open,
    /// The change was executed.
    Approved,
    /// A person declined the proposal.
    Declined,
    /// No second person approved the proposal in time.
    Expired,
}

impl ProposalState {
    /// Returns the word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Approved => "approved",
            Self::Declined => "declined",
            Self::Expired => "expired",
        }
    }
}

/// An action of one person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// The person's name.
    pub by: String,
    /// The person's department.
    pub department: Department,
    /// The time of the action.
    pub at: Timestamp,
}

/// The decision of the second person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The person and the time.
    pub act: Act,
    /// The reason of a decline.
    pub reason: Option<Note>,
}

/// A proposal with its decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposalView {
    /// The id that the client created.
    pub id: ProposalId,
    /// The link of the proposal.
    pub link: LinkName,
    /// The state of the proposal.
    pub state: ProposalState,
    /// The proposed change.
    pub change: ProposedChange,
    /// The reason for the proposal.
    pub reason: Note,
    /// The first person and the time.
    pub proposed: Act,
    /// The time until which the proposal can be approved.
    pub expires_at: Timestamp,
    /// The decision of the second person.
    pub decided: Option<Decided>,
    /// The effect of the approved change.
    pub effect: Option<EffectView>,
}

/// The effect of an approved change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EffectView {
    /// A hit was withdrawn.
    Corrected {
        /// The hit.
        hit: HitName,
        /// Later hits with new amounts, in their order.
        resettled: Vec<ResettledView>,
    },
    /// A balance was adjusted.
    Adjusted {
        /// The level.
        level: LevelName,
        /// The account.
        account: AdjustedAccount,
        /// The balance before, exact.
        before: Money,
        /// The balance after, exact.
        after: Money,
    },
    /// A late hit was recorded.
    LateHitRecorded {
        /// The name of the hit.
        hit: HitName,
        /// The hit.
        recorded: Box<HitRecorded>,
        /// Set if the meter paid the hit. Otherwise the house paid it, because the level was won since.
        from_meter: bool,
    },
    /// The link is in play again.
    FaultCleared {
        /// The reason of the cleared fault.
        fault: String,
    },
    /// A return above the whole wager was acknowledged.
    ReturnsAcknowledged,
    /// A table of fixed wagers was adopted.
    TableAdopted {
        /// The table now.
        adopted: Box<AdoptedTable>,
        /// The table before, if it was adopted.
        before: Option<Box<AdoptedTable>>,
    },
}

/// A hit with new amounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResettledView {
    /// The hit.
    pub hit: HitName,
    /// The exact balance of its level before the hit.
    pub before: Money,
    /// The exact balance of its level after the hit.
    pub after: Money,
    /// The sum of the new payouts.
    pub due: Money,
    /// Set if a person has to validate the hit again.
    pub back_to_pending: bool,
    /// The new payouts.
    pub payouts: Vec<Payout>,
}

/// The dry run of an open proposal: what its approval would do now.
#[derive(Clone, Debug)]
pub struct DryRunView {
    /// The proposal.
    pub proposal: ProposalId,
    /// The newest batch.
    pub batch: u64,
    /// The server's time.
    pub at: Timestamp,
    /// The effect of the change.
    pub effect: EffectView,
    /// The moves of money.
    pub moves: Vec<Move>,
    /// The state of the link after the newest batch.
    pub before: Arc<LinkState>,
    /// The state of the link right after the approval.
    pub after: LinkState,
}
