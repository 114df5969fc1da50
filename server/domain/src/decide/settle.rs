//! `settle`: the whole round from all cards.
//!
//! # Shape
//! The hands are formed and put into turn order. Each winning hand is keyed by the same functions as a dealer's
//! button, in the state that the previous one left. The hits, their moves and the balances are therefore those of the
//! single commands in turn order.

use core::ops::RangeInclusive;

use crate::apply::apply;
use crate::card::Card;
use crate::command::{Bonus, HitCommand, Holder, Settle};
use crate::event::{Event, HitRecorded, Origin, Recorded};
use crate::ids::{ActorId, Sequence, TableNo, Timestamp};
use crate::paytable::HandRule;
use crate::refusal::{Refusal, RefusalCode};
use crate::seat::{Seat, SeatSet};
use crate::state::{LinkState, Round, Table};

use super::bonus::bonus_hit;
use super::cards::{formed, none_twice, wrong_count};
use super::coin_in::{refused, seats_once};
use super::decision::Stop;
use super::eligible::{envious, gives_envy_alone, has_wager};
use super::hit::{envy_hit, line_hit};
use super::open_round::open_round;
use super::turn::{name_of, turn};

/// The actor of hits on the draft. It is never read: the resulting event names the sender of the cards.
const NOBODY: ActorId = ActorId(0);

/// Decides `settle` without fixed wagers.
pub(super) fn settle(
    state: &LinkState,
    table: &Table,
    number: TableNo,
    sequence: Sequence,
    command: &Settle,
) -> Result<Event, Stop> {
    Ok(Event::RoundSettled {
        cards: Box::new(command.clone()),
        hits: hits(state, table, number, sequence, command)?,
        wagers: None,
    })
}

/// Returns the hits of all cards of the round, in turn order.
pub(super) fn hits(
    state: &LinkState,
    table: &Table,
    number: TableNo,
    sequence: Sequence,
    command: &Settle,
) -> Result<Vec<HitRecorded>, Stop> {
    let round = open_round(table)?;
    nothing_stands(state, table, round)?;
    check_dealt(state, table, round, command)?;
    none_missing(state, table, round, command)?;
    let mut draft = state.clone();
    let mut hits = Vec::new();
    for (holder, cards) in in_turn_order(table, round, command) {
        for way in Way::ALL {
            let found = draft
                .table(number)
                .ok_or(Stop::Broken("a table left while it was settled"))?;
            let Some(hit) = won(&draft, found, holder, &cards, way)? else {
                continue;
            };
            let recorded = Recorded {
                origin: Origin::Table {
                    table: number,
                    sequence,
                },
                actor: NOBODY,
                by: None,
                device_time: None,
                event: Event::HitRecorded(Box::new(hit.clone())),
            };
            apply(&mut draft, &recorded, Timestamp(0));
            hits.push(hit);
        }
    }
    Ok(hits)
}

/// Refuses a round with a standing hit: the dealer keys the others, or cancels it.
fn nothing_stands(state: &LinkState, table: &Table, round: &Round) -> Result<(), Stop> {
    match round.standing_hits().next() {
        Some(hit) => Err(Refusal::new(RefusalCode::AlreadyHit)
            .with("hit", name_of(state, table, hit))
            .into()),
        None => Ok(()),
    }
}

/// Refuses cards that the round can't have dealt: to a seat without cards, a wrong number to a hand or to the
/// community, or one card twice.
fn check_dealt(
    state: &LinkState,
    table: &Table,
    round: &Round,
    command: &Settle,
) -> Result<(), Stop> {
    let seats = seats_once(table, command.seats.iter().map(|(seat, _)| *seat))?;
    if let Some(seat) = seats.ascending().find(|seat| !round.dealt.contains(*seat)) {
        return Err(refused(RefusalCode::SeatNotDealt, seat));
    }
    let rule = table.rules.hand_rule;
    for (seat, cards) in &command.seats {
        let expected = rule.dealt(Holder::Seat(*seat));
        if !expected.contains(&cards.len()) {
            let refusal = wrong_count(cards, from_to(&expected));
            return Err(refusal.with("seat", seat).into());
        }
    }
    let (dealer, expected) = (&command.dealer, dealt_to_dealer(state, table, rule));
    if !dealer.is_empty() && !expected.contains(&dealer.len()) {
        let refusal = wrong_count(dealer, from_to(&expected));
        return Err(refusal.with("dealer", true).into());
    }
    let (community, expected) = (&command.community, rule.community_dealt());
    if !expected.contains(&community.len()) {
        return Err(Refusal::new(RefusalCode::ImpossibleCards)
            .with("community", community.len())
            .with("expected", from_to(&expected))
            .into());
    }
    let of_seats = command.seats.iter().flat_map(|(_, cards)| cards);
    none_twice(state, of_seats.chain(dealer).chain(community).copied())
}

