//! What only two people can do (RULES §1.5, §5.9): what one proposes, and what it did once the other approved.

use crate::card::Card;
use crate::hand::Hand;
use crate::ids::{Department, HitId, HitOrder, Note, PlayerName, ProposalId, Sequence, TableNo};
use crate::link::Move;
use crate::money::Money;
use crate::paytable::words;
use crate::recorded_hit::{HitRecorded, Payout, Taken};
use crate::seat::{Holder, Seat, SeatSet};

/// What one person proposes to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Propose {
    /// What the client calls it.
    pub proposal: ProposalId,
    /// The person's department.
    pub department: Department,
    /// Why.
    pub reason: Note,
    /// What should happen.
    pub change: Change,
}

/// What only two people can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A hit that was validated or paid is withdrawn; later hits of its level get the amounts that they have
    /// without it, and who was paid too much keeps it (figure N).
    Correct {
        /// The hit.
        hit: HitId,
    },
    /// Money between the house and a meter or reserve.
    Adjust {
        /// The level, as an index into the paytable's.
        level: u8,
        /// Meter or reserve.
        account: AdjustedAccount,
        /// How much is added; negative takes away.
        amount: Money,
    },
    /// A winner found after GAME OVER (figure R).
    LateHit(Box<LateHit>),
    /// The link leaves the state `faulted`, with the balances that stand.
    ClearFault,
    /// The link plays although it returns more than the whole wager.
    AcknowledgeReturns,
}

/// A winner found after GAME OVER, with what the journal says of the round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LateHit {
    /// The table.
    pub table: TableNo,
    /// The round, named by its coin-in.
    pub round: Sequence,
    /// Whose hand.
    pub holder: Holder,
    /// The hand.
    pub hand: Hand,
    /// The cards, where they are known.
    pub cards: Option<Vec<Card>>,
    /// Seats with a wager on their own hand.
    pub own: SeatSet,
    /// Seats with a wager on the dealer's hand.
    pub dealer: SeatSet,
    /// Seats that folded.
    pub folded: SeatSet,
    /// Who sat where, ascending by seat.
    pub players: Vec<(Seat, PlayerName)>,
    /// What each level displayed at GAME OVER.
    pub displayed: Vec<Money>,
    /// The newest hit of the link at GAME OVER.
    pub order_at_close: HitOrder,
    /// Whether a hit on that hand stood in the round, or a late one was ever recorded on it, withdrawn or not.
    pub stood: bool,
}

words! {
    /// A balance that two people may adjust.
    AdjustedAccount {
        /// The displayed balance.
        Meter = 1 "meter",
        /// The hidden one.
        Reserve = 2 "reserve",
    }
}

/// What an approved change did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A hit was withdrawn.
    Corrected {
        /// The hit.
        hit: HitId,
        /// Later hits with new amounts, in their order.
        resettled: Vec<Resettled>,
    },
    /// A balance was adjusted.
    Adjusted {
        /// The level.
        level: u8,
        /// The account.
        account: AdjustedAccount,
        /// The balance before.
        before: Money,
        /// The balance after.
        after: Money,
    },
    /// A late hit was recorded.
    LateHitRecorded {
        /// Its name: the round's coin-in and the seat, or 16 for the dealer's hand.
        hit: HitId,
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

/// A hit with new amounts, because an earlier one was withdrawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resettled {
    /// The hit.
    pub hit: HitId,
    /// What it takes from its level now.
    pub taken: Taken,
    /// Its payouts now: those that nobody has been paid with new amounts, those paid as they were, and after
    /// them the supplements of who is owed more than he was paid.
    pub payouts: Vec<Payout>,
    /// Whether a person has to validate it again.
    pub back_to_pending: bool,
    /// The entries that it stands for now.
    pub moves: Vec<Move>,
}
