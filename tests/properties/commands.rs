//! Random commands: what a table or person may mean, valid or not, made exact where it is played.
//!
//! An [`Intent`] says "the next hand in turn", "the newest hit but two", and is made a command from what the
//! auditor knows at that moment, so that sequences that proptest shortens still make sense.

use proptest::prelude::*;

use crate::setup::{Game, Limits, Restart, Setup, Values};

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
    /// Whoever the draw of the round named, or the next.
    Drawn,
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

/// What goes wrong with all cards of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    /// Nothing.
    Nothing,
    /// The cards of a seat are missing.
    Seat,
    /// The dealer's are.
    Dealer,
    /// A hand has four cards.
    Four,
    /// Two hands have the same.
    Same,
    /// A seat is there twice.
    Twice,
    /// A seat that got no cards has some.
    Idle,
    /// Cards that all hands share, in a game without.
    Shared,
}

/// What two people are to do.
#[derive(Clone, Debug)]
pub(crate) enum Matter {
    /// Withdraw the n-th newest hit, of all rounds.
    Correct { back: u8 },
    /// Add so many cents to a level's meter or reserve, or take so many hundredths of it away.
    Adjust { level: u8, reserve: bool, by: i16 },
    /// A hand of the n-th newest round of a table, closed or open.
    Late {
        back: u8,
        pick: u8,
        hand: u8,
        cards: Cards,
    },
    /// The link goes on after a fault.
    Clear,
    /// The link plays although it returns more than the wager.
    Acknowledge,
    /// A table of fixed wagers: as printed or read, with a return of that many hundredths of the wager.
    Adopt { table: u8, read: bool, returns: u8 },
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
    /// Key what the draw gives.
    Bonus {
        lucky: bool,
        pick: Pick,
        cards: Cards,
    },
    /// Send all cards: which known cards each hand has, the dealer's first.
    Settle { deal: [u8; 7], miss: Miss },
    /// Press the button again: of the n-th newest hit, or of a number.
    Cancel { back: u8, number: Option<u8> },
    /// GAME OVER.
    Close,
    /// The round is void.
    Void { reason: u8 },
    /// Validate, by one of the people.
    Validate { back: u8, by: u8, cards: Cards },
    /// Reject.
    Reject { back: u8, by: u8, resettle: bool },
    /// Record a document.
    Pay {
        back: u8,
        payout: u8,
        document: u8,
        by: u8,
    },
    /// Validate and pay all, then GAME OVER.
    Finish,
    /// No coin-in, or coin-in again.
    Suspend { on: bool },
    /// A level is off, or on again.
    Switch { level: u8, on: bool },
    /// The table is lost, or back.
    Lose { must_resume: bool, back: bool },
    /// The table is disabled, or enabled again.
    Serve { on: bool },
    /// Accept the first values, with something wrong in them unless 0.
    Accept { wrong: u8 },
    /// The table leaves its link.
    Leave,
    /// What is stored does not fit together.
    Fault,
    /// Propose, under this id.
    Propose { id: u8, by: u8, matter: Matter },
    /// Approve or decline the n-th newest proposal, or one that nobody made.
    Decide { back: u8, by: u8, approve: bool },
    /// Propose and approve, by two that may.
    Both { id: u8, matter: Matter },
    /// Propose one thing too often.
    Flood { id: u8 },
    /// Send an old command of this table again under its number, or another table's or number's.
    Again { back: u8, other: u8 },
    /// Send it again with its seats listed the other way round.
    AgainInOtherOrder { back: u8 },
    /// Leave out a number.
    Gap { missing: u8 },
}

/// What somebody wants at a table.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// The table.
    pub(crate) table: u8,
    /// Which plain coin-in goes before, where a round is needed and none is open; 0 for none.
    pub(crate) lead: u8,
    /// Seconds that pass before.
    pub(crate) wait: u32,
    /// What the draw of a coin-in is made of.
    pub(crate) chance: [u64; 4],
    /// Whether the table sends the dealer's badge.
    pub(crate) badge: bool,
    /// What is wanted.
    pub(crate) intent: Intent,
}

/// A link to play on.
pub(crate) fn setups() -> impl Strategy<Value = Setup> {
    let games = prop_oneof![
        2 => Just((Game::FiveCardC, Restart::Add)),
        3 => Just((Game::HandBonus, Restart::Add)),
        1 => Just((Game::HandBonus, Restart::GreaterOf)),
        1 => Just((Game::FourCardB, Restart::Add)),
        1 => Just((Game::FourCardB, Restart::GreaterOf)),
        1 => Just((Game::FourCardB, Restart::FundKeep)),
        1 => Just((Game::Stud, Restart::Add)),
        1 => Just((Game::Stud, Restart::GreaterOf)),
        1 => Just((Game::Stud, Restart::FundKeep)),
        1 => Just((Game::FourLevels, Restart::Add)),
        1 => Just((Game::FourLevels, Restart::FundKeep)),
    ];
    let values = prop_oneof![
        8 => Just(Values::Accepted),
        2 => Just(Values::Waiting),
        1 => Just(Values::OfThen),
    ];
    (
        games,
        any::<bool>(),
        prop::bool::weighted(0.7),
        1_u8..=2,
        2_u8..=3,
        limits(),
        values,
    )
        .prop_map(
            |((game, restart), dear, small, decks, tables, limits, values)| Setup {
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
                limits,
                values,
            },
        )
}

fn limits() -> impl Strategy<Value = Limits> {
    (
        prop::option::weighted(0.4, prop_oneof![Just(1_u16), 1_u16..60, 60_u16..500]),
        prop::option::weighted(0.2, 1_u32..6),
        prop::bool::weighted(0.8),
        prop::bool::weighted(0.8),
        prop::option::weighted(0.9, prop::bool::weighted(0.8)),
    )
        .prop_map(
            |(ceiling, rounds_a_minute, magic_card, lucky_bonus, badge)| Limits {
                ceiling,
                rounds_a_minute,
                magic_card,
                lucky_bonus,
                badge,
            },
        )
}

/// What tables and people want, in this order.
pub(crate) fn turns() -> impl Strategy<Value = Vec<Turn>> {
    prop::collection::vec(turn(), 1..60)
}

/// What is wanted once.
pub(crate) fn turn() -> impl Strategy<Value = Turn> {
    let wait = prop_oneof![
        12 => 0_u32..5,
        4 => 20_u32..90,
        1 => Just(25 * 60 * 60),
    ];
    let turn = (
        0_u8..3,
        0_u8..12,
        wait,
        any::<[u64; 4]>(),
        prop::bool::weighted(0.9),
        crate::intents::intent(),
    );
    turn.prop_map(|(table, lead, wait, chance, badge, intent)| Turn {
        table,
        lead,
        wait,
        chance,
        badge,
        intent,
    })
}

impl Turn {
    /// The coin-in that goes before, unless the intent is one itself or needs none.
    pub(crate) fn lead(&self) -> Option<Intent> {
        let needs_a_round = matches!(
            self.intent,
            Intent::Count { .. }
                | Intent::Fold { .. }
                | Intent::Hit { .. }
                | Intent::Envy { .. }
                | Intent::Bonus { .. }
                | Intent::Settle { .. }
                | Intent::Cancel { .. }
                | Intent::Close
                | Intent::Void { .. }
                | Intent::Finish
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
