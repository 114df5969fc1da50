//! The hand that only six cards make, 58 Pa. Code § 643a.6(e)(1).

use crate::card::{Card, Rank, Suit};

/// The ranks of a six-card royal flush.
const RANKS: [Rank; 6] = [
    Rank::Ace,
    Rank::King,
    Rank::Queen,
    Rank::Jack,
    Rank::Ten,
    Rank::Nine,
];

/// Returns the suit of a six-card royal flush, or nothing if the cards are none. The hand is "an ace, king, queen,
/// jack, 10 and 9 of the same suit", § 643a.6(e)(1) and the equal clauses of other chapters. Its pay depends on the
/// suit: diamonds pay more than the others, § 643a.12(g). All other hands of six cards are those of the best five:
/// [`evaluate`](super::evaluate).
pub fn six_card_royal(cards: &[Card; 6]) -> Option<Suit> {
    let [first, ..] = cards;
    let suit = first.suit();
    let royal = |rank| cards.contains(&Card::new(rank, suit));
    RANKS.into_iter().all(royal).then_some(suit)
}
