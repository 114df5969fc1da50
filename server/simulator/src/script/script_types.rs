//! The types of a round's script.

use meterhouse_domain::hand::Hand;

use crate::deal::{Deal, FiveCards, StagedHand};
use crate::game::GamePlan;

/// The void reason of a round whose chip count differs from its accepted wagers.
pub(crate) const COUNT_MISMATCH: &str = "count_mismatch";

/// The script of one round at a physical table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RoundScript {
    /// The seats that get cards, ascending.
    pub(crate) dealt: Vec<u8>,
    /// The seats that give up their hands.
    pub(crate) folds: Vec<u8>,
    pub(crate) deal: Deal,
    /// The hand that is dealt on purpose.
    pub(crate) staged: Option<StagedHand>,
    /// The badge of the dealer.
    pub(crate) by: String,
    /// The scripts of the physical table's tables, in the same order.
    pub(crate) tables: Vec<TableScript>,
}

/// The script of one round at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableScript {
    pub(crate) game: GamePlan,
    pub(crate) wagers: Vec<Wager>,
    /// The number of chips that the dealer counts, if the dealer counts.
    pub(crate) count: Option<u32>,
    /// A hand keyed by mistake and cancelled.
    pub(crate) mistaken_key: Option<KeyedHand>,
    /// The winning hands, in turn order.
    pub(crate) winning_hands: Vec<KeyedHand>,
    /// If `true`, the table sends all cards in one settle command instead of keying the winning hands.
    pub(crate) settles: bool,
    /// The time and reason of a void.
    pub(crate) void: Option<(VoidWhen, &'static str)>,
}

/// A progressive wager of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wager {
    pub(crate) seat: u8,
    pub(crate) on: WagerTarget,
    /// The player's name, if known.
    pub(crate) player: Option<String>,
}

/// The hand that a wager is on.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WagerTarget {
    /// The player's own hand.
    OwnHand,
    /// The dealer's hand.
    DealerHand,
}

/// A hand that the dealer keys.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyedHand {
    pub(crate) holder: Holder,
    pub(crate) hand: Hand,
    /// The cards of the hand. A hand keyed by mistake has none.
    pub(crate) cards: Option<FiveCards>,
}

/// The holder of a keyed hand, and the kind of the hit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// A wager on the seat's own hand.
    Seat(u8),
    /// The wagers on the dealer's hand.
    Dealer,
    /// A seat without a wager, whose hand gives envy to the others.
    Envy(u8),
}

/// The time at which a round is found to be void.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum VoidWhen {
    /// After the chips were counted and differ.
    Counted,
    /// Before any hand is looked at.
    Dealt,
    /// After the first hand was keyed.
    FirstKeyed,
}

impl TableScript {
    /// Returns this round with a count that is one too low, for which the round is void.
    pub(crate) fn miscounted(&self) -> Self {
        let chips = u32::try_from(self.wagers.len()).unwrap_or(u32::MAX);
        Self {
            count: Some(chips.saturating_sub(1)),
            void: Some((VoidWhen::Counted, COUNT_MISMATCH)),
            ..self.clone()
        }
    }

    /// Returns the sort key of a holder's turn: descending seats. The dealer's hand comes directly after the first
    /// seat that wagered on it.
    pub(crate) fn turn(&self, seat: Option<u8>) -> (u8, bool) {
        let first_on_dealer = || {
            let wagers = self.wagers.iter();
            let on_dealer = wagers.filter(|wager| wager.on == WagerTarget::DealerHand);
            on_dealer.map(|wager| wager.seat).max().unwrap_or_default()
        };
        let is_dealer = seat.is_none();
        (u8::MAX - seat.unwrap_or_else(first_on_dealer), is_dealer)
    }

    /// Returns `true` if there is a wager on the seat's own hand, or on the dealer's hand for `None`.
    pub(crate) fn has_wager(&self, seat: Option<u8>) -> bool {
        self.wagers.iter().any(|wager| match seat {
            Some(seat) => wager.on == WagerTarget::OwnHand && wager.seat == seat,
            None => wager.on == WagerTarget::DealerHand,
        })
    }
}

impl KeyedHand {
    /// Returns the holder's seat. The dealer has none.
    pub(crate) const fn seat(&self) -> Option<u8> {
        match self.holder {
            Holder::Seat(seat) | Holder::Envy(seat) => Some(seat),
            Holder::Dealer => None,
        }
    }
}
