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
    /// So many times the wager, off a level as far as it displays that much.
    Metered(i128, usize),
}

/// One level: seed and reseed for 1, percent of a wager to meter and reserve.
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
    /// Whether the dealer's hand can be wagered on; that game forfeits nothing at a fold, and its fixed pays
    /// go to the game account.
    pub(crate) hand_bonus: bool,
    /// Whether the cards of a folded hand stay on the table and give envy.
    pub(crate) folded_cards_stay: bool,
    /// The odds from which a fixed pay needs a person; percentages always do.
    pub(crate) person_from: i128,
    /// What a Magic Card pays for 1, where it is drawn.
    pub(crate) magic_card: Option<i128>,
    /// What a Lucky Bonus pays for 1, where it is drawn.
    pub(crate) lucky_bonus: Option<i128>,
}

impl Sheet {
    /// The sheet of this link.
    pub(crate) fn of(setup: &Setup) -> Self {
        let levels: &[LevelSheet] = match (setup.game, setup.small) {
            (Game::FiveCardC, false) => &FIVE_CARD_C,
            (Game::FiveCardC, true) => &FIVE_CARD_C_SMALL,
            (Game::HandBonus, false) => &HAND_BONUS,
            (Game::HandBonus, true) => &HAND_BONUS_SMALL,
            (Game::FourCardB, false) => &FOUR_CARD_B,
            (Game::FourCardB, true) => &FOUR_CARD_B_SMALL,
            (Game::Stud, false) => &STUD,
            (Game::Stud, true) => &STUD_SMALL,
            (Game::FourLevels, false) => &FOUR_LEVELS,
            (Game::FourLevels, true) => &FOUR_LEVELS_SMALL,
        };
        let lines: &[LineSheet] = match setup.game {
            Game::FiveCardC => &FIVE_CARD_C_LINES,
            Game::HandBonus => &HAND_BONUS_LINES,
            Game::FourCardB => &FOUR_CARD_B_LINES,
            Game::Stud => &STUD_LINES,
            Game::FourLevels => &FOUR_LEVELS_LINES,
        };
        let hand_bonus = setup.game == Game::HandBonus;
        Self {
            levels,
            lines,
            four_cards: setup.game == Game::FourCardB,
            hand_bonus,
            folded_cards_stay: setup.game == Game::Stud,
            person_from: match setup.game {
                Game::FiveCardC | Game::FourCardB | Game::FourLevels => 0,
                Game::HandBonus => 500,
                Game::Stud => 100,
            },
            magic_card: (hand_bonus && setup.limits.magic_card).then_some(20),
            lucky_bonus: (hand_bonus && setup.limits.lucky_bonus).then_some(5),
        }
    }

    /// The line of a hand.
    pub(crate) fn line(&self, hand: Hand) -> Option<&LineSheet> {
        self.lines.iter().find(|(it, _, _)| *it == hand)
    }

    /// The envy of a hand for 1, 0 for none.
    pub(crate) fn envy(&self, hand: Hand) -> i128 {
        self.line(hand).map_or(0, |(_, _, envy)| *envy)
    }

    /// Whether a line wins something off this level.
    pub(crate) fn is_won_by_a_line(&self, level: usize) -> bool {
        self.lines.iter().any(|(_, prize, _)| match prize {
            Prize::Share(_, it) | Prize::Metered(_, it) => *it == level,
            Prize::Fixed(_) => false,
        })
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
const STUD: [LevelSheet; 2] = [level(10_000, 10_000, 65, 5), level(100, 100, 5, 0)];
const STUD_SMALL: [LevelSheet; 2] = [level(2, 1, 55, 15), level(0, 1, 3, 2)];
const FOUR_LEVELS: [LevelSheet; 4] = [
    level(10_000, 10_000, 9, 2),
    level(1_000, 1_000, 7, 2),
    level(250, 250, 3, 1),
    level(25, 20, 2, 1),
];
const FOUR_LEVELS_SMALL: [LevelSheet; 4] = [
    level(0, 1, 9, 2),
    level(1, 1, 7, 2),
    level(0, 1, 3, 1),
    level(2, 1, 2, 8),
];

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
const STUD_LINES: [LineSheet; 6] = [
    (Hand::RoyalFlush, Prize::Share(100, 0), 1_000),
    (Hand::StraightFlush, Prize::Share(10, 0), 300),
    (Hand::FourOfAKind, Prize::Metered(500, 0), 0),
    (Hand::FullHouse, Prize::Metered(100, 0), 0),
    (Hand::Flush, Prize::Metered(5, 0), 0),
    (Hand::Straight, Prize::Fixed(4), 0),
];
const FOUR_LEVELS_LINES: [LineSheet; 7] = [
    (Hand::RoyalFlush, Prize::Share(100, 0), 1_000),
    (Hand::StraightFlush, Prize::Share(100, 1), 300),
    (Hand::FourOfAKind, Prize::Share(100, 2), 0),
    (Hand::FullHouse, Prize::Share(100, 3), 0),
    (Hand::Flush, Prize::Share(10, 3), 0),
    (Hand::Straight, Prize::Fixed(30), 0),
    (Hand::ThreeOfAKind, Prize::Fixed(10), 0),
];
