//! The row of a hit and those of its payouts.

use meterhouse_domain::ids::{HitId, Sequence, TableNo};
use meterhouse_domain::state::{Hit, HitStatus, PayoutState};

/// Where a hit stands, in the words for people.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HitState {
    /// Waits for a floorperson.
    Pending,
    /// Needs none.
    ValidatedByRule,
    /// A person validated it.
    Validated,
    /// Every payout reached its player.
    Paid,
    /// The button was pressed again.
    Cancelled,
    /// A supervisor rejected it.
    Rejected,
    /// Its round is void.
    Void,
    /// Two people withdrew it.
    Withdrawn,
}

impl HitState {
    /// Every one.
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

    /// The word for it on the wire.
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

    /// The one with this word.
    pub fn from_name(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.name() == word)
    }

    /// Its number in the database; never reused.
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

    /// The one with this number.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.code() == code)
    }

    /// Returns the state of a hit that its link keeps. Of a void round it keeps none.
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

/// A hit as people see it. Money in micro-dollars, moments in microseconds since 1970 UTC; codes are those of
/// the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitRow {
    /// The table that keyed it.
    pub table: u32,
    /// The command that keyed it; of a late hit the coin-in of its round.
    pub sequence: u64,
    /// Its number among that command's hits; 0 where it keyed one.
    pub number: u8,
    /// Its place among all hits of the link.
    pub hit_order: u64,
    /// Its round's coin-in.
    pub round: u64,
    /// Where it stands.
    pub state: HitState,
    /// The code of its kind.
    pub kind: u8,
    /// The code of its hand; a bonus of the draw has none.
    pub hand: Option<u8>,
    /// Whose hand; the dealer's has none.
    pub seat: Option<u8>,
    /// The level that it took from.
    pub level: Option<u8>,
    /// The percentage that it took; a fixed pay has none.
    pub percent: Option<u8>,
    /// That level's balance before.
    pub before: Option<i64>,
    /// That level's balance after.
    pub after: Option<i64>,
    /// That level's reserve before.
    pub reserve_before: Option<i64>,
    /// That level's overflow before.
    pub overflow_before: Option<i64>,
    /// The sum of its payouts.
    pub due: i64,
    /// The cards that the table sent: `As Ks`.
    pub cards: Option<String>,
    /// The cards that a supervisor saw.
    pub validated_cards: Option<String>,
    /// Whose token keyed it.
    pub keyed_by_actor: i32,
    /// The badge that keyed it.
    pub keyed_by: Option<String>,
    /// When the server took it.
    pub keyed_at: i64,
    /// Whose token validated, rejected, cancelled, voided or withdrew it; none again where it went back to
    /// pending.
    pub decided_by_actor: Option<i32>,
    /// The name or badge of who did.
    pub decided_by: Option<String>,
    /// When.
    pub decided_at: Option<i64>,
    /// What that person wanted remembered.
    pub note: Option<String>,
    /// Its payouts in the order of their numbers.
    pub payouts: Vec<PayoutRow>,
}

/// A payout of a hit as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayoutRow {
    /// Its number, from 1.
    pub number: u32,
    /// The seat it is recorded on.
    pub seat: u8,
    /// Who sits there.
    pub player: Option<String>,
    /// The code of its kind.
    pub kind: u8,
    /// How much.
    pub amount: i64,
    /// The code of who owes it.
    pub charged_to: u8,
    /// The code of how it is handed over.
    pub handed_over: u8,
    /// When it was paid.
    pub paid_at: Option<i64>,
    /// Whose token said so.
    pub paid_by_actor: Option<i32>,
    /// The document; what is paid at GAME OVER has none.
    pub document: Option<String>,
}

impl HitRow {
    /// Which hit it is.
    pub const fn id(&self) -> HitId {
        HitId {
            table: TableNo(self.table),
            sequence: Sequence(self.sequence),
            number: self.number,
        }
    }
}

/// An event speaks of something that the events before it did not record.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProjectError {
    /// No such hit.
    #[error("no hit {} of table {} is recorded", named(.0), .0.table)]
    UnknownHit(HitId),
    /// The hit has no payout of this number.
    #[error("hit {} of table {} has no payout {number}", named(.hit), .hit.table)]
    UnknownPayout {
        /// The hit.
        hit: HitId,
        /// The number.
        number: u32,
    },
    /// Only a table records hits and ends rounds, and the event names none.
    #[error("the event of a round names no table")]
    NoTable,
    /// The sum of the hit's payouts leaves the range of amounts.
    #[error("the payouts of hit {} of table {} sum to more than can be held", named(.0), .0.table)]
    DueOutOfRange(HitId),
}

/// A hit on its table as people write it: `4713`, or `4713.2`.
fn named(hit: &HitId) -> String {
    match hit.number {
        0 => hit.sequence.to_string(),
        number => format!("{}.{number}", hit.sequence),
    }
}
