//! Two people: one proposes, another of another department approves (RULES §1.5).
//!
//! A change is checked when it is proposed, so that no impossible change is approved. The change is decided on the
//! state at the time of approval.

use crate::change::{Change, Effect, Proposal, Propose};
use crate::command::{Envelope, PersonCommand};
use crate::event::Event;
use crate::ids::{ActorId, Department, ProposalId, Timestamp};
use crate::link::Move;
use crate::refusal::{Refusal, RefusalCode};
use crate::state::{LinkState, PROPOSALS_MAX};

use super::decision::{Decision, Inputs, Stop};
use super::{adjust, adopt, correct, late_hit};

/// Lifetime of a proposal: a day, in microseconds.
const PROPOSAL_WAITS: i64 = 24 * 60 * 60 * 1_000_000;

/// Decides proposing, approving, declining.
pub(super) fn decide_proposal(
    state: &LinkState,
    envelope: &Envelope,
    command: &PersonCommand,
    inputs: &Inputs,
) -> Result<Decision, Stop> {
    match command {
        PersonCommand::Propose(propose) => proposed(state, envelope, propose, inputs.at),
        PersonCommand::Approve {
            proposal,
            department,
        } => approved(state, envelope, *proposal, department, inputs.at),
        PersonCommand::Decline {
            proposal,
            department,
            reason,
        } => {
            if let Err(stop) = open(state, *proposal, inputs.at)
                && !(envelope.actor == ActorId::SERVER && is_late(&stop))
            {
                return Err(stop);
            }
            Ok(Decision::Event(Event::ChangeDeclined {
                proposal: *proposal,
                department: department.clone(),
                reason: reason.clone(),
            }))
        }
        _ => Err(Stop::Broken("no command of two people")),
    }
}

/// Decides the first person's proposal. The same proposal sent again changes nothing.
fn proposed(
    state: &LinkState,
    envelope: &Envelope,
    propose: &Propose,
    at: Timestamp,
) -> Result<Decision, Stop> {
    if let Some(known) = find(state, propose.proposal) {
        return if known.propose == *propose && known.actor == envelope.actor {
            Ok(Decision::AlreadyDone)
        } else {
            Err(RefusalCode::ProposalClosed.into())
        };
    }
    let waiting = || {
        state
            .proposals
            .iter()
            .filter(|proposal| proposal.expires_at > at)
    };
    if waiting().count() >= PROPOSALS_MAX {
        return Err(Refusal::new(RefusalCode::TooManyProposals)
            .with("proposals_max", PROPOSALS_MAX)
            .into());
    }
    if let Change::LateHit(late) = &propose.change {
        late_hit::proposed_once(state, late, waiting())?;
    }
    effect(state, &propose.change)?;
    Ok(Decision::Event(Event::ChangeProposed {
        propose: Box::new(propose.clone()),
        expires_at: Timestamp(at.0.saturating_add(PROPOSAL_WAITS)),
    }))
}

/// Decides the approval of the second person: another one, of another department.
fn approved(
    state: &LinkState,
    envelope: &Envelope,
    id: ProposalId,
    department: &Department,
    at: Timestamp,
) -> Result<Decision, Stop> {
    let proposal = open(state, id, at)?;
    let both = proposal.by.as_ref().zip(envelope.by.as_ref());
    let same_name = both.is_some_and(|(one, other)| one.is_same_person(other));
    if same_name || proposal.actor == envelope.actor {
        return Err(RefusalCode::SamePerson.into());
    }
    let proposers = &proposal.propose.department;
    if proposers.is_same(department) {
        return Err(Refusal::new(RefusalCode::SameDepartment)
            .with("department", proposers)
            .into());
    }
    let (effect, moves) = effect_now(state, &proposal.propose.change)?;
    Ok(Decision::Event(Event::ChangeApproved {
        proposal: id,
        department: department.clone(),
        effect: Box::new(effect),
        moves,
    }))
}

/// Returns a proposal that waits.
fn open(state: &LinkState, id: ProposalId, at: Timestamp) -> Result<&Proposal, Stop> {
    let proposal = find(state, id).ok_or(RefusalCode::UnknownProposal)?;
    if at >= proposal.expires_at {
        return Err(RefusalCode::ProposalExpired.into());
    }
    Ok(proposal)
}

/// Checks if the proposal has expired. The server itself declines expired proposals, so that a clock that is set back
/// revives none.
fn is_late(stop: &Stop) -> bool {
    matches!(stop, Stop::Refused(refusal) if refusal.code == RefusalCode::ProposalExpired)
}

fn find(state: &LinkState, id: ProposalId) -> Option<&Proposal> {
    state
        .proposals
        .iter()
        .find(|proposal| proposal.propose.proposal == id)
}

/// Returns the effect of an approval in this state, or the reason why it has to wait or is impossible.
pub(super) fn effect_now(state: &LinkState, change: &Change) -> Result<(Effect, Vec<Move>), Stop> {
    let effect = effect(state, change)?;
    if let Change::AdoptTable(_) = change {
        adopt::between_rounds(state)?;
    }
    Ok(effect)
}

/// Returns the effect of a change in this state, or the reason why it is impossible.
fn effect(state: &LinkState, change: &Change) -> Result<(Effect, Vec<Move>), Stop> {
    match change {
        Change::Correct { hit } => correct::correct(state, *hit),
        Change::Adjust {
            level,
            account,
            amount,
        } => adjust::adjust(state, *level, *account, *amount),
        Change::LateHit(late) => late_hit::late_hit(state, late),
        Change::ClearFault => {
            let fault = state.fault.as_deref().ok_or(RefusalCode::NotFaulted)?;
            let fault = fault.to_owned();
            Ok((Effect::FaultCleared { fault }, Vec::new()))
        }
        Change::AcknowledgeReturns if state.unacknowledged => {
            Ok((Effect::ReturnsAcknowledged, Vec::new()))
        }
        Change::AcknowledgeReturns => Err(RefusalCode::NothingToAcknowledge.into()),
        Change::AdoptTable(asked) => adopt::adopt(state, asked),
    }
}
