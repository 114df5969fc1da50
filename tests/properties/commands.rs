//! Random commands: what a table or person may mean, valid or not, made exact where it is played.
//!
//! An [`Intent`] says "the next hand in turn", "the newest hit but two", and is made a command from what the
//! auditor knows at that moment, so that sequences that proptest shortens still make sense.

use proptest::prelude::*;

use crate::setup::{Game, Restart, Setup};

/// What goes wrong with a coin-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// Nothing.
    None,
    /// One wager of a wrong amount.
    Amount,
    /// A seat that the layout doesn't have.
    Layout,
    /// A wager twice.
    Twice,
    /// A seat dealt in twice.
    DealtTwice,
    /// A wager on a seat that is not dealt in.
    NotDealt,
    /// A wager on the dealer's hand, offered or not.
    Dealer,
    /// No wager.
    Empty,
    /// Another player's name on the dealer's hand.
    Name,
}

/// Whose hand is keyed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pick {
    /// The n-th of those whose turn can still come.
    Next(u8),
    /// This seat, on the layout or off.
    Seat(u8),
    /// The dealer.
    Dealer,
}

/// Which cards are sent along.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cards {
    /// None.
    None,
    /// Cards that make the hand; the n-th such.
    Right(u8),
    /// The n-th known cards.
    Known(u8),
    /// Only four.
    Four(u8),
    /// One card three times.
    Thrice(u8),
}

/// What somebody wants.
#[derive(Clone, Debug)]
pub(crate) enum Intent {
    /// Lock the bets: own and dealer's hands as bits, who is named how.
    CoinIn {
        own: u8,
        dealer: u8,
        more: u8,
        names: u8,
        flaw: Flaw,
    },
    /// Count the chips.
    Count { chips: u8 },
    /// Fold seats, as bits; or one of them twice.
    Fold { seats: u8, twice: bool },
    /// Key a hand.
    Hit { pick: Pick, hand: u8, cards: Cards },
    /// Key the hand of a seat without a wager, or of this seat.
    Envy { seat: u8, hand: u8, cards: Cards },
    /// Press the button again: of the n-th newest hit, or of a number.
    Cancel { back: u8, number: Option<u8> },
    /// GAME OVER.
    Close,
    /// The round is void.
    Void { reason: u8 },
    /// Validate, by one of four people.
    Validate { back: u8, by: u8, cards: Cards },
    /// Reject.
    Reject { back: u8, by: u8 },
    /// Record a document.
    Pay {
        back: u8,
        payout: u8,
        document: u8,
        by: u8,
    },
    /// Validate and pay all, then GAME OVER.
    Finish,
    /// Send an old command of this table again under its number, or another table's or number's.
    Again { back: u8, other: u8 },
    /// Send it again with its seats listed the other way round.
    AgainInOtherOrder { back: u8 },
    /// Leave out a number.
    Gap { missing: u8 },
}

/// A link to play on.
pub(crate) fn setups() -> impl Strategy<Value = Setup> {
    let games = prop_oneof![
        2 => Just((Game::FiveCardC, Restart::Add)),
        2 => Just((Game::HandBonus, Restart::Add)),
        1 => Just((Game::HandBonus, Restart::GreaterOf)),
        1 => Just((Game::FourCardB, Restart::Add)),
        1 => Just((Game::FourCardB, Restart::GreaterOf)),
        1 => Just((Game::FourCardB, Restart::FundKeep)),
    ];
    (
        games,
        any::<bool>(),
        prop::bool::weighted(0.7),
        1_u8..=2,
        2_u8..=3,
    )
        .prop_map(|((game, restart), dear, small, decks, tables)| Setup {
            game,
            cents: match (game, dear) {
                (Game::HandBonus, true) => 25,
                (_, true) => 500,
                (_, false) => 100,
            },
            decks,
            restart,
            small,
            tables,
        })
}

/// What somebody wants at a table.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// The table.
    pub(crate) table: u8,
    /// Which plain coin-in goes before, where a round is needed and none is open; 0 for none.
    pub(crate) lead: u8,
    /// What is wanted.
    pub(crate) intent: Intent,
}

/// What tables and people want, in this order.
pub(crate) fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = (0_u8..3, 0_u8..12, intent());
    let turn = turn.prop_map(|(table, lead, intent)| Turn {
        table,
        lead,
        intent,
    });
    prop::collection::vec(turn, 1..60)
}

