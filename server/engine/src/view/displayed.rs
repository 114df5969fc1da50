//! Displayed amounts at two times, and the decreases in between.

use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{LevelName, LinkName, ProposalId, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_journal::position::Position;

/// The displayed amounts of a link at the beginning and the end of a period.
#[derive(Clone, Debug)]
pub struct DisplayedView {
    /// The link.
    pub link: LinkName,
    /// The beginning of the period.
    pub from: Timestamp,
    /// The end of the period.
    pub to: Timestamp,
    /// Set if the period is over: no batch is added to it any more.
    pub complete: bool,
    /// The last batch before the period; 0 if the link was not open yet.
    pub from_batch: u64,
    /// The last batch of the period.
    pub to_batch: u64,
    /// The amounts by level.
    pub levels: Vec<DisplayedLevel>,
    /// Every decrease of a meter in the period, in the journal's order.
    pub decreases: Vec<Decrease>,
}

/// One level of [`DisplayedView`].
#[derive(Clone, Debug)]
pub struct DisplayedLevel {
    /// The level.
    pub level: LevelName,
    /// The displayed amount before the period.
    pub opening: Money,
    /// The displayed amount at the end of the period.
    pub closing: Money,
}

/// One decrease of a meter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decrease {
    /// The level.
    pub level: LevelName,
    /// The event's position in the journal; of an unmatched decrease the beginning of its batch.
    pub position: Position,
    /// The batch's time.
    pub at: Timestamp,
    /// The exact amount by which the meter fell.
    pub amount: Money,
    /// The win or documented reason. Empty if no event explains the decrease.
    pub cause: Option<Cause>,
}

/// The win or documented reason behind a decrease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The kind of the cause.
    pub kind: CauseKind,
    /// The hit, if the cause is one.
    pub hit: Option<HitName>,
    /// The proposal, if two people lowered the meter.
    pub proposal: Option<ProposalId>,
}

/// The kind of a cause.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum CauseKind {
    /// A hit took from the meter.
    Hit,
    /// A hit was cancelled, and its restart was more than it took.
    Cancelled,
    /// A hit was rejected, or later hits got other amounts by the rejection.
    Rejected,
    /// A round was voided.
    Void,
    /// Two people adjusted the meter.
    Adjustment,
    /// Two people withdrew a hit.
    Correction,
    /// A winner was found after GAME OVER.
    LateHit,
}

impl CauseKind {
    /// Returns the word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::Cancelled => "hit_cancelled",
            Self::Rejected => "hit_rejected",
            Self::Void => "void",
            Self::Adjustment => "adjustment",
            Self::Correction => "correction",
            Self::LateHit => "late_hit",
        }
    }
}
