//! Proposals as people read them, open or decided.

use meterhouse_domain::card::Card;
use meterhouse_domain::change::AdjustedAccount;
use meterhouse_domain::command::Holder;
use meterhouse_domain::event::{HitRecorded, Payout};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{
    Department, LevelName, LinkName, Note, ProposalId, Sequence, TableName, Timestamp,
};
use meterhouse_domain::money::Money;

use super::hit_name::HitName;

/// What one person proposes to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProposedChange {
    /// A hit that was validated or paid is withdrawn.
    Correct {
        /// The hit.
        hit: HitName,
    },
    /// Money between the house and a meter or reserve.
    Adjust {
        /// The level.
        level: LevelName,
        /// Meter or reserve.
        account: AdjustedAccount,
        /// How much is added; negative takes away.
        amount: Money,
    },
    /// A winner found after GAME OVER.
    LateHit {
        /// The table.
        table: TableName,
        /// The round, named by its coin-in.
        round: Sequence,
        /// Whose hand.
        holder: Holder,
        /// The hand.
        hand: Hand,
        /// The cards, where they are known.
        cards: Option<Vec<Card>>,
    },
    /// The link leaves the state `faulted`.
    ClearFault,
    /// The link plays although it returns more than the whole wager.
    AcknowledgeReturns,
}

/// Where a proposal stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ProposalState {
    /// It waits for a second person.
    Open,
    /// It was done.
    Approved,
    /// Somebody declined it.
    Declined,
    /// Nobody approved it in time.
    Expired,
}

impl ProposalState {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Approved => "approved",
            Self::Declined => "declined",
            Self::Expired => "expired",
        }
    }
}

/// What one person did, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// The person's name.
    pub by: String,
    /// The person's department.
    pub department: Department,
    /// When.
    pub at: Timestamp,
}

/// What the second person decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Who and when.
    pub act: Act,
    /// Why it was declined.
    pub reason: Option<Note>,
}

/// A proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposalView {
    /// What the client called it.
    pub id: ProposalId,
    /// Its link.
    pub link: LinkName,
    /// Where it stands.
    pub state: ProposalState,
    /// What was proposed.
    pub change: ProposedChange,
    /// Why.
    pub reason: Note,
    /// By whom.
    pub proposed: Act,
    /// Until when it can be approved.
    pub expires_at: Timestamp,
    /// What the second person decided.
    pub decided: Option<Decided>,
    /// What it did.
    pub effect: Option<EffectView>,
}

/// What an approved change did.
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
        /// Its name.
        hit: HitName,
        /// The hit.
        recorded: Box<HitRecorded>,
        /// Whether the meter paid it, or the house because the level was won since.
        from_meter: bool,
    },
    /// The link is in play again.
    FaultCleared {
        /// Why it had been faulted.
        fault: String,
    },
    /// What the link returns is acknowledged.
    ReturnsAcknowledged,
}

/// A hit with new amounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResettledView {
    /// The hit.
    pub hit: HitName,
    /// Its level's balance before it, exact.
    pub before: Money,
    /// Its level's balance after it, exact.
    pub after: Money,
    /// The sum of its payouts now.
    pub due: Money,
    /// Whether a person has to validate it again.
    pub back_to_pending: bool,
    /// Its payouts now.
    pub payouts: Vec<Payout>,
}
