//! The badge of who keyed a hit: without it the validator can't be told apart from that person.

use crate::command::Envelope;
use crate::event::{Event, HitRecorded};
use crate::refusal::RefusalCode;
use crate::state::LinkState;

use super::decision::Stop;

/// Refuses a command without a badge that makes a hit which a person has to validate, where the link requires the badge.
/// The cards of a `settle` decide which hands win, but a person sends them: its hits need the badge as well.
pub(super) fn named(state: &LinkState, envelope: &Envelope, event: &Event) -> Result<(), Stop> {
    if envelope.by.is_some() || !state.terms.settings.requires_badge() {
        return Ok(());
    }
    let hits: &[HitRecorded] = match event {
        Event::HitRecorded(hit) => core::slice::from_ref(hit.as_ref()),
        Event::RoundSettled { hits, .. } => hits,
        _ => &[],
    };
    if hits.iter().any(|hit| hit.needs_validation) {
        return Err(RefusalCode::BadgeMissing.into());
    }
    Ok(())
}
