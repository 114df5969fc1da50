//! A winner found after GAME OVER (figure R): paid at the displayed amount of that moment.
//!
//! The round is closed, so no GAME OVER can pay any part of the hit: everything is handed over with a document.

use crate::change::{Change, Effect, LateHit, Proposal};
use crate::command::Holder;
use crate::event::{Draws, HitKind, HitRecorded};
use crate::ids::{HitId, HitOrder};
use crate::link::{Account, Added, Book, Move};
use crate::paytable::{ChargedTo, HandedOver, Line};
use crate::refusal::{Refusal, RefusalCode};
use crate::seat::SEATS_MAX;
use crate::state::{LinkState, Round, Table};

use super::cards::check_cards;
use super::decision::Stop;
use super::eligible::{has_wager, shows_its_hand};
use super::held::Held;
use super::hit::{blank, completed, winning_line};
use super::payouts;
use super::resettle::charged_to_meter;
use super::undo::named;

/// Number of a late hit of the dealer's hand; a late hit of a seat's own hand has the seat's number.
const DEALERS_NUMBER: u8 = SEATS_MAX + 1;

/// Records the hit as it would have been at GAME OVER, paid from the meter if the level was not won since.
pub(super) fn late_hit(state: &LinkState, late: &LateHit) -> Result<(Effect, Vec<Move>), Stop> {
    let table = found_table(state, late)?;
    let round = as_it_was(late);
    none_stands(state, late)?;
    has_wager(state, table, &round, late.holder)?;
    let line = winning_line(state, late.hand)?;
    check_cards(
        state,
        table,
        &round,
        late.holder,
        late.hand,
        late.cards.as_deref(),
    )?;
    let mut recorded = HitRecorded {
        hand: Some(late.hand),
        cards: late.cards.clone(),
        ..blank(state, &round, HitKind::Line, late.holder)
    };
    let from_meter = pay_line(state, late, &round, &mut recorded, line)?;
    if let Holder::Seat(seat) = late.holder
        && shows_its_hand(table, &round, seat)
    {
        payouts::envy(state, &round, &mut recorded, seat, line)?;
    }
    for payout in &mut recorded.payouts {
        payout.handed_over = HandedOver::Slip;
    }
    let recorded = completed(state, recorded)?;
    let moves = recorded.moves.clone();
    let effect = Effect::LateHitRecorded {
        hit: name_of(late),
        recorded: Box::new(recorded),
        from_meter,
    };
    Ok((effect, moves))
}

/// Refuses a late hit with another open proposal: both approved would pay it twice.
pub(super) fn proposed_once<'a>(
    state: &LinkState,
    late: &LateHit,
    mut open: impl Iterator<Item = &'a Proposal>,
) -> Result<(), Stop> {
    let same = |proposal: &Proposal| match &proposal.propose.change {
        Change::LateHit(other) => name_of(other) == name_of(late),
        Change::Correct { .. }
        | Change::Adjust { .. }
        | Change::ClearFault
        | Change::AcknowledgeReturns
        | Change::AdoptTable(_) => false,
    };
    if open.any(same) {
        return Err(already_hit(state, name_of(late)));
    }
    Ok(())
}

/// Returns the table, if the round is closed there.
fn found_table<'a>(state: &'a LinkState, late: &LateHit) -> Result<&'a Table, Stop> {
    let table = state.table(late.table);
    let table = table.ok_or(RefusalCode::UnknownHit)?;
    let open = table.round.as_ref().map(|round| round.sequence);
    if open == Some(late.round) {
        return Err(Refusal::new(RefusalCode::RoundStillOpen)
            .with("round", late.round)
            .into());
    }
    Ok(table)
}

/// Returns the round as its events left it.
fn as_it_was(late: &LateHit) -> Round {
    Round {
        sequence: late.round,
        own: late.own,
        dealer: late.dealer,
        dealt: late.own.union(late.dealer),
        players: late.players.clone(),
        folded: late.folded,
        order_at_coin_in: late.order_at_close,
        added: Added::default(),
        over_ceiling: Vec::new(),
        draws: Draws::default(),
        hits: Vec::new(),
    }
}

/// Refuses a second hit on one hand of a round (RULES §7.7), in time or late.
fn none_stands(state: &LinkState, late: &LateHit) -> Result<(), Stop> {
    let stands = state.closed.iter().find(|closed| {
        closed.id.table == late.table
            && closed.round == late.round
            && closed.hit.holder == late.holder
            && closed.hit.kind == HitKind::Line
            && (closed.hit.stands() || closed.id == name_of(late))
    });
    match stands {
        Some(hit) => Err(already_hit(state, hit.id)),
        None if late.stood => Err(RefusalCode::AlreadyHit.into()),
        None => Ok(()),
    }
}

fn already_hit(state: &LinkState, id: HitId) -> Stop {
    Refusal::new(RefusalCode::AlreadyHit)
        .with("hit", named(state, id))
        .into()
}

/// Returns the id of the late hit: at most one is found on a hand of a round, so the seat is its number.
fn name_of(late: &LateHit) -> HitId {
    HitId {
        table: late.table,
        sequence: late.round,
        number: match late.holder {
            Holder::Seat(seat) => seat.0,
            Holder::Dealer => DEALERS_NUMBER,
        },
    }
}

/// Adds the payouts of the line with the level's amounts at GAME OVER, and the moves from the present balances.
/// Returns true if a meter pays.
fn pay_line(
    state: &LinkState,
    late: &LateHit,
    round: &Round,
    recorded: &mut HitRecorded,
    line: &Line,
) -> Result<bool, Stop> {
    payouts::line(&at_close(state, late), round, recorded, line)?;
    let Some(then) = recorded.taken.take() else {
        return Ok(false);
    };
    let book = Book(then.level);
    let due = charged_to_meter(&recorded.payouts)?;
    if won_since(state, book, late.order_at_close) {
        for payout in &mut recorded.payouts {
            payout.charged_to = ChargedTo::House;
        }
        recorded.moves = vec![Move {
            book: state.terms.fixed_book(),
            from: Account::House,
            to: Account::Pending,
            amount: due,
        }];
        return Ok(false);
    }
    let now = Held::now(state, book);
    recorded.moves = payouts::fixed(book, due, now.meter)?;
    let reset = match then.percent {
        Some(100) => Some(payouts::restart(state, book, &mut recorded.moves)?),
        Some(_) | None => None,
    };
    recorded.taken = Some(now.taken(book, then.percent, reset));
    Ok(true)
}

/// Returns the state with the amounts that were displayed at GAME OVER.
fn at_close(state: &LinkState, late: &LateHit) -> LinkState {
    let mut then = state.clone();
    for (balances, displayed) in then.balances.iter_mut().zip(&late.displayed) {
        if let Some(meter) = balances.0.get_mut(Account::Meter.index()) {
            *meter = *displayed;
        }
    }
    then
}

/// Checks if a reset of the level stands that came after this moment. More resets are kept than can be withdrawn, so
/// that the newest one is always among them.
fn won_since(state: &LinkState, book: Book, order_at_close: HitOrder) -> bool {
    let resets = state.resets.get(book.index());
    resets.is_some_and(|resets| resets.iter().any(|order| *order > order_at_close))
}