impl Turn {
    /// The coin-in that goes before, unless the intent is one itself or needs none.
    pub(crate) fn lead(&self) -> Option<Intent> {
        let needs_a_round = !matches!(
            self.intent,
            Intent::CoinIn { .. }
                | Intent::Validate { .. }
                | Intent::Reject { .. }
                | Intent::Pay { .. }
                | Intent::Again { .. }
                | Intent::AgainInOtherOrder { .. }
                | Intent::Gap { .. }
        );
        (needs_a_round && self.lead > 0).then_some(Intent::CoinIn {
            own: if self.lead.is_multiple_of(3) {
                0b01_1011
            } else {
                0b11_1111
            },
            dealer: self.lead.wrapping_mul(11) & 0b11_1111,
            more: 0b11_1111,
            names: self.lead % 4,
            flaw: Flaw::None,
        })
    }
}

fn intent() -> impl Strategy<Value = Intent> {
    prop_oneof![
        7 => coin_in(),
        1 => (0_u8..13).prop_map(|chips| Intent::Count { chips }),
        2 => (0_u8..128, prop::bool::weighted(0.2))
            .prop_map(|(seats, twice)| Intent::Fold { seats, twice }),
        20 => (pick(), 0_u8..16, cards())
            .prop_map(|(pick, hand, cards)| Intent::Hit { pick, hand, cards }),
        2 => (0_u8..9, 0_u8..16, cards())
            .prop_map(|(seat, hand, cards)| Intent::Envy { seat, hand, cards }),
        6 => (0_u8..4, prop::option::weighted(0.15, 0_u8..40))
            .prop_map(|(back, number)| Intent::Cancel { back, number }),
        2 => Just(Intent::Close),
        3 => (0_u8..7).prop_map(|reason| Intent::Void { reason }),
        6 => (0_u8..9, person(), cards())
            .prop_map(|(back, by, cards)| Intent::Validate { back, by, cards }),
        3 => (0_u8..9, person()).prop_map(|(back, by)| Intent::Reject { back, by }),
        6 => (0_u8..9, payout(), 0_u8..2, person()).prop_map(|(back, payout, document, by)| {
            Intent::Pay { back, payout, document, by }
        }),
        5 => Just(Intent::Finish),
        2 => (0_u8..12, 0_u8..4).prop_map(|(back, other)| Intent::Again { back, other }),
        1 => (0_u8..12).prop_map(|back| Intent::AgainInOtherOrder { back }),
        1 => (1_u8..4).prop_map(|missing| Intent::Gap { missing }),
    ]
}

/// One of four people, most often one of the two who may validate.
fn person() -> impl Strategy<Value = u8> {
    prop_oneof![4 => Just(0_u8), 2 => Just(1), 1 => Just(2), 1 => Just(3)]
}

/// The number of a payout, most often the first.
fn payout() -> impl Strategy<Value = u8> {
    prop_oneof![5 => Just(1_u8), 1 => Just(0), 1 => Just(2), 1 => Just(3)]
}

fn coin_in() -> impl Strategy<Value = Intent> {
    let flaw = prop_oneof![
        12 => Just(Flaw::None),
        1 => Just(Flaw::Amount),
        1 => Just(Flaw::Layout),
        1 => Just(Flaw::Twice),
        1 => Just(Flaw::DealtTwice),
        1 => Just(Flaw::NotDealt),
        1 => Just(Flaw::Dealer),
        1 => Just(Flaw::Empty),
        1 => Just(Flaw::Name),
    ];
    (1_u8..64, 0_u8..64, 0_u8..64, 0_u8..4, flaw).prop_map(|(own, dealer, more, names, flaw)| {
        Intent::CoinIn {
            own,
            dealer,
            more,
            names,
            flaw,
        }
    })
}

fn pick() -> impl Strategy<Value = Pick> {
    prop_oneof![
        8 => (0_u8..3).prop_map(Pick::Next),
        2 => (0_u8..9).prop_map(Pick::Seat),
        1 => Just(Pick::Dealer),
    ]
}

fn cards() -> impl Strategy<Value = Cards> {
    prop_oneof![
        10 => Just(Cards::None),
        5 => (0_u8..2).prop_map(Cards::Right),
        2 => (0_u8..12).prop_map(Cards::Known),
        1 => (0_u8..12).prop_map(Cards::Four),
        1 => (0_u8..12).prop_map(Cards::Thrice),
    ]
}
