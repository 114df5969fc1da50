//! The dry run of a proposal: what its approval would do now.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::change::Effect;
use crate::journal::MoneyMove;
use crate::report::BookBalances;
use crate::returns::Share;
use crate::values::{LinkName, ProposalId, Time};
use crate::words::LinkState;

/// What the approval of a proposal would do now. Nothing is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DryRun {
    /// Proposal.
    pub proposal: ProposalId,
    /// Link.
    pub link: LinkName,
    /// Newest batch, on whose books it is computed.
    pub batch: u64,
    /// Server time.
    pub at: Time,
    /// Effect that the approval would have.
    pub effect: Effect,
    /// Moves of money that it would make, in their order.
    pub moves: Vec<MoneyMove>,
    /// Link now.
    pub before: LinkBooks,
    /// Link right after the approval.
    pub after: LinkBooks,
}

/// A link at one moment: its state, what a wager is worth, and the exact balances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkBooks {
    /// State of the link.
    pub state: LinkState,
    /// Return of the next wager at the displayed amounts, without envy and draws; null for amounts above those that
    /// returns are computed for.
    pub at_displayed: Option<Share>,
    /// Balances by level, then `fixed`: odds and envy, which touch no meter.
    pub levels: Vec<BookBalances>,
}
