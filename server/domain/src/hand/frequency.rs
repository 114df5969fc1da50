//! The frequency of each hand: exact counts over all hands of one deck.
//!
//! # Shape
//! One table a ranking, proven by evaluating every possible hand (`tests/hands.rs`). A hand formed from own and
//! community cards is any five of the deck as well, so one table serves every game.

use crate::hand::names::Hand;
use crate::hand::ranking::Ranking;

/// Hands of three cards of one deck.
const THREE: u32 = 22_100;
/// Hands of five cards of one deck.
const FIVE: u32 = 2_598_960;

/// Returns the number of different hands of a ranking: of three cards for three-card hands, else of five.
pub const fn hands_dealt(ranking: Ranking) -> u32 {
    match ranking {
        Ranking::ThreeCard => THREE,
        Ranking::FourCard | Ranking::FiveCard => FIVE,
    }
}

/// Returns the number of these hands among [`hands_dealt`]; 0 if the ranking doesn't have the hand.
pub const fn frequency(ranking: Ranking, hand: Hand) -> u32 {
    match ranking {
        Ranking::ThreeCard => of_three(hand),
        Ranking::FourCard => best_four_of_five(hand),
        Ranking::FiveCard => of_five(hand),
    }
}

const fn of_three(hand: Hand) -> u32 {
    match hand {
        Hand::MiniRoyal => 4,
        Hand::StraightFlush => 44,
        Hand::ThreeOfAKind => 52,
        Hand::Straight => 720,
        Hand::Flush => 1_096,
        Hand::Pair => 3_744,
        Hand::HighCard => 16_440,
        Hand::RoyalFlush | Hand::FourAces | Hand::FourOfAKind | Hand::FullHouse | Hand::TwoPair => {
            0
        }
    }
}

const fn best_four_of_five(hand: Hand) -> u32 {
    match hand {
        Hand::FourAces => 48,
        Hand::FourOfAKind => 576,
        Hand::StraightFlush => 2_072,
        Hand::ThreeOfAKind => 58_656,
        Hand::Flush => 114_616,
        Hand::Straight => 101_808,
        Hand::TwoPair => 123_552,
        Hand::Pair => 1_047_552,
        Hand::HighCard => 1_150_080,
        Hand::RoyalFlush | Hand::FullHouse | Hand::MiniRoyal => 0,
    }
}

const fn of_five(hand: Hand) -> u32 {
    match hand {
        Hand::RoyalFlush => 4,
        Hand::StraightFlush => 36,
        Hand::FourOfAKind => 624,
        Hand::FullHouse => 3_744,
        Hand::Flush => 5_108,
        Hand::Straight => 10_200,
        Hand::ThreeOfAKind => 54_912,
        Hand::TwoPair => 123_552,
        Hand::Pair => 1_098_240,
        Hand::HighCard => 1_302_540,
        Hand::FourAces | Hand::MiniRoyal => 0,
    }
}
