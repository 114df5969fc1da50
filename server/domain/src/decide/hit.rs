//! Hits: a winning hand, keyed in turn order; its amount is locked and a won level restarts immediately.
//!
//! # Shape
//! [`line_hit`] and [`envy_hit`] make a hit from a state and a round. A dealer's button makes one hit. `settle` makes
//! hits one after another, each in the state that the previous one left, so that both ways give the same amounts.

use crate::card::Card;
use crate::command::{HitCommand, Holder};
use crate::event::{Event, HitKind, HitRecorded};
use crate::hand::Hand;
use crate::ids::HitOrder;
use crate::link::{Account, Book};
use crate::money::Money;
use crate::paytable::{ChargedTo, Line};
use crate::refusal::{Refusal, RefusalCode};
use crate::seat::Seat;
use crate::state::{Hit, LinkState, Round, Table};

use super::balance::balanced;
use super::cards::check_cards;
use super::decision::Stop;
use super::eligible::{gives_envy_alone, has_wager, shows_its_hand};
use super::open_round::open_round;
use super::payouts;
use super::turn::{in_turn, none_stands};

/// Decides a winning hand on an accepted wager (§ 657a.11(e), (f)).
pub(super) fn hit(state: &LinkState, table: &Table, command: &HitCommand) -> Result<Event, Stop> {
    let recorded = line_hit(state, table, command)?;
    Ok(Event::HitRecorded(Box::new(recorded)))
}

/// Decides a qualifying hand whose holder made no wager: the other players still get their envy (figure I).
pub(super) fn envy(
    state: &LinkState,
    table: &Table,
    seat: Seat,
    hand: Hand,
    cards: Option<&[Card]>,
) -> Result<Event, Stop> {
    let recorded = envy_hit(state, table, seat, hand, cards)?;
    Ok(Event::HitRecorded(Box::new(recorded)))
}

/// Returns a hit of the line that pays this hand, with the envy of the others.
pub(super) fn line_hit(
    state: &LinkState,
    table: &Table,
    command: &HitCommand,
) -> Result<HitRecorded, Stop> {
    let round = open_round(table)?;
    let holder = command.holder;
    has_wager(state, table, round, holder)?;
    let line = winning_line(state, command.hand)?;
    check_cards(
        state,
        table,
        round,
        holder,
        command.hand,
        command.cards.as_deref(),
    )?;
    none_stands(state, table, round, holder, HitKind::Line)?;
    in_turn(state, table, round, holder)?;
    let mut recorded = HitRecorded {
        hand: Some(command.hand),
        cards: command.cards.clone(),
        needs_validation: line.needs_validation(state.terms.content().validation),
        ..blank(state, round, HitKind::Line, holder)
    };
    payouts::line(state, round, &mut recorded, line)?;
    if let Holder::Seat(seat) = holder
        && shows_its_hand(table, round, seat)
    {
        payouts::envy(state, round, &mut recorded, seat, line)?;
    }
    completed(state, recorded)
}

/// Returns a hit that pays nothing but envy.
pub(super) fn envy_hit(
    state: &LinkState,
    table: &Table,
    seat: Seat,
    hand: Hand,
    cards: Option<&[Card]>,
) -> Result<HitRecorded, Stop> {
    let round = open_round(table)?;
    gives_envy_alone(table, round, seat)?;
    let line = winning_line(state, hand)?;
    if line.envy.is_none() {
        return Err(not_a_winner(hand));
    }
    let holder = Holder::Seat(seat);
    check_cards(state, table, round, holder, hand, cards)?;
    none_stands(state, table, round, holder, HitKind::Envy)?;
    let mut recorded = HitRecorded {
        hand: Some(hand),
        cards: cards.map(<[Card]>::to_vec),
        needs_validation: true,
        ..blank(state, round, HitKind::Envy, holder)
    };
    payouts::envy(state, round, &mut recorded, seat, line)?;
    completed(state, recorded)
}

/// Returns the link's next hit, without payouts and without validation.
pub(super) fn blank(
    state: &LinkState,
    round: &Round,
    kind: HitKind,
    holder: Holder,
) -> HitRecorded {
    HitRecorded {
        order: HitOrder(state.last_order.0 + 1),
        round: round.sequence,
        kind,
        holder,
        hand: None,
        cards: None,
        taken: None,
        payouts: Vec::new(),
        needs_validation: false,
        moves: Vec::new(),
    }
}

/// Returns the hit with all moves that have to follow its own, and with the resulting balances of its level.
pub(super) fn completed(state: &LinkState, mut recorded: HitRecorded) -> Result<HitRecorded, Stop> {
    recorded.moves = balanced(state, recorded.moves)?;
    if let Some(taken) = &mut recorded.taken {
        let book = Book(taken.level);
        let mut after = taken.before;
        for entry in recorded.moves.iter().filter(|entry| entry.book == book) {
            let amount = |account| match account {
                Account::Meter => entry.amount,
                _ => Money::ZERO,
            };
            after = after.minus(amount(entry.from))?.plus(amount(entry.to))?;
        }
        taken.after = after;
    }
    Ok(recorded)
}

/// Returns the book of a hit's entries with this charge.
pub(super) fn book_of(state: &LinkState, hit: &Hit, charged_to: ChargedTo) -> Book {
    match (hit.taken, charged_to) {
        (Some(taken), ChargedTo::Meter) => Book(taken.level),
        (Some(_) | None, ChargedTo::House) | (None, ChargedTo::Meter) => state.terms.fixed_book(),
    }
}

/// Returns the line of the paytable that pays this hand.
pub(super) fn winning_line(state: &LinkState, hand: Hand) -> Result<&Line, Stop> {
    let line = state.terms.content().line(hand);
    line.ok_or_else(|| not_a_winner(hand))
}

fn not_a_winner(hand: Hand) -> Stop {
    Refusal::new(RefusalCode::NotAWinner)
        .with("hand", hand)
        .into()
}
