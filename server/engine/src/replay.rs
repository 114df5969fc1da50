//! Making the outcome of an old command again: answers are not stored, the journal holds all they need.

use std::sync::Arc;

use meterhouse_domain::entries::entries;
use meterhouse_domain::event::Recorded;
use meterhouse_domain::link::{Account, Balances};
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
        for it in entries(&state.shares, &recorded.event) {
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
