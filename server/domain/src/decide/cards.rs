//! The cards of a hand: the server evaluates them itself and never believes the button alone.

use crate::card::{Card, repeated};
use crate::command::Holder;
use crate::hand::{Hand, evaluate};
use crate::paytable::HandRule;
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
    holder: Holder,
    hand: Hand,
    cards: Option<&[Card]>,
) -> Result<(), Stop> {
    let Some(cards) = cards else { return Ok(()) };
    check_found(state, hand, cards)?;
    check_dealt(state, round, holder, cards)
}

/// Refuses cards that this hand can't have been dealt: a wrong number of them, one that another hand of the round
/// has, others than those that were keyed for this hand before.
pub(super) fn check_dealt(
    state: &LinkState,
    round: &Round,
    holder: Holder,
    cards: &[Card],
) -> Result<(), Stop> {
    five(cards)?;
    let mut known: Vec<(Holder, &[Card])> = Vec::new();
    for hit in round.standing_hits() {
        let Some(keyed) = hit.cards.as_deref() else {
            continue;
        };
        // A line and a bonus of one hand have the same cards.
        if known.iter().all(|(it, _)| *it != hit.holder) {
            known.push((hit.holder, keyed));
        }
    }
    if let Some((_, before)) = known.iter().find(|(it, _)| *it == holder)
        && sorted(before) != sorted(cards)
    {
        return Err(Refusal::new(RefusalCode::ImpossibleCards)
            .with("cards", listed(cards))
            .with("keyed_before", listed(before))
            .into());
    }
    let elsewhere = known.iter().filter(|(it, _)| *it != holder);
    let elsewhere = elsewhere.flat_map(|(_, cards)| *cards);
    none_twice(state, cards.iter().chain(elsewhere).copied())
}

/// Refuses cards that are no hand or another hand than `hand`.
pub(super) fn check_found(state: &LinkState, hand: Hand, cards: &[Card]) -> Result<(), Stop> {
    let five = five(cards)?;
    none_twice(state, cards.iter().copied())?;
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

/// The progressive hand that a game forms from these cards of one hand (§ 657a.11(c), (e)).
pub(super) fn formed(state: &LinkState, rule: HandRule, cards: &[Card]) -> Result<Hand, Refusal> {
    let five = match rule {
        // The ranking itself finds the best four.
        HandRule::BestFourOfFive | HandRule::OwnFive => five(cards)?,
    };
    Ok(evaluate(state.terms.content().ranking, five).hand())
}

/// Refuses a card that appears more often than decks are in play.
pub(super) fn none_twice(state: &LinkState, cards: impl Iterator<Item = Card>) -> Result<(), Stop> {
    match repeated(cards, state.terms.decks) {
        Some(card) => Err(Refusal::new(RefusalCode::CardTwice)
            .with("card", card)
            .into()),
        None => Ok(()),
    }
}

fn five(cards: &[Card]) -> Result<&[Card; HAND_CARDS], Refusal> {
    cards.try_into().map_err(|_| {
        Refusal::new(RefusalCode::ImpossibleCards)
            .with("cards", cards.len())
            .with("expected", HAND_CARDS)
    })
}

fn sorted(cards: &[Card]) -> Vec<Card> {
    let mut cards = cards.to_vec();
    cards.sort_unstable();
    cards
}

fn listed(cards: &[Card]) -> String {
    let cards: Vec<String> = cards.iter().map(Card::to_string).collect();
    cards.join(" ")
}
