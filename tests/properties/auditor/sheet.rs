//! What the auditor knows of the paytables: plain numbers, typed from § 657a.12 (d), (e) and (f) again.

use meterhouse_domain::hand::Hand;

use crate::setup::{Game, Setup};

/// One micro-dollar is 1.
pub(crate) const DOLLAR: i128 = 1_000_000;
/// What is paid is whole cents.
pub(crate) const CENT: i128 = 10_000;

/// What a line pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prize {
    /// Percent of the displayed amount of a level.
    Share(i128, usize),
    /// So many times the wager.
    Fixed(i128),
}

/// One level: seed and reseed for 1, what a dollar adds to meter and reserve in micro-dollars.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelSheet {
    /// What it opens with.
    pub(crate) seed: i128,
    /// What it restarts with.
    pub(crate) reseed: i128,
    /// Percent to the meter.
    pub(crate) meter: i128,
    /// Percent to the reserve.
    pub(crate) reserve: i128,
}

const fn level(seed: i128, reseed: i128, meter: i128, reserve: i128) -> LevelSheet {
    LevelSheet {
        seed,
        reseed,
        meter,
        reserve,
    }
}

/// One line: hand, prize, envy for 1 (0 for none).
type LineSheet = (Hand, Prize, i128);

/// A paytable as the auditor reads it.
#[derive(Debug)]
pub(crate) struct Sheet {
    /// The levels.
    pub(crate) levels: &'static [LevelSheet],
    /// The lines.
    pub(crate) lines: &'static [LineSheet],
    /// Whether four of the five cards are ranked.
    pub(crate) four_cards: bool,
    /// Whether the dealer's hand can be wagered on; that game has no envy, forfeits nothing at a fold and
    /// needs a person only for 500 for 1 and percentages.
    pub(crate) hand_bonus: bool,
}

impl Sheet {
    /// The sheet of this link.
    pub(crate) const fn of(setup: &Setup) -> Self {
        let levels: &[LevelSheet] = match (setup.game, setup.small) {
            (Game::FiveCardC, false) => &FIVE_CARD_C,
            (Game::FiveCardC, true) => &FIVE_CARD_C_SMALL,
            (Game::HandBonus, false) => &HAND_BONUS,
            (Game::HandBonus, true) => &HAND_BONUS_SMALL,
            (Game::FourCardB, false) => &FOUR_CARD_B,
            (Game::FourCardB, true) => &FOUR_CARD_B_SMALL,
        };
        let lines: &[LineSheet] = match setup.game {
            Game::FiveCardC => &FIVE_CARD_C_LINES,
            Game::HandBonus => &HAND_BONUS_LINES,
            Game::FourCardB => &FOUR_CARD_B_LINES,
        };
        Self {
            levels,
            lines,
            four_cards: matches!(setup.game, Game::FourCardB),
            hand_bonus: matches!(setup.game, Game::HandBonus),
        }
    }

    /// The line of a hand.
    pub(crate) fn line(&self, hand: Hand) -> Option<&LineSheet> {
        self.lines.iter().find(|(it, _, _)| *it == hand)
    }
}

const FIVE_CARD_C: [LevelSheet; 3] = [
    level(10_000, 10_000, 9, 0),
    level(1_000, 1_000, 7, 0),
    level(250, 250, 3, 0),
];
const FIVE_CARD_C_SMALL: [LevelSheet; 3] =
    [level(0, 0, 9, 0), level(1, 0, 7, 0), level(0, 1, 3, 0)];
const HAND_BONUS: [LevelSheet; 1] = [level(10_000, 0, 13, 8)];
const HAND_BONUS_SMALL: [LevelSheet; 1] = [level(0, 0, 13, 8)];
const FOUR_CARD_B: [LevelSheet; 1] = [level(1_000, 1_000, 25, 5)];
/// With a reserve that soon exceeds the reseed.
const FOUR_CARD_B_SMALL: [LevelSheet; 1] = [level(0, 1, 10, 40)];

const FIVE_CARD_C_LINES: [LineSheet; 7] = [
    (Hand::RoyalFlush, Prize::Share(100, 0), 1_000),
    (Hand::StraightFlush, Prize::Share(100, 1), 300),
    (Hand::FourOfAKind, Prize::Share(100, 2), 0),
    (Hand::FullHouse, Prize::Fixed(50), 0),
    (Hand::Flush, Prize::Fixed(40), 0),
    (Hand::Straight, Prize::Fixed(30), 0),
    (Hand::ThreeOfAKind, Prize::Fixed(10), 0),
];
const HAND_BONUS_LINES: [LineSheet; 5] = [
    (Hand::RoyalFlush, Prize::Share(100, 0), 0),
    (Hand::StraightFlush, Prize::Share(10, 0), 0),
    (Hand::FourOfAKind, Prize::Fixed(500), 0),
    (Hand::FullHouse, Prize::Fixed(100), 0),
    (Hand::Flush, Prize::Fixed(50), 0),
];
const FOUR_CARD_B_LINES: [LineSheet; 4] = [
    (Hand::FourAces, Prize::Share(100, 0), 100),
    (Hand::FourOfAKind, Prize::Fixed(300), 25),
    (Hand::StraightFlush, Prize::Fixed(100), 0),
    (Hand::ThreeOfAKind, Prize::Fixed(15), 0),
];

/// Cards with the hand they make, of five and of the best four, named by a person.
pub(crate) const KNOWN: [(&str, Hand, Hand); 12] = [
    ("As Ks Qs Js Ts", Hand::RoyalFlush, Hand::StraightFlush),
    ("Ah Kh Qh Jh Th", Hand::RoyalFlush, Hand::StraightFlush),
    ("Ks Qs Js Ts 9s", Hand::StraightFlush, Hand::StraightFlush),
    ("9h 8h 7h 6h 5h", Hand::StraightFlush, Hand::StraightFlush),
    ("As Ad Ac Ah 2c", Hand::FourOfAKind, Hand::FourAces),
    ("9s 9d 9c 9h 2d", Hand::FourOfAKind, Hand::FourOfAKind),
    ("Ks Kd Kc 2h 2s", Hand::FullHouse, Hand::ThreeOfAKind),
    ("2c 5c 9c Jc Kc", Hand::Flush, Hand::Flush),
    ("4s 5d 6c 7h 8s", Hand::Straight, Hand::Straight),
    ("7s 7d 7c Kh 2d", Hand::ThreeOfAKind, Hand::ThreeOfAKind),
    ("8s 8d 3c 3h Kd", Hand::TwoPair, Hand::TwoPair),
    ("2s 4d 9c Jh Kc", Hand::HighCard, Hand::HighCard),
];