/// Returns the number of the dealer's cards: exact if the dealer's hand can be wagered on and all dealt cards form
/// it.
fn dealt_to_dealer(state: &LinkState, table: &Table, rule: HandRule) -> RangeInclusive<usize> {
    let dealt = rule.dealt(Holder::Dealer);
    if table.takes_dealer_wagers(&state.terms) && *dealt.start() == rule.own() {
        return rule.own()..=rule.own();
    }
    dealt
}

/// Writes a number of cards, or the minimum and the maximum.
fn from_to(expected: &RangeInclusive<usize>) -> String {
    let (least, most) = (expected.start(), expected.end());
    if least == most {
        return least.to_string();
    }
    format!("{least} to {most}")
}

/// Refuses a round in which the cards of a possible winner are missing.
fn none_missing(
    state: &LinkState,
    table: &Table,
    round: &Round,
    command: &Settle,
) -> Result<(), Stop> {
    let sent: SeatSet = command.seats.iter().map(|(seat, _)| *seat).collect();
    let can_win = |seat: &Seat| {
        has_wager(state, table, round, Holder::Seat(*seat)).is_ok()
            || can_give_envy(state, table, round, *seat)
    };
    let missing: Vec<String> = round
        .dealt
        .ascending()
        .filter(|seat| !sent.contains(*seat))
        .filter(can_win)
        .map(|seat| seat.to_string())
        .collect();
    let dealer = command.dealer.is_empty() && !round.dealer.is_empty();
    if missing.is_empty() && !dealer {
        return Ok(());
    }
    let mut refusal = Refusal::new(RefusalCode::CardsMissing);
    if !missing.is_empty() {
        refusal = refusal.with("seats", missing.join(" "));
    }
    if dealer {
        refusal = refusal.with("dealer", true);
    }
    Err(refusal.into())
}

/// Checks if a hand whose holder has no wager on it can give envy to others.
fn can_give_envy(state: &LinkState, table: &Table, round: &Round, seat: Seat) -> bool {
    let mut lines = state.terms.content().lines.iter();
    lines.any(|line| line.envy.is_some())
        && gives_envy_alone(table, round, seat).is_ok()
        && envious(round, seat).next().is_some()
}

/// Returns the cards of each sent hand, in turn order.
fn in_turn_order(table: &Table, round: &Round, command: &Settle) -> Vec<(Holder, Vec<Card>)> {
    let rule = table.rules.hand_rule;
    let seats = command.seats.iter();
    let mut dealt: Vec<(Holder, &[Card])> = seats
        .map(|(seat, cards)| (Holder::Seat(*seat), cards.as_slice()))
        .collect();
    if !command.dealer.is_empty() {
        dealt.push((Holder::Dealer, &command.dealer));
    }
    dealt.sort_by_key(|(holder, _)| turn(round, *holder));
    let hands = dealt.into_iter();
    hands
        .map(|(holder, cards)| (holder, rule.cards(cards, &command.community)))
        .collect()
}

/// A way for a hand to win, in the order in which a dealer would key it.
#[derive(Copy, Clone)]
enum Way {
    /// By its rank: a line, or envy alone.
    Rank,
    /// By a bonus of the draw.
    Draw(Bonus),
}

impl Way {
    const ALL: [Self; 3] = [
        Self::Rank,
        Self::Draw(Bonus::MagicCard),
        Self::Draw(Bonus::LuckyBonus),
    ];
}

/// Returns the hit of a hand by this way, if it wins anything.
fn won(
    state: &LinkState,
    table: &Table,
    holder: Holder,
    cards: &[Card],
    way: Way,
) -> Result<Option<HitRecorded>, Stop> {
    let round = open_round(table)?;
    let wagered = has_wager(state, table, round, holder).is_ok();
    match way {
        Way::Rank => {
            let hand = formed(state, cards)?;
            let Some(line) = state.terms.content().line(hand) else {
                return Ok(None);
            };
            let cards = Some(cards.to_vec());
            match holder {
                _ if wagered => line_hit(
                    state,
                    table,
                    &HitCommand {
                        holder,
                        hand,
                        cards,
                    },
                )
                .map(Some),
                Holder::Seat(seat)
                    if line.envy.is_some() && can_give_envy(state, table, round, seat) =>
                {
                    envy_hit(state, table, seat, hand, cards.as_deref()).map(Some)
                }
                Holder::Seat(_) | Holder::Dealer => Ok(None),
            }
        }
        Way::Draw(kind) => {
            let drawn = match kind {
                Bonus::MagicCard => round
                    .draws
                    .magic_card
                    .is_some_and(|card| cards.contains(&card)),
                Bonus::LuckyBonus => round.draws.lucky_position == Some(holder),
            };
            if !(wagered && drawn) {
                return Ok(None);
            }
            bonus_hit(state, table, round, kind, holder, Some(cards)).map(Some)
        }
    }
}
