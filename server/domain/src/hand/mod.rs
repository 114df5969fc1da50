//! The rank of a poker hand: which hand some cards make, and which of two hands is higher.
//!
//! # The three rankings
//!
//! [`Ranking::FourCard`] is 58 Pa. Code § 657a.6(a) to (c): the highest four-card hand among five
//! cards plays, or among the six of Four Card Poker's dealer. [`Ranking::FiveCard`] is § 657a.6(d):
//! five cards play. That subsection ends at three of a kind; the hands below it and the low ace of
//! the five-card straight are those of § 683a.6(a) and (b), which has the same hands above it.
//! [`Ranking::ThreeCard`] is § 643a.6(d).
//!
//! # How a hand is evaluated
//!
//! `shape` says what any number of cards have in common (equal ranks, one suit, a sequence);
//! `three_card`, `four_card` and `five_card` name the hand from that, in the order of the regulation,
//! and say which ranks decide between two hands of the same name. Where more cards are there than
//! play, the highest hand of all that they form counts.
//!
//! # More than one deck
//!
//! Nothing here relies on the cards being different. Where two decks make one card appear twice,
//! the hand is still the first in the order of the regulation whose definition the cards meet
//! (two pair in one suit is a flush). Whether a card may appear twice is asked of
//! [`repeated`](crate::card::repeated).

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

/// Cards among which a hand is looked for, at most: Four Card Poker's dealer has six, § 641a.8(d).
pub const CARDS_MAX: usize = 6;

/// What these cards are worth: the highest hand of the ranking that so many of them form as it ranks; the cards left
/// out count for nothing, § 657a.11(c). Nothing with fewer cards than that, or with more than [`CARDS_MAX`].
pub fn evaluate(ranking: Ranking, cards: &[Card]) -> Option<Evaluated> {
    match ranking {
        Ranking::ThreeCard => highest(cards, three_card::evaluate_three),
        Ranking::FourCard => highest(cards, four_card::evaluate_four),
        Ranking::FiveCard => highest(cards, five_card::evaluate_five),
    }
}

/// The highest of the hands that `N` of the cards form.
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
        let of_set = cards.iter().enumerate().filter(|it| set >> it.0 & 1 == 1);
        for (place, (_, card)) in chosen.iter_mut().zip(of_set) {
            *place = *card;
        }
        Some(evaluate(chosen))
    });
    hands.max()
}
