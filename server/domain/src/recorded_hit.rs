//! A hit as its event records it: the amount taken from a level, and the payouts.

use crate::card::Card;
use crate::hand::Hand;
use crate::ids::{HitOrder, PlayerName, Sequence};
use crate::link::Move;
use crate::money::Money;
use crate::paytable::{ChargedTo, HandedOver, words};
use crate::seat::{Holder, Seat};

/// A hit with all its effects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitRecorded {
    /// Order among all hits of the link.
    pub order: HitOrder,
    /// Round, named by its coin-in.
    pub round: Sequence,
    /// A line, or envy for a holder without a wager.
    pub kind: HitKind,
    /// Holder of the hand.
    pub holder: Holder,
    /// Hand; a bonus of the draw has none.
    pub hand: Option<Hand>,
    /// Cards, if the table sent them.
    pub cards: Option<Vec<Card>>,
    /// Amount taken from a level; `None` for a hit that touches no level.
    pub taken: Option<Taken>,
    /// Payouts, numbered from 1 in this order: the line's, then the envy.
    pub payouts: Vec<Payout>,
    /// True if a person has to validate the hit.
    pub needs_validation: bool,
    /// Entries meter or house → pending, and those of the restart.
    pub moves: Vec<Move>,
}

/// The amount that a hit took from a level.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Level, as an index into the paytable's.
    pub level: u8,
    /// Percentage of the displayed amount; `None` for a fixed pay that is charged to the meter.
    pub percent: Option<u8>,
    /// Exact balance of the level before the hit.
    pub before: Money,
    /// Exact balance of the level after the hit.
    pub after: Money,
    /// Reserve before the hit; afterwards less the amount that the reset took.
    pub reserve_before: Money,
    /// Overflow before the hit; afterwards less the amount that the reset took.
    pub overflow_before: Money,
    /// Amounts of the restart, if the level was won.
    pub reset: Option<Reset>,
}

/// The amounts that a won level restarted with.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Reset {
    /// The reseed that the house paid.
    pub from_house: Money,
    /// Amount from the reserve.
    pub from_reserve: Money,
    /// Amount from the overflow.
    pub from_overflow: Money,
}

words! {
    /// The award that a hit is for.
    HitKind {
        /// A line of the paytable.
        Line = 1 "line",
        /// Envy alone: the holder made no wager.
        Envy = 2 "envy",
        /// The Magic Card of the round.
        MagicCard = 3 "magic_card",
        /// The lucky position of the round.
        LuckyBonus = 4 "lucky_bonus",
    }

    /// The award that a payout is for.
    PayoutKind {
        /// The line.
        Line = 1 "line",
        /// Another player's envy bonus.
        Envy = 2 "envy",
        /// A bonus of the draw.
        Bonus = 3 "bonus",
        /// The amount that an underpaid winner is owed after a correction (figure N).
        Supplement = 4 "supplement",
    }
}

/// One payout of a hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payout {
    /// Seat of the payout: a player's first in turn order.
    pub seat: Seat,
    /// Player on the seat, if the table named one.
    pub player: Option<PlayerName>,
    /// Award that the payout is for.
    pub kind: PayoutKind,
    /// Amount to pay, whole cents.
    pub amount: Money,
    /// Payer: a level's meter or the house.
    pub charged_to: ChargedTo,
    /// Way in which the pay reaches the player.
    pub handed_over: HandedOver,
}
