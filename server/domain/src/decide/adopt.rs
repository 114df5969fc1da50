//! Adopting a table of fixed wagers: two people choose a reading of its print, or settle by it although it returns more
//! than the wager (DECISIONS 330).

use crate::adopted::{ADOPTED_MAX, AdoptedTable, find};
use crate::change::Effect;
use crate::link::Move;
use crate::refusal::{Refusal, RefusalCode};
use crate::state::LinkState;

use super::decision::Stop;

/// Returns the adoption of a table. It moves no account.
pub(super) fn adopt(state: &LinkState, asked: &AdoptedTable) -> Result<(Effect, Vec<Move>), Stop> {
    let before = find(&state.adopted, &asked.table);
    let stands = match before {
        Some(before) => before.reading() == asked.reading() && before.returns == asked.returns,
        None => asked.reading.is_none() && !asked.returns.exceeds_wager(),
    };
    if stands {
        return Err(Refusal::new(RefusalCode::NothingToAdopt)
            .with("table", &asked.table)
            .into());
    }
    if before.is_none() && state.adopted.len() >= ADOPTED_MAX {
        return Err(Refusal::new(RefusalCode::TooManyAdopted)
            .with("adopted_max", ADOPTED_MAX)
            .into());
    }
    let effect = Effect::TableAdopted {
        adopted: Box::new(asked.clone()),
        before: before.cloned().map(Box::new),
    };
    Ok((effect, Vec::new()))
}

/// Refuses an adoption while a round is open: its wagers were placed on the table as it was.
pub(super) fn between_rounds(state: &LinkState) -> Result<(), Stop> {
    let mut open = state.tables.iter().filter(|table| table.round.is_some());
    let Some(first) = open.next() else {
        return Ok(());
    };
    Err(Refusal::new(RefusalCode::RoundsOpen)
        .with("table", &first.name)
        .with("rounds", 1 + open.count())
        .into())
}
