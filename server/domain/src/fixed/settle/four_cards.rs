//! The conditions on four-card hands by which several games decide.

use crate::card::{Card, Rank};
use crate::hand::{Evaluated, Hand, Ranking, evaluate};

/// Checks if a four-card hand is "a king or better": a pair or a higher hand, or else a king or an ace as its highest
/// card.
pub(super) fn is_king_or_better(hand: Evaluated) -> bool {
    hand.hand() != Hand::HighCard || hand.deciding().next() >= Some(Rank::King)
}

/// Checks if a four-card hand is a straight or better in the order of § 657a.6(b): all but two pair, pair and less.
pub(super) fn is_straight_or_better(hand: Evaluated) -> bool {
    !matches!(hand.hand(), Hand::TwoPair | Hand::Pair | Hand::HighCard)
}

/// Checks if the best four of five cards are a pair of aces or better.
pub(super) fn is_pair_of_aces_or_better(own: &[Card]) -> bool {
    evaluate(Ranking::FourCard, own).is_some_and(|hand| match hand.hand() {
        Hand::HighCard => false,
        Hand::Pair => hand.deciding().next() == Some(Rank::Ace),
        _ => true,
    })
}
