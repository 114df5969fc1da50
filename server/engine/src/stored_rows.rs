//! Values read from stored rows: events, displayed amounts, states of hits.

use meterhouse_domain::event::Event;
use meterhouse_domain::link::{ACCOUNTS, Account};
use meterhouse_domain::money::Money;
use meterhouse_journal::hit::HitState;
use meterhouse_journal::record::from_row;
use meterhouse_store::PositionedEvent;

use crate::answer::{NotExecuted, damaged};

/// Returns the event of a row of the journal.
pub(crate) fn event_of(happening: &PositionedEvent) -> Result<Event, NotExecuted> {
    let batch = happening.position.batch;
    let recorded = from_row(&happening.event);
    recorded
        .map(|recorded| recorded.event)
        .map_err(|error| damaged(&format!("batch {batch}: {error}")))
}

/// Returns the displayed amounts of a head's balances, level by level.
pub(crate) fn displayed(balances: &[i64], levels: usize) -> Vec<Money> {
    let books = balances.chunks_exact(ACCOUNTS).take(levels);
    books
        .map(|book| {
            let micros = book
                .get(Account::Meter.index())
                .copied()
                .unwrap_or_default();
            Money::from_micros(micros).displayed()
        })
        .collect()
}

/// Returns `true` for the states of a hit that was not undone.
pub(crate) const fn stands(state: HitState) -> bool {
    match state {
        HitState::Pending | HitState::ValidatedByRule | HitState::Validated | HitState::Paid => {
            true
        }
        HitState::Cancelled | HitState::Rejected | HitState::Void | HitState::Withdrawn => false,
    }
}
