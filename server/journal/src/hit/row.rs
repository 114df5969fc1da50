//! The row of a hit and those of its payouts.

use meterhouse_domain::ids::{HitId, Sequence, TableNo};
use meterhouse_domain::state::{Hit, HitStatus, PayoutState};

/// State of a hit, in the words for people.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HitState {
    /// Waits for a floorperson.
    Pending,
    /// Needs no validation by a person.
    ValidatedByRule,
    /// A person validated it.
    Validated,
    /// Every payout reached its player.
    Paid,
    /// The table cancelled it: the button was pressed again.
    Cancelled,
    /// A supervisor rejected it.
    Rejected,
    /// Its round is void.
    Void,
    /// Two people withdrew it.
    Withdrawn,
}

impl HitState {
    /// Every state.
    pub const ALL: &'static [Self] = &[
        Self::Pending,
        Self::ValidatedByRule,
        Self::Validated,
        Self::Paid,
        Self::Cancelled,
        Self::Rejected,
        Self::Void,
        Self::Withdrawn,
    ];

    /// Returns the state's word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::ValidatedByRule => "validated_by_rule",
            Self::Validated => "validated",
            Self::Paid => "paid",
            Self::Cancelled => "cancelled",
            Self::Rejected => "rejected",
            Self::Void => "void",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// Returns the state with this word.
    pub fn from_name(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|state| state.name() == word)
    }

    /// Returns the state's number in the database; never reused.
    pub const fn code(self) -> u8 {
        match self {
            Self::Pending => 1,
            Self::ValidatedByRule => 2,
            Self::Validated => 3,
            Self::Paid => 4,
            Self::Cancelled => 5,
            Self::Rejected => 6,
            Self::Void => 7,
            Self::Withdrawn => 8,
        }
    }

    /// Returns the state with this number.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|state| state.code() == code)
    }

    /// Returns the state of a hit that its link keeps. A link keeps no hit of a void round.
    pub fn of(hit: &Hit) -> Self {
        let is_paid = |payout: &PayoutState| payout.paid.is_some();
        match hit.status {
            HitStatus::Cancelled => Self::Cancelled,
            HitStatus::Rejected { .. } => Self::Rejected,
            HitStatus::Withdrawn => Self::Withdrawn,
            HitStatus::Pending => Self::Pending,
            HitStatus::ValidatedByRule | HitStatus::Validated { .. }
                if !hit.payouts.is_empty() && hit.payouts.iter().all(is_paid) =>
            {
                Self::Paid
            }
            HitStatus::ValidatedByRule => Self::ValidatedByRule,
            HitStatus::Validated { .. } => Self::Validated,
        }
    }
}

impl core::fmt::Display for HitState {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str(self.name())
    }
}

/// A hit as people see it. Money is in micro-dollars, time in microseconds since 1970 UTC; codes are those of the
/// journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitRow {
    /// Number of the table that keyed the hit.
    pub table: u32,
    /// Number of the command that keyed the hit; for a late hit the coin-in of its round.
    pub sequence: u64,
    /// Number among that command's hits; 0 if the command keyed a single one.
    pub number: u8,
    /// Order among all hits of the link, from 1.
    pub hit_order: u64,
    /// Command number of the round's coin-in.
    pub round: u64,
    /// Present state, also of hits that the link no longer keeps.
    pub state: HitState,
    /// Code of the hit's kind.
    pub kind: u8,
    /// Code of the hand; a bonus of the draw has none.
    pub hand: Option<u8>,
    /// Seat of the hand; the dealer's hand has none.
    pub seat: Option<u8>,
    /// Index of the level that the hit took from.
    pub level: Option<u8>,
    /// Percentage of the level's balance that the hit took; a fixed pay has none.
    pub percent: Option<u8>,
    /// Balance of that level before the hit.
    pub before: Option<i64>,
    /// Balance of that level after the hit.
    pub after: Option<i64>,
    /// Reserve of that level before the hit.
    pub reserve_before: Option<i64>,
    /// Overflow of that level before the hit.
    pub overflow_before: Option<i64>,
    /// Sum of the payouts.
    pub due: i64,
    /// Cards that the table sent: `As Ks`.
    pub cards: Option<String>,
    /// Cards that a supervisor saw.
    pub validated_cards: Option<String>,
    /// Database number of the token's holder that keyed the hit.
    pub keyed_by_actor: i32,
    /// Badge that keyed the hit.
    pub keyed_by: Option<String>,
    /// Server time of the hit.
    pub keyed_at: i64,
    /// Database number of the holder whose token validated, rejected, cancelled, voided or withdrew the hit. Empty
    /// again if the hit went back to pending.
    pub decided_by_actor: Option<i32>,
    /// Name or badge of the deciding person.
    pub decided_by: Option<String>,
    /// Server time of the decision.
    pub decided_at: Option<i64>,
    /// Note of the deciding person.
    pub note: Option<String>,
    /// Payouts in the order of their numbers.
    pub payouts: Vec<PayoutRow>,
}

/// A payout of a hit as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayoutRow {
    /// Number within the hit, from 1.
    pub number: u32,
    /// Seat that the payout is recorded on.
    pub seat: u8,
    /// Player on that seat, if the table named one.
    pub player: Option<String>,
    /// Code of the payout's kind.
    pub kind: u8,
    /// Micro-dollars to pay.
    pub amount: i64,
    /// Code of the payer: a level, a reserve or the house.
    pub charged_to: u8,
    /// Code of the way of payment.
    pub handed_over: u8,
    /// Server time of the payment.
    pub paid_at: Option<i64>,
    /// Database number of the token's holder that reported the payment.
    pub paid_by_actor: Option<i32>,
    /// Document number; a payout that was paid at GAME OVER has none.
    pub document: Option<String>,
}

impl HitRow {
    /// Returns the hit's id.
    pub const fn id(&self) -> HitId {
        HitId {
            table: TableNo(self.table),
            sequence: Sequence(self.sequence),
            number: self.number,
        }
    }
}

/// An event that names something that earlier events did not record.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProjectError {
    /// No event recorded this hit.
    #[error("no hit {} of table {} is recorded", named(.0), .0.table)]
    UnknownHit(HitId),
    /// The hit has no payout of this number.
    #[error("hit {} of table {} has no payout {number}", named(.hit), .hit.table)]
    UnknownPayout {
        /// Id of the hit.
        hit: HitId,
        /// Number of the missing payout.
        number: u32,
    },
    /// The event names no table, but only a table records hits and ends rounds.
    #[error("the event of a round names no table")]
    NoTable,
    /// The sum of the hit's payouts leaves the range of amounts.
    #[error("the payouts of hit {} of table {} sum to more than can be held", named(.0), .0.table)]
    DueOutOfRange(HitId),
}

/// Writes a hit on its table in the form that people read: `4713`, or `4713.2`.
fn named(hit: &HitId) -> String {
    match hit.number {
        0 => hit.sequence.to_string(),
        number => format!("{}.{number}", hit.sequence),
    }
}
