//! The badge of the person who keyed a hit: without it the validator can't be distinguished from that person.

use crate::command::Envelope;
use crate::event::{Event, HitRecorded};
use crate::refusal::RefusalCode;
use crate::state::LinkState;

use super::decision::Stop;

/// Refuses a command without a badge, if the link requires one and the command makes a hit that a person has to
/// validate. The hits of a `settle` need the badge as well: the cards decide, but a person sends them.
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
