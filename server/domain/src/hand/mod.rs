//! The rank of a poker hand: naming the hand that some cards make, and comparing two hands.
//!
//! # The three rankings
//!
//! [`Ranking::FourCard`] is 58 Pa. Code § 657a.6(a) to (c): the highest four-card hand among five cards plays, or
//! among the six of Four Card Poker's dealer. [`Ranking::FiveCard`] is § 657a.6(d): five cards play. That subsection
//! ends at three of a kind. The lower hands and the low ace of the five-card straight are those of § 683a.6(a) and
//! (b), which has the same hands above them. [`Ranking::ThreeCard`] is § 643a.6(d).
//!
//! # Evaluation
//!
//! `shape` finds the common features of the cards: equal ranks, one suit, a sequence. `three_card`, `four_card` and
//! `five_card` name the hand from these, in the order of the regulation. They also choose the ranks that decide
//! between two hands of the same name. If there are more cards than play, the highest hand that they form counts.
//!
//! # More than one deck
//!
//! The evaluation doesn't rely on different cards. With two decks one card may appear twice. The hand is still the
//! first in the order of the regulation with a definition that the cards meet: two pair in one suit is a flush.
//! [`repeated`](crate::card::repeated) checks if a card may appear twice.

use crate::card::Card;

mod evaluated;
mod five_card;
mod four_card;
mod frequency;
mod names;
mod ranking;
mod shape;
mod six_card;
mod three_card;

pub use evaluated::Evaluated;
pub use frequency::{frequency, hands_dealt};
pub use names::{Hand, HandUnknown};
pub use ranking::{Ranking, RankingUnknown};
pub use six_card::six_card_royal;

/// The most cards among which a hand is searched: two own and five community cards, ch. 653a.
pub const CARDS_MAX: usize = 7;

/// Evaluates the cards: the highest hand of the ranking that they form. Cards left out count for nothing, §
/// 657a.11(c). Returns `None` for fewer cards than a hand has, or for more than [`CARDS_MAX`].
pub fn evaluate(ranking: Ranking, cards: &[Card]) -> Option<Evaluated> {
    match ranking {
        Ranking::ThreeCard => highest(cards, three_card::evaluate_three),
        Ranking::FourCard => highest(cards, four_card::evaluate_four),
        Ranking::FiveCard => highest(cards, five_card::evaluate_five),
    }
}

/// Returns the highest of the hands that `N` of the cards form.
fn highest<const N: usize>(
    cards: &[Card],
    evaluate: impl Fn([Card; N]) -> Evaluated,
) -> Option<Evaluated> {
    if let Ok(cards) = cards.try_into() {
        return Some(evaluate(cards));
    }
    if cards.len() > CARDS_MAX {
        return None;
    }
    let sets = 0_u32..1 << cards.len();
    let playing = sets.filter(|set| usize::try_from(set.count_ones()) == Ok(N));
    let hands = playing.filter_map(|set| {
        let mut chosen = [*cards.first()?; N];
        let of_set = cards
            .iter()
            .enumerate()
            .filter(|card| set >> card.0 & 1 == 1);
        for (slot, (_, card)) in chosen.iter_mut().zip(of_set) {
            *slot = *card;
        }
        Some(evaluate(chosen))
    });
    hands.max()
}
