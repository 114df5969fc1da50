//! A hit as its event records it: what it took from a level, and what has to be paid.

use crate::card::Card;
use crate::hand::Hand;
use crate::ids::{HitOrder, PlayerName, Sequence};
use crate::link::Move;
use crate::money::Money;
use crate::paytable::{ChargedTo, HandedOver, words};
use crate::seat::{Holder, Seat};

/// A hit with everything it caused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitRecorded {
    /// Its place among all hits of the link.
    pub order: HitOrder,
    /// The round, named by its coin-in.
    pub round: Sequence,
    /// A line, or envy for a holder without a wager.
    pub kind: HitKind,
    /// Whose hand.
    pub holder: Holder,
    /// The hand; a bonus of the draw has none.
    pub hand: Option<Hand>,
    /// The cards, where the table sent them.
    pub cards: Option<Vec<Card>>,
    /// What it took from a level.
    pub taken: Option<Taken>,
    /// What has to be paid, numbered from 1 in this order: the line's, then the envy.
    pub payouts: Vec<Payout>,
    /// Whether a person has to validate it.
    pub needs_validation: bool,
    /// meter or house → pending, and the restart.
    pub moves: Vec<Move>,
}

/// What a hit took from a level.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The level, as an index into the paytable's.
    pub level: u8,
    /// How much of it; a fixed pay that is charged to the meter has none.
    pub percent: Option<u8>,
    /// The level's balance before, exact.
    pub before: Money,
    /// The level's balance after, exact.
    pub after: Money,
    /// Its reserve before; after it, less what the reset took.
    pub reserve_before: Money,
    /// Its overflow before; likewise.
    pub overflow_before: Money,
    /// How the level restarted, if it was won.
    pub reset: Option<Reset>,
}

/// How a won level restarted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Reset {
    /// The reseed that the house paid.
    pub from_house: Money,
    /// What came out of the reserve.
    pub from_reserve: Money,
    /// What came out of the overflow.
    pub from_overflow: Money,
}

words! {
    /// What a hit is for.
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

    /// What a payout is for.
    PayoutKind {
        /// The line.
        Line = 1 "line",
        /// Another player's envy bonus.
        Envy = 2 "envy",
        /// A bonus of the draw.
        Bonus = 3 "bonus",
        /// What a winner is owed more after a correction (figure N).
        Supplement = 4 "supplement",
    }
}

/// One payout of a hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payout {
    /// The seat it is recorded on: a player's first in turn order.
    pub seat: Seat,
    /// Who sits there, as far as the table said.
    pub player: Option<PlayerName>,
    /// What it is for.
    pub kind: PayoutKind,
    /// How much.
    pub amount: Money,
    /// Who owes it.
    pub charged_to: ChargedTo,
    /// How it is handed over.
    pub handed_over: HandedOver,
}
