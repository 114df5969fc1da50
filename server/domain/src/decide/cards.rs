//! The cards of a hand: the server evaluates them itself and never believes the button alone.

use core::slice;

use crate::card::{Card, repeated};
use crate::command::Holder;
use crate::event::HitKind;
use crate::hand::{Evaluated, Hand, evaluate};
use crate::refusal::{Refusal, RefusalCode};
use crate::state::{LinkState, Round, Table};

use super::decision::Stop;

/// With cards, the server evaluates them itself: the right number, none twice in the round, and the hand
/// that the button says (RULES §5.3).
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

/// Refuses cards that this hand can't have been dealt: a wrong number of them, one that another hand of the round
/// has, others than those that were keyed for this hand before, another community than that of another hand, or none
/// of them the Magic Card that it was paid for.
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

/// The community cards that are known by the cards of any hand, in games that have them.
pub(super) fn community_keyed<'a>(table: &Table, round: &'a Round) -> Option<&'a [Card]> {
    let rule = table.rules.hand_rule;
    let cards = round.standing_hits().find_map(|it| it.cards.as_deref())?;
    Some(rule.parts(cards).1).filter(|it| !it.is_empty())
}

/// The cards that were keyed for this hand, own and community: a line and a bonus of one hand have the same.
pub(super) fn keyed(round: &Round, holder: Holder) -> Option<&[Card]> {
    let mut hits = round.standing_hits().filter(|it| it.holder == holder);
    hits.find_map(|it| it.cards.as_deref())
}

/// Whether a hit of a `settle` stands: it looked at the cards of every hand with a wager, and keyed what they win.
pub(super) fn settled(round: &Round) -> bool {
    round.standing_hits().any(|it| it.number > 0)
}

/// The Magic Card, where it was paid for this hand.
fn paid_for(round: &Round, holder: Holder) -> Option<&Card> {
    let mut hits = round.standing_hits();
    hits.find(|it| it.holder == holder && it.kind == HitKind::MagicCard)?;
    round.draws.magic_card.as_ref()
}

/// The own cards that the round's other hands are known to have: those keyed for them, or at least the Magic Card that
/// they were paid for, unless it is one of the community, which every hand has.
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
    // Until the community is known, the card is one hand's.
    let is_own = |card: &Card| community.is_none_or(|it| !it.contains(card));
    let of_hand = |it| {
        if let Some(cards) = keyed(round, it) {
            return rule.parts(cards).0;
        }
        let card = paid_for(round, it).filter(|card| is_own(card));
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

/// The progressive hand that these cards make, own and community; a wrong number of them is refused.
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

/// Refuses a number of cards of which no progressive hand is formed; how many it is formed of.
fn check_count(state: &LinkState, cards: &[Card]) -> Result<usize, Refusal> {
    let expected = usize::from(state.terms.content().ranking.cards());
    if cards.len() == expected {
        Ok(expected)
    } else {
        Err(wrong_count(cards, expected))
    }
}

/// The refusal of so many cards where another number is dealt.
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
