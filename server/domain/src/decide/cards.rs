//! The cards of a hand: the server evaluates them itself and never believes the button alone.

use crate::card::{Card, repeated};
use crate::hand::{Hand, evaluate};
use crate::refusal::{Refusal, RefusalCode};
use crate::state::{LinkState, Round};

use super::Stop;

/// Cards of the progressive hand in every hand rule of the catalogue.
const HAND_CARDS: usize = 5;

/// With cards, the server evaluates them itself: the right number, none twice in the round, and the hand
/// that the button says (`rules` §5).
pub(super) fn check_cards(
    state: &LinkState,
    round: &Round,
    hand: Hand,
    cards: Option<&[Card]>,
) -> Result<(), Stop> {
    let Some(cards) = cards else { return Ok(()) };
    check_found(state, hand, cards)?;
    let elsewhere = round
        .standing_hits()
        .filter_map(|hit| hit.cards.as_deref())
        .flatten();
    match repeated(cards.iter().chain(elsewhere).copied(), state.terms.decks) {
        Some(card) => Err(Refusal::new(RefusalCode::CardTwice)
            .with("card", card)
            .into()),
        None => Ok(()),
    }
}

/// Refuses cards that are no hand or another hand than `hand`.
pub(super) fn check_found(state: &LinkState, hand: Hand, cards: &[Card]) -> Result<(), Stop> {
    let five: &[Card; HAND_CARDS] = cards.try_into().map_err(|_| {
        Refusal::new(RefusalCode::ImpossibleCards)
            .with("cards", cards.len())
            .with("expected", HAND_CARDS)
    })?;
    if let Some(card) = repeated(cards.iter().copied(), state.terms.decks) {
        return Err(Refusal::new(RefusalCode::CardTwice)
            .with("card", card)
            .into());
    }
    let found = evaluate(state.terms.content().ranking, five).hand();
    if found == hand {
        return Ok(());
    }
    let code = match state.terms.content().line(found) {
        Some(_) => RefusalCode::WrongHand,
        None => RefusalCode::NotAWinner,
    };
    Err(Refusal::new(code)
        .with("hand", hand)
        .with("found", found)
        .into())
}
