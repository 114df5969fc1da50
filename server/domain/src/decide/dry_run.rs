//! Dry run of a proposal: what its approval would do to the link now. Nothing is decided by it.

use crate::apply::apply;
use crate::change::{Effect, Proposal};
use crate::event::{Event, Origin, Recorded};
use crate::ids::Timestamp;
use crate::link::Move;
use crate::refusal::RefusalCode;
use crate::state::LinkState;

use super::decision::Stop;
use super::proposal::effect_now;

/// What an approval would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DryRun {
    /// Effect of the change.
    pub effect: Effect,
    /// Moves of money.
    pub moves: Vec<Move>,
    /// State of the link right after them.
    pub after: LinkState,
}

/// Returns what the approval of a proposal would do to a link in this state. The caller has checked that the link is
/// not faulted, as for [`decide`](super::decide).
///
/// # Errors
/// [`Stop::Refused`] if it can't be approved now, [`Stop::Broken`] if its approval would break the rules.
pub fn dry_run(state: &LinkState, proposal: &Proposal, at: Timestamp) -> Result<DryRun, Stop> {
    if at >= proposal.expires_at {
        return Err(RefusalCode::ProposalExpired.into());
    }
    let propose = &proposal.propose;
    let (effect, moves) = effect_now(state, &propose.change)?;
    // The second person changes no amount, so that the first one stands for both.
    let recorded = Recorded {
        origin: Origin::Person,
        actor: proposal.actor,
        by: proposal.by.clone(),
        device_time: None,
        event: Event::ChangeApproved {
            proposal: propose.proposal,
            department: propose.department.clone(),
            effect: Box::new(effect.clone()),
            moves: moves.clone(),
        },
    };
    let mut after = state.clone();
    apply(&mut after, &recorded, at);
    Ok(DryRun {
        effect,
        moves,
        after,
    })
}
