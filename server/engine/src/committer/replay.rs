//! The outcomes of old commands, computed from the journal. Answers are not stored.

use std::sync::Arc;

use meterhouse_domain::entries::entries;
use meterhouse_domain::event::Recorded;
use meterhouse_domain::link::{Account, Balances};
use meterhouse_domain::money::Money;
use meterhouse_domain::state::LinkState;
use meterhouse_journal::record::from_row;
use meterhouse_store::StoredBatch;

use crate::answer::{Displayed, Outcome};

/// Returns the outcomes of a batch's events, the last one first. The displayed amounts after an event are the batch's
/// balances less the moves of its later events.
pub(crate) fn outcomes_of(state: &LinkState, stored: &StoredBatch) -> Result<Vec<Outcome>, String> {
    let batch = &stored.batch;
    let damaged = |what: &dyn std::fmt::Display| format!("batch {}: {what}", batch.number);
    let mut books = books_of(&batch.after);
    let levels = state.terms.content().levels.len();
    let mut outcomes = Vec::with_capacity(batch.events.len());
    for (position, row) in batch.events.iter().enumerate().rev() {
        let recorded: Recorded = from_row(row).map_err(|error| damaged(&error))?;
        let meters = books.iter().take(levels);
        let displayed = Displayed::from_amounts(meters.map(|book| book.of(Account::Meter)));
        for moved in entries(&state.shares, &recorded.event) {
            let book = books
                .get_mut(moved.book.index())
                .ok_or_else(|| damaged(&"no such book"))?;
            let before = book.moved(moved.reversed());
            *book = before.map_err(|error| damaged(&error))?;
        }
        outcomes.push(Outcome {
            recorded: Arc::new(recorded),
            displayed,
            batch: batch.number,
            position: u32::try_from(position).unwrap_or(u32::MAX),
            at: batch.at,
        });
    }
    Ok(outcomes)
}

fn books_of(flat: &[i64]) -> Vec<Balances> {
    let books = flat.chunks_exact(meterhouse_domain::link::ACCOUNTS);
    books
        .map(|accounts| {
            let mut book = Balances::default();
            for (balance, micros) in book.0.iter_mut().zip(accounts) {
                *balance = Money::from_micros(*micros);
            }
            book
        })
        .collect()
}
