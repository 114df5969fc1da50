//! A round as its felt and its tables will tell it.

use meterhouse_domain::hand::Hand;

use crate::deal::{Deal, Five, Staged};
use crate::game::GamePlan;

/// Why a round is void whose chips were counted otherwise than its wagers were accepted.
pub(crate) const COUNT_MISMATCH: &str = "count_mismatch";

/// What will happen in one round of a felt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RoundScript {
    /// The seats that get cards, ascending.
    pub(crate) dealt: Vec<u8>,
    /// The seats that give up their hands.
    pub(crate) folds: Vec<u8>,
    /// What everybody got.
    pub(crate) deal: Deal,
    /// The hand that is dealt on purpose.
    pub(crate) staged: Option<Staged>,
    /// The badge of the dealer.
    pub(crate) by: String,
    /// One a table of the felt, in the same order.
    pub(crate) tables: Vec<TableScript>,
}

/// What will happen in one round of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableScript {
    /// The game.
    pub(crate) game: GamePlan,
    /// The progressive wagers.
    pub(crate) wagers: Vec<Wager>,
    /// What the dealer counts, where he does.
    pub(crate) count: Option<u32>,
    /// A button pressed by mistake and pressed again.
    pub(crate) accident: Option<Keyed>,
    /// The winning hands, in turn order.
    pub(crate) keyed: Vec<Keyed>,
    /// Whether the table sends all cards at once instead of keying the winning hands.
    pub(crate) settles: bool,
    /// Whether the round is void, when, and why.
    pub(crate) void: Option<(VoidWhen, &'static str)>,
}

/// A wager on a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wager {
    /// The seat.
    pub(crate) seat: u8,
    /// On which hand.
    pub(crate) on: On,
    /// Who sits there, if he is known by name.
    pub(crate) player: Option<String>,
}

/// The hand a wager is on.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum On {
    /// The player's own.
    Own,
    /// The dealer's.
    Dealer,
}

/// A hand that the dealer keys.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Keyed {
    /// Whose hand.
    pub(crate) holder: Holder,
    /// Which.
    pub(crate) hand: Hand,
    /// Its cards; an accident has none.
    pub(crate) cards: Option<Five>,
}

/// Whose hand is keyed, and as what.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// A wager on the seat's own hand.
    Seat(u8),
    /// The wagers on the dealer's hand.
    Dealer,
    /// A seat without a wager, whose hand gives envy to the others.
    Envy(u8),
}

/// When a round is found to be void.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum VoidWhen {
    /// The chips were counted and differ.
    Counted,
    /// Before any hand is looked at.
    Dealt,
    /// After the first hand was keyed.
    FirstKeyed,
}

impl TableScript {
    /// The same round with a count that is one too low, for which it is void.
    pub(crate) fn miscounted(&self) -> Self {
        let chips = u32::try_from(self.wagers.len()).unwrap_or(u32::MAX);
        Self {
            count: Some(chips.saturating_sub(1)),
            void: Some((VoidWhen::Counted, COUNT_MISMATCH)),
            ..self.clone()
        }
    }

    /// Where a holder's turn comes, smaller first: descending seats, the dealer's hand behind the first seat that
    /// wagered on it.
    pub(crate) fn turn(&self, seat: Option<u8>) -> (u8, bool) {
        let first_on_dealer = || {
            let on_dealer = self.wagers.iter().filter(|it| it.on == On::Dealer);
            on_dealer.map(|it| it.seat).max().unwrap_or_default()
        };
        let behind = seat.is_none();
        (u8::MAX - seat.unwrap_or_else(first_on_dealer), behind)
    }

    /// Whether somebody wagered on this hand: a seat's own, or the dealer's.
    pub(crate) fn has_wager(&self, seat: Option<u8>) -> bool {
        self.wagers.iter().any(|it| match seat {
            Some(seat) => it.on == On::Own && it.seat == seat,
            None => it.on == On::Dealer,
        })
    }
}

impl Keyed {
    /// The holder's seat; the dealer has none.
    pub(crate) const fn seat(&self) -> Option<u8> {
        match self.holder {
            Holder::Seat(seat) | Holder::Envy(seat) => Some(seat),
            Holder::Dealer => None,
        }
    }
}
