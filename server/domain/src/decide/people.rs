//! Decisions of people about hits: validating, rejecting, paying.

use crate::card::Card;
use crate::command::{Envelope, PersonCommand};
use crate::event::Event;
use crate::ids::{Document, HitId, Note};
use crate::paytable::HandedOver;
use crate::refusal::{Refusal, RefusalCode};
use crate::state::{Hit, HitStatus, LinkState};

use super::balance::balanced;
use super::cards::check_found;
use super::decision::{Decision, Inputs, Stop};
use super::resettle::{Later, forgot_later, later_hits, withdrawal};
use super::round::payment;
use super::undo::{named, not_pending, revocable};
use super::{join, link_state, proposal, values};

pub(super) fn decide_person(
    state: &LinkState,
    envelope: &Envelope,
    command: &PersonCommand,
    inputs: &Inputs,
) -> Result<Decision, Stop> {
    match command {
        PersonCommand::JoinTable(join) => join::join_table(state, join),
        PersonCommand::ValidateHit { hit, cards, note } => {
            validate(state, envelope, *hit, cards.as_deref(), note.as_ref())
        }
        PersonCommand::RejectHit {
            hit,
            note,
            resettle,
        } => reject(state, envelope, *hit, note.as_ref(), *resettle),
        PersonCommand::PayPayout {
            hit,
            number,
            document,
        } => pay(state, *hit, *number, document),
        PersonCommand::AcceptValues { values } => values::accept(state, values),
        PersonCommand::SuspendLink { .. }
        | PersonCommand::ResumeLink
        | PersonCommand::DisableLevel { .. }
        | PersonCommand::EnableLevel { .. }
        | PersonCommand::LoseTable { .. }
        | PersonCommand::ResumeTable { .. }
        | PersonCommand::DisableTable { .. }
        | PersonCommand::EnableTable { .. }
        | PersonCommand::LeaveLink { .. }
        | PersonCommand::FaultLink { .. } => link_state::decide_state(state, command),
        PersonCommand::Propose(_)
        | PersonCommand::Approve { .. }
        | PersonCommand::Decline { .. } => {
            proposal::decide_proposal(state, envelope, command, inputs)
        }
    }
}

/// Returns a hit of an open round, or a kept hit of a closed one. The caller looks up older hits.
fn find(state: &LinkState, id: HitId) -> Result<&Hit, Stop> {
    state.hit(id).ok_or_else(|| {
        let refusal = Refusal::new(RefusalCode::UnknownHit);
        refusal.with("hit", named(state, id)).into()
    })
}

/// Validates a hit: by a floorperson or above (§ 657a.11(e)(3)), but not by the person who keyed it.
fn validate(
    state: &LinkState,
    envelope: &Envelope,
    id: HitId,
    cards: Option<&[Card]>,
    note: Option<&Note>,
) -> Result<Decision, Stop> {
    let hit = find(state, id)?;
    match &hit.status {
        HitStatus::Pending => {}
        HitStatus::Validated { actor, .. } if *actor == envelope.actor => {
            return Ok(Decision::AlreadyDone);
        }
        HitStatus::ValidatedByRule
        | HitStatus::Validated { .. }
        | HitStatus::Cancelled
        | HitStatus::Rejected { .. }
        | HitStatus::Withdrawn => return Err(not_pending(state, id, hit)),
    }
    let both = envelope.by.as_ref().zip(hit.keyed_by.as_ref());
    let keyed_it = both.is_some_and(|(person, badge)| person.is_same_person(badge));
    if keyed_it || hit.keyed_by_actor == envelope.actor {
        return Err(Refusal::new(RefusalCode::KeyedByValidator)
            .with("hit", named(state, id))
            .into());
    }
    if let (Some(hand), Some(cards)) = (hit.hand, cards) {
        check_found(state, hand, cards)?;
    }
    Ok(Decision::Event(Event::HitValidated {
        hit: id,
        cards: cards.map(<[Card]>::to_vec),
        note: note.cloned(),
    }))
}

/// Rejects a hit that no person has validated: a supervisor's decision that reverses its entries.
fn reject(
    state: &LinkState,
    envelope: &Envelope,
    id: HitId,
    note: Option<&Note>,
    resettle: bool,
) -> Result<Decision, Stop> {
    let hit = find(state, id)?;
    if hit.status
        == (HitStatus::Rejected {
            actor: envelope.actor,
        })
    {
        return Ok(Decision::AlreadyDone);
    }
    revocable(state, id, hit)?;
    let later = later_hits(state, hit);
    later_allow(state, id, hit, &later, resettle)?;
    let withdrawal = withdrawal(state, hit, &later)?;
    Ok(Decision::Event(Event::HitRejected {
        hit: id,
        note: note.cloned(),
        resettle,
        resettled: withdrawal.resettled,
        moves: withdrawal.moves,
    }))
}

/// Refuses while later hits depend on the amount, unless they are to get new ones and none of them is paid. A later
/// hit that is no longer kept is paid, and the hits that depend on it can't be found.
fn later_allow(
    state: &LinkState,
    id: HitId,
    hit: &Hit,
    later: &[Later<'_>],
    resettle: bool,
) -> Result<(), Stop> {
    if forgot_later(state, hit) {
        let refusal = Refusal::new(RefusalCode::TooOld);
        return Err(refusal.with("hit", named(state, id)).into());
    }
    let (code, in_the_way): (_, Vec<&Later<'_>>) = if resettle {
        let paid = later.iter().filter(|hit| hit.is_paid_in_part());
        (RefusalCode::HitPaid, paid.collect())
    } else {
        (RefusalCode::LaterHits, later.iter().collect())
    };
    if in_the_way.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = in_the_way.iter().map(|hit| named(state, hit.id)).collect();
    Err(Refusal::new(code).with("hits", names.join(" ")).into())
}

/// Records that the documentation of a payout is complete (§ 657a.11(e)(4)); each payout of a split by itself.
fn pay(state: &LinkState, id: HitId, number: u32, document: &Document) -> Result<Decision, Stop> {
    let hit = find(state, id)?;
    let index = usize::try_from(number)
        .ok()
        .and_then(|number| number.checked_sub(1));
    let Some(payout) = index.and_then(|index| hit.payouts.get(index)) else {
        return Err(Refusal::new(RefusalCode::NoSuchPayout)
            .with("payout", number)
            .with("payouts", hit.payouts.len())
            .into());
    };
    if payout.payout.handed_over != HandedOver::Slip {
        let refusal = Refusal::new(RefusalCode::NotPaidBySlip);
        return Err(refusal
            .with("handed_over", payout.payout.handed_over)
            .into());
    }
    match &payout.paid {
        Some(payment) if payment.document.as_ref() == Some(document) => {
            return Ok(Decision::AlreadyDone);
        }
        Some(payment) => {
            let refusal = Refusal::new(RefusalCode::HitPaid);
            let document = payment.document.iter();
            let with = |refusal: Refusal, document| refusal.with("document", document);
            return Err(document.fold(refusal, with).into());
        }
        None => {}
    }
    match hit.status {
        HitStatus::Validated { .. } | HitStatus::ValidatedByRule => {}
        HitStatus::Pending
        | HitStatus::Cancelled
        | HitStatus::Rejected { .. }
        | HitStatus::Withdrawn => {
            return Err(not_pending(state, id, hit));
        }
    }
    let moves = balanced(state, vec![payment(state, hit, payout)])?;
    Ok(Decision::Event(Event::PayoutPaid {
        hit: id,
        number,
        document: document.clone(),
        moves,
    }))
}
