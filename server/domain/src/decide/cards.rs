//! The cards of a hand: the server evaluates them itself and doesn't trust the button alone.

use core::slice;

use crate::card::{Card, repeated};
use crate::command::Holder;
use crate::event::HitKind;
use crate::hand::{Evaluated, Hand, evaluate};
use crate::refusal::{Refusal, RefusalCode};
use crate::state::{LinkState, Round, Table};

use super::decision::Stop;

/// Evaluates the cards, if there are any: the right number, none twice in the round, and the hand that the button
/// names (RULES §5.3).
pub(super) fn check_cards(
    state: &LinkState,
    table: &Table,
    round: &Round,
    holder: Holder,
    hand: Hand,
    cards: Option<&[Card]>,
) -> Result<(), Stop> {
    let Some(cards) = cards else { return Ok(()) };
    check_found(state, hand, cards)?;
    check_dealt(state, table, round, holder, cards)
}

/// Refuses cards that this hand can't have been dealt: a wrong number of them, or a card of another hand of the
/// round. Cards other than those keyed for this hand before are refused too, as is a community other than that of
/// another hand. A hand that was paid for the Magic Card must hold it.
pub(super) fn check_dealt(
    state: &LinkState,
    table: &Table,
    round: &Round,
    holder: Holder,
    cards: &[Card],
) -> Result<(), Stop> {
    check_count(state, cards)?;
    let rule = table.rules.hand_rule;
    let parts = |cards| {
        let (own, community) = rule.parts(cards);
        (sorted(own), sorted(community))
    };
    let impossible = || Refusal::new(RefusalCode::ImpossibleCards).with("cards", listed(cards));
    if let Some(before) = keyed(round, holder)
        && parts(before) != parts(cards)
    {
        return Err(impossible().with("keyed_before", listed(before)).into());
    }
    let (_, community) = rule.parts(cards);
    if let Some(before) = community_keyed(table, round)
        && sorted(before) != sorted(community)
    {
        return Err(impossible().with("community", listed(before)).into());
    }
    if let Some(card) = paid_for(round, holder)
        && !cards.contains(card)
    {
        return Err(impossible().with("drawn", card).into());
    }
    let elsewhere = elsewhere(table, round, holder, Some(community));
    none_twice(state, cards.iter().copied().chain(elsewhere))
}

/// Returns the community cards that are known from the cards of any hand, in games that have them.
pub(super) fn community_keyed<'a>(table: &Table, round: &'a Round) -> Option<&'a [Card]> {
    let rule = table.rules.hand_rule;
    let cards = round.standing_hits().find_map(|hit| hit.cards.as_deref())?;
    Some(rule.parts(cards).1).filter(|shared| !shared.is_empty())
}

/// Returns the cards that were keyed for this hand, own and community: a line and a bonus of one hand have the same.
pub(super) fn keyed(round: &Round, holder: Holder) -> Option<&[Card]> {
    let mut hits = round.standing_hits().filter(|hit| hit.holder == holder);
    hits.find_map(|hit| hit.cards.as_deref())
}

/// Checks if a hit of a `settle` stands: it has evaluated the cards of every hand with a wager, and keyed their wins.
pub(super) fn settled(round: &Round) -> bool {
    round.standing_hits().any(|hit| hit.number > 0)
}

/// Returns the Magic Card, if it was paid for this hand.
fn paid_for(round: &Round, holder: Holder) -> Option<&Card> {
    let mut hits = round.standing_hits();
    hits.find(|hit| hit.holder == holder && hit.kind == HitKind::MagicCard)?;
    round.draws.magic_card.as_ref()
}

/// Returns the known own cards of the round's other hands: the keyed ones, or at least the Magic Card that was paid
/// for the hand. A Magic Card of the community is left out, because every hand has it.
pub(super) fn elsewhere(
    table: &Table,
    round: &Round,
    holder: Holder,
    community: Option<&[Card]>,
) -> Vec<Card> {
    let rule = table.rules.hand_rule;
    let mut others: Vec<Holder> = Vec::new();
    for hit in round.standing_hits() {
        if hit.holder != holder && !others.contains(&hit.holder) {
            others.push(hit.holder);
        }
    }
    // Until the community is known, the card belongs to one hand.
    let is_own = |card: &Card| community.is_none_or(|shared| !shared.contains(card));
    let of_hand = |other| {
        if let Some(cards) = keyed(round, other) {
            return rule.parts(cards).0;
        }
        let card = paid_for(round, other).filter(|card| is_own(card));
        card.map_or(&[][..], slice::from_ref)
    };
    others.into_iter().flat_map(of_hand).copied().collect()
}

/// Refuses cards that are no hand or another hand than `hand`.
pub(super) fn check_found(state: &LinkState, hand: Hand, cards: &[Card]) -> Result<(), Stop> {
    let found = formed(state, cards)?;
    none_twice(state, cards.iter().copied())?;
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

/// Returns the progressive hand that these cards make, own and community; refuses a wrong number of cards.
pub(super) fn formed(state: &LinkState, cards: &[Card]) -> Result<Hand, Refusal> {
    let expected = check_count(state, cards)?;
    let found = evaluate(state.terms.content().ranking, cards).map(Evaluated::hand);
    found.ok_or_else(|| wrong_count(cards, expected))
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

/// Refuses a number of cards that forms no progressive hand; returns the number that forms one.
fn check_count(state: &LinkState, cards: &[Card]) -> Result<usize, Refusal> {
    let expected = usize::from(state.terms.content().ranking.cards());
    if cards.len() == expected {
        Ok(expected)
    } else {
        Err(wrong_count(cards, expected))
    }
}

/// Returns the refusal of a wrong number of cards.
pub(super) fn wrong_count(cards: &[Card], expected: impl core::fmt::Display) -> Refusal {
    Refusal::new(RefusalCode::ImpossibleCards)
        .with("cards", cards.len())
        .with("expected", expected)
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
