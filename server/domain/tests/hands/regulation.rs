//! The four-card ranking once more, literally after 58 Pa. Code § 657a.6(b) and (c): slow, and written independently
//! of the evaluator that it checks.

use std::cmp::Ordering;

use meterhouse_domain::card::{Card, Rank};
use meterhouse_domain::hand::Hand;

/// The names of (b), in its order; four aces are "the highest ranking four-of-a-kind", (b)(1).
const ORDER: [Hand; 9] = [
    Hand::FourAces,
    Hand::FourOfAKind,
    Hand::StraightFlush,
    Hand::ThreeOfAKind,
    Hand::Flush,
    Hand::Straight,
    Hand::TwoPair,
    Hand::Pair,
    Hand::HighCard,
];

/// The sequences, highest first: "with ace, king, queen and jack being the highest ranking
/// straight and an ace, 2, 3, 4 being the lowest", (b)(2) and (b)(5).
const SEQUENCES: [&str; 11] = [
    "AKQJ", "KQJT", "QJT9", "JT98", "T987", "9876", "8765", "7654", "6543", "5432", "432A",
];

/// Returns the index of the sequence that the cards are.
fn sequence(cards: [Card; 4]) -> Option<usize> {
    let has = |letter| cards.iter().any(|card| card.rank().letter() == letter);
    SEQUENCES
        .iter()
        .position(|sequence| sequence.chars().all(has))
}

/// Returns the ranks of which the cards contain this many, highest first.
fn of_a_rank(cards: [Card; 4], many: usize) -> Vec<Rank> {
    let count = |rank| cards.iter().filter(|card| card.rank() == rank).count();
    Rank::ALL
        .into_iter()
        .rev()
        .filter(|rank| count(*rank) == many)
        .collect()
}

/// Returns the name of the hand: the definitions of (b), one after the other.
pub(super) fn hand(cards: [Card; 4]) -> Hand {
    let same_suit = cards.iter().all(|card| card.suit() == cards[0].suit());
    if of_a_rank(cards, 4) == [Rank::Ace] {
        Hand::FourAces
    } else if !of_a_rank(cards, 4).is_empty() {
        Hand::FourOfAKind
    } else if same_suit && sequence(cards).is_some() {
        Hand::StraightFlush
    } else if !of_a_rank(cards, 3).is_empty() {
        Hand::ThreeOfAKind
    } else if same_suit {
        Hand::Flush
    } else if sequence(cards).is_some() {
        Hand::Straight
    } else {
        [Hand::HighCard, Hand::Pair, Hand::TwoPair][of_a_rank(cards, 2).len()]
    }
}

/// Compares two hands, each given with its name.
pub(super) fn compare(one: (Hand, [Card; 4]), other: (Hand, [Card; 4])) -> Ordering {
    let index = |hand| ORDER.iter().position(|named| *named == hand);
    let ((name, one), (other_name, other)) = (one, other);
    if name != other_name {
        return index(other_name).cmp(&index(name));
    }
    let by_definition = match name {
        Hand::StraightFlush | Hand::Straight => sequence(other).cmp(&sequence(one)),
        Hand::FourOfAKind => of_a_rank(one, 4).cmp(&of_a_rank(other, 4)),
        Hand::ThreeOfAKind => of_a_rank(one, 3).cmp(&of_a_rank(other, 3)),
        Hand::TwoPair | Hand::Pair => of_a_rank(one, 2).cmp(&of_a_rank(other, 2)),
        _ => Ordering::Equal,
    };
    by_definition.then_with(|| highest_not_in(one, other).cmp(&highest_not_in(other, one)))
}

/// "The highest ranking card …, which is not in the other hand", (c), if there is one.
fn highest_not_in(one: [Card; 4], other: [Card; 4]) -> Option<Rank> {
    let mut left: Vec<Rank> = one.iter().map(|card| card.rank()).collect();
    for card in other {
        if let Some(same) = left.iter().position(|rank| *rank == card.rank()) {
            left.swap_remove(same);
        }
    }
    left.into_iter().max()
}
