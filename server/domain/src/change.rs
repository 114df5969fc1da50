//! Changes by two people (RULES §1.5, §5.9): the proposal of the first, and the effect once the other approved.

use crate::adopted::AdoptedTable;
use crate::card::Card;
use crate::hand::Hand;
use crate::ids::{
    ActorId, Badge, Department, HitId, HitOrder, Note, PlayerName, ProposalId, Sequence, TableNo,
    Timestamp,
};
use crate::link::Move;
use crate::money::Money;
use crate::paytable::words;
use crate::recorded_hit::{HitRecorded, Payout, Taken};
use crate::seat::{Holder, Seat, SeatSet};

/// A proposal of one person to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Propose {
    /// Id that the client chose; sending it again is an idempotent replay.
    pub proposal: ProposalId,
    /// Department of the proposing person.
    pub department: Department,
    /// Reason, shown to the second person.
    pub reason: Note,
    /// Change to make once it is approved.
    pub change: Change,
}

/// A change that waits for a second person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Proposal of the first person.
    pub propose: Propose,
    /// Holder of the token.
    pub actor: ActorId,
    /// Name of the person.
    pub by: Option<Badge>,
    /// Time of the proposal.
    pub proposed_at: Timestamp,
    /// Time until which it can be approved.
    pub expires_at: Timestamp,
}

/// A change that needs two people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A hit that was validated or paid is withdrawn. Later hits of its level get the amounts that they have without
    /// it; an overpaid player keeps the money (figure N).
    Correct {
        /// Hit to withdraw.
        hit: HitId,
    },
    /// Money moves between the house and a meter or reserve.
    Adjust {
        /// Level, as an index into the paytable's.
        level: u8,
        /// Meter or reserve of that level.
        account: AdjustedAccount,
        /// Amount to add; a negative one is taken away.
        amount: Money,
    },
    /// A winner found after GAME OVER (figure R).
    LateHit(Box<LateHit>),
    /// The link leaves the state `faulted` and keeps its balances.
    ClearFault,
    /// The link may play although it returns more than the whole wager.
    AcknowledgeReturns,
    /// The link settles fixed wagers by this table: by a reading of its print, or although it returns more than the
    /// wager. Without a reading, a table that was read pays its print again.
    AdoptTable(Box<AdoptedTable>),
}

/// A winner found after GAME OVER, with the round as the journal has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LateHit {
    /// Number of the table.
    pub table: TableNo,
    /// Round, named by its coin-in.
    pub round: Sequence,
    /// Holder of the winning hand.
    pub holder: Holder,
    /// Winning hand.
    pub hand: Hand,
    /// Cards of the hand, if they are known.
    pub cards: Option<Vec<Card>>,
    /// Seats with a wager on their own hand.
    pub own: SeatSet,
    /// Seats with a wager on the dealer's hand.
    pub dealer: SeatSet,
    /// Seats that folded.
    pub folded: SeatSet,
    /// Players by seat, ascending.
    pub players: Vec<(Seat, PlayerName)>,
    /// Displayed amount of each level at GAME OVER.
    pub displayed: Vec<Money>,
    /// Newest hit of the link at GAME OVER.
    pub order_at_close: HitOrder,
    /// True if a hit on that hand stood in the round, or a late hit was ever recorded on it, withdrawn or not.
    pub stood: bool,
}

words! {
    /// A balance that two people may adjust.
    AdjustedAccount {
        /// The displayed balance.
        Meter = 1 "meter",
        /// The hidden balance.
        Reserve = 2 "reserve",
    }
}

/// The effect of an approved change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A hit was withdrawn.
    Corrected {
        /// Withdrawn hit.
        hit: HitId,
        /// Later hits with new amounts, in their order.
        resettled: Vec<Resettled>,
    },
    /// A balance was adjusted.
    Adjusted {
        /// Level, as an index into the paytable's.
        level: u8,
        /// Meter or reserve of that level.
        account: AdjustedAccount,
        /// Balance before the adjustment.
        before: Money,
        /// Balance after the adjustment.
        after: Money,
    },
    /// A late hit was recorded.
    LateHitRecorded {
        /// Id of the hit: the round's coin-in and the seat, or 16 for the dealer's hand.
        hit: HitId,
        /// Hit with its payouts and entries.
        recorded: Box<HitRecorded>,
        /// True if the meter paid it; false if the house did, because the level was won since.
        from_meter: bool,
    },
    /// The link may play again.
    FaultCleared {
        /// Reason for the fault.
        fault: String,
    },
    /// The link's returns are acknowledged.
    ReturnsAcknowledged,
    /// A table is adopted.
    TableAdopted {
        /// Table now.
        adopted: Box<AdoptedTable>,
        /// Table before, if it was adopted.
        before: Option<Box<AdoptedTable>>,
    },
}

/// A hit with new amounts, because an earlier one was withdrawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resettled {
    /// Id of the hit.
    pub hit: HitId,
    /// Amount that it takes from its level now.
    pub taken: Taken,
    /// Payouts now: the unpaid ones with new amounts, the paid ones unchanged, and after them the supplements of
    /// underpaid players.
    pub payouts: Vec<Payout>,
    /// True if a person has to validate it again.
    pub back_to_pending: bool,
    /// Entries of the hit now.
    pub moves: Vec<Move>,
}
