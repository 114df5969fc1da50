//! Making the outcome of an old command again: answers are not stored, the journal holds all they need.

use std::sync::Arc;

use meterhouse_domain::change::Effect;
use meterhouse_domain::event::{CoinInAccepted, Event, Recorded};
use meterhouse_domain::link::{Account, Balances, LinkTerms, Move, Share};
use meterhouse_domain::money::Money;
use meterhouse_domain::state::LinkState;
use meterhouse_journal::record::from_row;
use meterhouse_store::FoundCommand;

use crate::answer::{Displayed, Outcome};

/// The outcome of a command that was found in the journal: its event, and what the signs showed right after it,
/// which is the batch's balances less what its later events moved.
pub(crate) fn outcome_of(state: &LinkState, found: &FoundCommand) -> Result<Outcome, String> {
    let batch = &found.stored.batch;
    let damaged = |what: &dyn std::fmt::Display| format!("batch {}: {what}", batch.number);
    let mut books = books_of(&batch.after);
    let later = batch.events.get(found.position + 1..).unwrap_or_default();
    for row in later.iter().rev() {
        let recorded = from_row(row).map_err(|error| damaged(&error))?;
        for it in moves_of(&state.shares, &recorded.event) {
            let book = books
                .get_mut(it.book.index())
                .ok_or_else(|| damaged(&"no such book"))?;
            *book = book.moved(it.reversed()).map_err(|error| damaged(&error))?;
        }
    }
    let row = batch
        .events
        .get(found.position)
        .ok_or_else(|| damaged(&"no such event"))?;
    let recorded: Recorded = from_row(row).map_err(|error| damaged(&error))?;
    let levels = state.terms.content().levels.len();
    let meters = books
        .iter()
        .take(levels)
        .map(|book| book.of(Account::Meter));
    Ok(Outcome {
        recorded: Arc::new(recorded),
        displayed: Displayed::from_amounts(meters),
        batch: batch.number,
        position: u32::try_from(found.position).unwrap_or(u32::MAX),
        at: batch.at,
    })
}

fn books_of(flat: &[i64]) -> Vec<Balances> {
    let books = flat.chunks_exact(meterhouse_domain::link::ACCOUNTS);
    books
        .map(|accounts| {
            let mut book = Balances::default();
            for (place, micros) in book.0.iter_mut().zip(accounts) {
                *place = Money::from_micros(*micros);
            }
            book
        })
        .collect()
}

/// What an event moved, under these terms.
pub(crate) fn moves_of_terms(terms: &LinkTerms, event: &Event) -> Vec<Move> {
    moves_of(&terms.shares().unwrap_or_default(), event)
}

/// What an event moved.
fn moves_of(shares: &[Share], event: &Event) -> Vec<Move> {
    match event {
        Event::CoinInAccepted(coin_in) => coin_in_moves(shares, coin_in),
        Event::HitRecorded(hit) => hit.moves.clone(),
        Event::RoundSettled { hits, .. } => {
            let moves = hits.iter().flat_map(|hit| hit.moves.iter());
            moves.copied().collect()
        }
        Event::ChangeApproved { effect, moves, .. } => match effect.as_ref() {
            Effect::LateHitRecorded { recorded, .. } => recorded.moves.clone(),
            Effect::Corrected { .. } | Effect::Adjusted { .. } => moves.clone(),
            Effect::FaultCleared { .. } => Vec::new(),
        },
        Event::LinkOpened { moves, .. }
        | Event::HitCancelled { moves, .. }
        | Event::HitRejected { moves, .. }
        | Event::PayoutPaid { moves, .. }
        | Event::RoundClosed { moves, .. }
        | Event::RoundVoided { moves, .. } => moves.clone(),
        Event::TableJoined(_)
        | Event::ChipsCounted { .. }
        | Event::SeatsFolded { .. }
        | Event::HitValidated { .. }
        | Event::LinkSuspended { .. }
        | Event::LinkResumed
        | Event::LevelDisabled { .. }
        | Event::LevelEnabled { .. }
        | Event::TableLost { .. }
        | Event::TableBack { .. }
        | Event::ChangeProposed { .. }
        | Event::ChangeDeclined { .. }
        | Event::LinkFaulted { .. }
        | Event::Refused { .. } => Vec::new(),
    }
}

/// A coin-in names its amounts in the order of the shares, and what a ceiling kept out of the meters.
fn coin_in_moves(shares: &[Share], coin_in: &CoinInAccepted) -> Vec<Move> {
    let added = shares.iter().zip(coin_in.added.amounts());
    let added = added.map(|(share, amount)| Move {
        book: share.book,
        from: Account::Players,
        to: share.account,
        amount: *amount,
    });
    let over = coin_in.over_ceiling.iter().map(|(book, amount)| Move {
        book: *book,
        from: Account::Meter,
        to: Account::Overflow,
        amount: *amount,
    });
    added.chain(over).collect()
}
