//! The first values of a link: a manager accepts them in a request of their own before the link may play.

use crate::command::LevelValue;
use crate::event::Event;
use crate::refusal::{Refusal, RefusalCode};
use crate::state::LinkState;

use super::decision::{Decision, Stop};
use super::link_state::known_level;

/// Accepts the first values: every level named once, with exactly the amount that it opened with. Values accepted
/// before are still compared.
pub(super) fn accept(state: &LinkState, values: &[LevelValue]) -> Result<Decision, Stop> {
    for value in values {
        known_level(state, value.level)?;
    }
    let mut opened_with = Vec::new();
    for (index, level) in (0_u8..).zip(&state.terms.content().levels) {
        let amount = state.terms.opened_with(level)?;
        let differs = Refusal::new(RefusalCode::ValuesDiffer)
            .with("level", &level.name)
            .with("opened_with", amount);
        let named = values.iter().filter(|value| value.level == index);
        match named.collect::<Vec<_>>().as_slice() {
            [value] if value.amount == amount => opened_with.push(amount),
            [value] => return Err(differs.with("amount", value.amount).into()),
            named => return Err(differs.with("named", named.len()).into()),
        }
    }
    if state.values_accepted {
        return Ok(Decision::AlreadyDone);
    }
    Ok(Decision::Event(Event::ValuesAccepted {
        values: opened_with,
    }))
}

/// Refuses while no manager has accepted the first values.
pub(super) fn accepted(state: &LinkState) -> Result<(), Stop> {
    if state.values_accepted {
        return Ok(());
    }
    Err(RefusalCode::ValuesNotAccepted.into())
}
