//! The JSON that a table sends: complete.

use meterhouse_domain::card::Card;
use serde::Serialize;

use crate::bonus::BonusWon;
use crate::deal::{Deal, Five};
use crate::script::{Holder, Keyed, On, Wager};

/// A numbered command with the badge of the dealer.
#[derive(Debug, Serialize)]
pub(crate) struct Message<'a> {
    /// What the table asks for.
    #[serde(flatten)]
    pub(crate) command: &'a Command,
    /// Who is at the table.
    pub(crate) by: &'a str,
    /// When it happened by the table's own time, where that was long ago.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<&'a str>,
}

/// What a table asks for.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Command {
    /// The dealer locks the bets.
    CoinIn {
        /// The wagers.
        wagers: Vec<WagerSent>,
        /// The seats that get cards.
        dealt: Vec<u8>,
    },
    /// The dealer counted the chips.
    Count {
        /// How many.
        chips: u32,
    },
    /// Players gave up their hands.
    Fold {
        /// Their seats.
        seats: Vec<u8>,
    },
    /// A winning hand.
    Hit(HitSent),
    /// A hand without a wager that gives envy.
    Envy(HitSent),
    /// A bonus of the draw.
    Bonus(BonusSent),
    /// All cards of the round.
    Settle(SettleSent),
    /// The button pressed again.
    CancelHit {
        /// The hit.
        hit: String,
    },
    /// GAME OVER.
    Close {},
    /// All wagers of the round go back.
    Void {
        /// Why.
        reason: &'static str,
    },
}

/// One wager.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct WagerSent {
    seat: u8,
    amount: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    on: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<String>,
}

/// A hand with its button.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct HitSent {
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dealer: Option<bool>,
    hand: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cards: Option<Vec<String>>,
}

/// A bonus with whose it is.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BonusSent {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dealer: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cards: Option<Vec<String>>,
}

/// All cards of a round.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SettleSent {
    #[serde(skip_serializing_if = "Option::is_none")]
    dealer: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    community: Vec<String>,
    seats: Vec<SeatCards>,
}

/// The cards of one seat.
#[derive(Clone, Debug, Serialize)]
struct SeatCards {
    seat: u8,
    cards: Vec<String>,
}

impl SettleSent {
    /// What was dealt to these hands, the dealer's where the table shows them, and to all.
    pub(crate) fn new<'a>(
        deal: &Deal,
        dealer: Option<&Five>,
        seats: impl Iterator<Item = (&'a u8, &'a Five)>,
    ) -> Self {
        let seat = |(seat, cards): (&u8, &Five)| SeatCards {
            seat: *seat,
            cards: texts(deal.own(cards)),
        };
        Self {
            dealer: dealer.map(|it| texts(deal.own(it))),
            community: texts(deal.community()),
            seats: seats.map(seat).collect(),
        }
    }
}

/// Cards as people write them.
pub(crate) fn texts(cards: &[Card]) -> Vec<String> {
    cards.iter().map(ToString::to_string).collect()
}

impl WagerSent {
    /// A wager of this amount.
    pub(crate) fn new(wager: &Wager, amount: &str) -> Self {
        Self {
            seat: wager.seat,
            amount: amount.to_owned(),
            on: (wager.on == On::Dealer).then_some("dealer"),
            player: wager.player.clone(),
        }
    }
}

impl Command {
    /// The command of a keyed hand.
    pub(crate) fn keyed(keyed: &Keyed) -> Self {
        let pressed = |seat, dealer| HitSent {
            seat,
            dealer,
            hand: keyed.hand.name(),
            cards: keyed.cards.map(|it| texts(&it)),
        };
        match keyed.holder {
            Holder::Seat(seat) => Self::Hit(pressed(Some(seat), None)),
            Holder::Dealer => Self::Hit(pressed(None, Some(true))),
            Holder::Envy(seat) => Self::Envy(pressed(Some(seat), None)),
        }
    }

    /// The command of a bonus.
    pub(crate) fn bonus(won: &BonusWon) -> Self {
        Self::Bonus(BonusSent {
            kind: won.kind.name(),
            seat: won.seat,
            dealer: won.seat.is_none().then_some(true),
            cards: won.cards.map(|it| texts(&it)),
        })
    }
}
