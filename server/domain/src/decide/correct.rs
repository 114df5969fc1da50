//! Corrections by two people (figure N): a validated or paid hit is withdrawn.

use crate::change::Effect;
use crate::ids::HitId;
use crate::link::Move;
use crate::refusal::{Refusal, RefusalCode};
use crate::state::{Hit, HitStatus, LinkState};

use super::decision::Stop;
use super::resettle::{Later, forgot_later, later_hits, withdrawal};
use super::undo::{named, not_pending};

/// Withdraws the hit and recomputes the later ones of its level. Players keep the money that they were paid.
pub(super) fn correct(state: &LinkState, id: HitId) -> Result<(Effect, Vec<Move>), Stop> {
    let hit = state.hit(id).ok_or_else(|| missing(state, id))?;
    if forgot_later(state, hit) {
        return Err(about(state, RefusalCode::TooOld, id));
    }
    let later = later_hits(state, hit);
    needs_two_people(state, id, hit, &later)?;
    let withdrawal = withdrawal(state, hit, &later)?;
    let effect = Effect::Corrected {
        hit: id,
        resettled: withdrawal.resettled,
    };
    Ok((effect, withdrawal.moves))
}

/// Refuses a hit that was undone before. Also refuses a hit that a supervisor can reject: no person has validated it,
/// and neither it nor a later hit of its level is paid.
fn needs_two_people(
    state: &LinkState,
    id: HitId,
    hit: &Hit,
    later: &[Later<'_>],
) -> Result<(), Stop> {
    match hit.status {
        HitStatus::Validated { .. } => Ok(()),
        HitStatus::Pending | HitStatus::ValidatedByRule => {
            if hit.is_revocable() && !later.iter().any(Later::is_paid_in_part) {
                return Err(about(state, RefusalCode::NotValidated, id));
            }
            Ok(())
        }
        HitStatus::Cancelled | HitStatus::Rejected { .. } | HitStatus::Withdrawn => {
            Err(not_pending(state, id, hit))
        }
    }
}

/// Returns the refusal of a hit that is not kept: it was keyed long ago, or never.
fn missing(state: &LinkState, id: HitId) -> Stop {
    let played = state.table(id.table);
    let played = played.is_some_and(|table| id.sequence <= table.last_sequence);
    let code = if played {
        RefusalCode::TooOld
    } else {
        RefusalCode::UnknownHit
    };
    about(state, code, id)
}

fn about(state: &LinkState, code: RefusalCode, id: HitId) -> Stop {
    Refusal::new(code).with("hit", named(state, id)).into()
}
