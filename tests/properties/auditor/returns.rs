//! What a wager on the link returns in the end, counted by the auditor: whether two people have to acknowledge it.
//!
//! # What it does differently
//! It counts whole wagers over as many rounds as there are hands of five cards, where the rules add up fractions of one
//! wager; and a level returns whichever is more, what comes in or what its fixed pays take, where the rules add what is
//! missing.

use meterhouse_domain::hand::Hand;

use super::sheet::{Prize, Sheet};
use crate::setup::{DRAWN_ONE_IN, SEATS};

/// Hands of five cards of one deck; a wager is made on each of them once.
const HANDS: i128 = 2_598_960;
/// Makes every part of a wager here a whole number: percents, one of 52 cards, one of so many rounds.
const PARTS: i128 = 100 * 52 * DRAWN_ONE_IN as i128;

/// How many of all hands of five cards are this one.
const fn of_five(hand: Hand) -> i128 {
    match hand {
        Hand::RoyalFlush => 4,
        Hand::StraightFlush => 36,
        Hand::FourOfAKind => 624,
        Hand::FullHouse => 3_744,
        Hand::Flush => 5_108,
        Hand::Straight => 10_200,
        Hand::ThreeOfAKind => 54_912,
        _ => 0,
    }
}

/// How many of all hands of five cards have this one as their best four.
const fn of_four(hand: Hand) -> i128 {
    match hand {
        Hand::FourAces => 48,
        Hand::FourOfAKind => 576,
        Hand::StraightFlush => 2_072,
        Hand::ThreeOfAKind => 58_656,
        _ => 0,
    }
}

impl Sheet {
    /// Whether all wagers get back more than was wagered: the long run, draws where they hit most, envy of a full table.
    pub(super) fn returns_too_much(&self) -> bool {
        let levels = (0..self.levels.len()).map(|level| self.of_level(level));
        let returned = levels.sum::<i128>() + self.of_lines() + self.of_draws();
        returned > HANDS * PARTS
    }

    const fn dealt(&self, hand: Hand) -> i128 {
        if self.four_cards {
            of_four(hand)
        } else {
            of_five(hand)
        }
    }

    /// What comes in to a level is won some day; what its fixed pays take beyond that is the house's.
    fn of_level(&self, level: usize) -> i128 {
        let sheet = &self.levels[level];
        let (mut restarts, mut taken) = (0, 0);
        for (hand, prize, _) in self.lines {
            match prize {
                Prize::Share(100, of) if *of == level => restarts += self.dealt(*hand),
                Prize::Metered(odds, of) if *of == level => taken += odds * self.dealt(*hand),
                _ => {}
            }
        }
        let wagered = (sheet.meter + sheet.reserve) * HANDS * (PARTS / 100);
        let comes_in = wagered + restarts * sheet.reseed * PARTS;
        comes_in.max(taken * PARTS)
    }

    /// Fixed pays of the house, and envy of everybody else at the table.
    fn of_lines(&self) -> i128 {
        let others = i128::from(SEATS) - 1;
        let line = |(hand, prize, envy): &(Hand, Prize, i128)| {
            let fixed = if let Prize::Fixed(odds) = prize {
                *odds
            } else {
                0
            };
            self.dealt(*hand) * (fixed + envy * others)
        };
        self.lines.iter().map(line).sum::<i128>() * PARTS
    }

    /// A Magic Card is one of five of 52; on a layout of one position the lucky one is always that.
    fn of_draws(&self) -> i128 {
        let each_round = PARTS / i128::from(DRAWN_ONE_IN) * HANDS;
        let magic = self.magic_card.unwrap_or(0) * 5 * each_round / 52;
        magic + self.lucky_bonus.unwrap_or(0) * each_round
    }
}

/// The auditor's own figures where the rules print theirs: the Hand Bonus of § 657a.12(f), long run 57.24%.
#[test]
fn the_hand_bonus_needs_two_people_only_with_draws() {
    use crate::setup::{Game, Limits, Restart, Setup, Values};
    for (magic_card, lucky_bonus, expected) in [
        (false, false, false),
        (true, false, true),
        (false, true, true),
        (true, true, true),
    ] {
        let setup = Setup {
            game: Game::HandBonus,
            cents: 100,
            decks: 1,
            restart: Restart::Add,
            small: false,
            tables: 1,
            limits: Limits {
                ceiling: None,
                rounds_a_minute: None,
                magic_card,
                lucky_bonus,
                badge: None,
            },
            values: Values::Accepted,
        };
        assert_eq!(Sheet::of(&setup).returns_too_much(), expected);
    }
}
