//! The event that recorded a hit, and the amounts that the hit took by it.

use meterhouse_domain::change::Effect;
use meterhouse_domain::event::{Event, Origin, Recorded, Taken};
use meterhouse_domain::ids::{HitId, ProposalId};
use meterhouse_journal::record::from_row;
use meterhouse_store::PositionedEvent;

use crate::answer::{NotExecuted, damaged};

/// Returns `true` if an event recorded this hit.
pub(crate) fn records(happening: &PositionedEvent, hit: HitId) -> Result<bool, NotExecuted> {
    let batch = happening.position.batch;
    let recorded = from_row(&happening.event);
    let recorded = recorded.map_err(|error| damaged(&format!("batch {batch}: {error}")))?;
    Ok(recorded_by(&recorded, hit))
}

/// Returns `true` if an event recorded this hit.
pub(crate) fn recorded_by(recorded: &Recorded, hit: HitId) -> bool {
    let keyed = |number: u8| match recorded.origin {
        Origin::Table { table, sequence } => {
            hit == HitId {
                table,
                sequence,
                number,
            }
        }
        Origin::Person => false,
    };
    match &recorded.event {
        Event::HitRecorded(_) => keyed(0),
        Event::RoundSettled { hits, .. } => {
            usize::from(hit.number) <= hits.len() && hit.number > 0 && keyed(hit.number)
        }
        Event::ChangeApproved { effect, .. } => match effect.as_ref() {
            Effect::LateHitRecorded { hit: late, .. } => *late == hit,
            Effect::Corrected { .. }
            | Effect::Adjusted { .. }
            | Effect::FaultCleared { .. }
            | Effect::ReturnsAcknowledged
            | Effect::TableAdopted { .. } => false,
        },
        _ => false,
    }
}

/// Returns the proposal that an event approved.
pub(crate) fn approved(event: &Event) -> Option<ProposalId> {
    match event {
        Event::ChangeApproved { proposal, .. } => Some(*proposal),
        _ => None,
    }
}

/// Returns the amounts that a hit took, by the event that recorded it.
pub(super) fn taken_by(event: &Event, hit: HitId) -> Option<Taken> {
    match event {
        Event::HitRecorded(recorded) => recorded.taken,
        Event::RoundSettled { hits, .. } => {
            let index = usize::from(hit.number).checked_sub(1)?;
            hits.get(index)?.taken
        }
        Event::ChangeApproved { effect, .. } => match effect.as_ref() {
            Effect::LateHitRecorded { recorded, .. } => recorded.taken,
            Effect::Corrected { .. }
            | Effect::Adjusted { .. }
            | Effect::FaultCleared { .. }
            | Effect::ReturnsAcknowledged
            | Effect::TableAdopted { .. } => None,
        },
        _ => None,
    }
}
