//! The three-card ranking of Let It Ride Poker, 58 Pa. Code § 643a.6(d).

use crate::card::{Card, Rank};
use crate::hand::evaluated::Evaluated;
use crate::hand::names::Hand;
use crate::hand::shape::Shape;

/// The three-card hands, highest first: § 643a.6(d)(1) to (4). That subsection ends at the straight. Below it are the
/// flush and the pair, which is the sixth and last of § 655a.6(c), as three cards are ranked in general.
pub(super) const ORDER: [Hand; 7] = [
    Hand::MiniRoyal,
    Hand::StraightFlush,
    Hand::ThreeOfAKind,
    Hand::Straight,
    Hand::Flush,
    Hand::Pair,
    Hand::HighCard,
];

/// Evaluates three cards in [`Ranking::ThreeCard`](super::Ranking::ThreeCard).
///
/// The hand is the first in the order of § 643a.6(d) with a definition that the cards meet; an ace may be below a 2
/// and a 3, (d)(4).
pub(super) fn evaluate_three(cards: [Card; 3]) -> Evaluated {
    let shape = Shape::of(&cards);
    let (hand, deciding): (Hand, &[Rank]) = match shape.kind() {
        (_, true, Some(Rank::Ace)) => (Hand::MiniRoyal, &[]),
        (_, true, Some(highest)) => (Hand::StraightFlush, &[highest]),
        ((3, _), _, _) => (Hand::ThreeOfAKind, &shape.grouped),
        (_, false, Some(highest)) => (Hand::Straight, &[highest]),
        (_, true, None) => (Hand::Flush, &shape.descending),
        ((2, _), _, _) => (Hand::Pair, &shape.grouped),
        _ => (Hand::HighCard, &shape.descending),
    };
    Evaluated::new(&ORDER, hand, deciding)
}
