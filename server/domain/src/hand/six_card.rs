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

/// The suit of a six-card royal flush, "an ace, king, queen, jack, 10 and 9 of the same suit", § 643a.6(e)(1) and its
/// like in the other chapters; nothing if the cards are none. It is paid by its suit: diamonds more than the others,
/// § 643a.12(g). All other hands of six cards are those of the best five: [`evaluate`](super::evaluate).
pub fn six_card_royal(cards: &[Card; 6]) -> Option<Suit> {
    let [first, ..] = cards;
    let suit = first.suit();
    let royal = |rank| cards.contains(&Card::new(rank, suit));
    RANKS.into_iter().all(royal).then_some(suit)
}
