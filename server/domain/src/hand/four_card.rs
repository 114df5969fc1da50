//! The four-card ranking of Crazy 4 Poker, 58 Pa. Code § 657a.6(a) to (c).

use crate::card::{Card, Rank};
use crate::hand::evaluated::Evaluated;
use crate::hand::names::Hand;
use crate::hand::shape::Shape;

/// The four-card hands, highest first, § 657a.6(b).
///
/// Unlike in five cards, four of a kind beats a straight flush and three of a kind a flush. Four
/// aces are the top of the four of a kind.
pub(super) const ORDER: [Hand; 9] = [
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

/// Evaluates four cards in [`Ranking::FourCard`](super::Ranking::FourCard), § 657a.6(b) and (c).
///
/// The hand is the first in the order of subsection (b) with a definition that the cards meet.
pub(super) fn evaluate_four(cards: [Card; 4]) -> Evaluated {
    let shape = Shape::of(&cards);
    let (hand, deciding): (Hand, &[Rank]) = match shape.kind() {
        ((4, _), _, _) if shape.grouped[0] == Rank::Ace => (Hand::FourAces, &shape.grouped),
        ((4, _), _, _) => (Hand::FourOfAKind, &shape.grouped),
        (_, true, Some(highest)) => (Hand::StraightFlush, &[highest]),
        ((3, _), _, _) => (Hand::ThreeOfAKind, &shape.grouped),
        (_, true, None) => (Hand::Flush, &shape.descending),
        (_, false, Some(highest)) => (Hand::Straight, &[highest]),
        ((2, 2), _, _) => (Hand::TwoPair, &shape.grouped),
        ((2, _), _, _) => (Hand::Pair, &shape.grouped),
        _ => (Hand::HighCard, &shape.descending),
    };
    Evaluated::new(&ORDER, hand, deciding)
}
