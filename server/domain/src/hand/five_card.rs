//! The five-card ranking, 58 Pa. Code § 657a.6(d), which is that of poker in general.

use crate::card::{Card, Rank};
use crate::hand::evaluated::Evaluated;
use crate::hand::names::Hand;
use crate::hand::shape::Shape;

/// The five-card hands, highest first: § 657a.6(d)(1) to (7), then § 683a.6(b)(8) and (9).
pub(super) const ORDER: [Hand; 10] = [
    Hand::RoyalFlush,
    Hand::StraightFlush,
    Hand::FourOfAKind,
    Hand::FullHouse,
    Hand::Flush,
    Hand::Straight,
    Hand::ThreeOfAKind,
    Hand::TwoPair,
    Hand::Pair,
    Hand::HighCard,
];

/// Evaluates five cards in [`Ranking::FiveCard`](super::Ranking::FiveCard).
///
/// The hand is the first in the order of § 657a.6(d) with a definition that the cards meet. Five cards of one rank,
/// which need more than one deck, meet that of four of a kind.
pub(super) fn evaluate_five(cards: [Card; 5]) -> Evaluated {
    let shape = Shape::of(&cards);
    let (hand, deciding): (Hand, &[Rank]) = match shape.kind() {
        (_, true, Some(Rank::Ace)) => (Hand::RoyalFlush, &[]),
        (_, true, Some(highest)) => (Hand::StraightFlush, &[highest]),
        ((4 | 5, _), _, _) => (Hand::FourOfAKind, &shape.grouped),
        ((3, 2), _, _) => (Hand::FullHouse, &shape.grouped),
        (_, true, None) => (Hand::Flush, &shape.descending),
        (_, false, Some(highest)) => (Hand::Straight, &[highest]),
        ((3, _), _, _) => (Hand::ThreeOfAKind, &shape.grouped),
        ((2, 2), _, _) => (Hand::TwoPair, &shape.grouped),
        ((2, _), _, _) => (Hand::Pair, &shape.grouped),
        _ => (Hand::HighCard, &shape.descending),
    };
    Evaluated::new(&ORDER, hand, deciding)
}
