//! The clearing of exceptions, by a person who did not cause them.
//!
//! # Order
//! The first clearance of an exception stays. The same person's same reason is a replay. Another person or reason is
//! refused.

use meterhouse_domain::ids::{ActorId, LinkId, LinkName, Note};
use meterhouse_domain::state::LinkState;
use meterhouse_journal::position::Position;
use meterhouse_store::{NewClearance, PositionedEvent};

use crate::answer::{Idempotent, NotExecuted, unavailable};
use crate::clock::now;
use crate::context::Engine;
use crate::own_thread::to_the_end;
use crate::reports::exceptions::{add_clearances, exception_of};
use crate::view::{Clearance, ExceptionView, Person};

impl Engine {
    /// Clears an exception, in the name of a person. A replay if the same person had cleared it with the same reason.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such exception, the person caused it, or it was cleared otherwise.
    pub async fn clear_exception(
        &self,
        person: &Person,
        link: &LinkName,
        position: Position,
        reason: Note,
    ) -> Result<Idempotent<ExceptionView>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let known = self.context.registry.confirmed_state(id).await?;
        let (exception, actor) = self.find_exception(id, &known.state, position).await?;
        if exception.clearance.is_some() {
            return cleared_before(exception, person, &reason);
        }
        self.refuse_own(link, person, &exception, actor).await?;
        let new = NewClearance {
            link: id,
            position,
            actor: person.actor,
            at: now(),
            reason: reason.to_string(),
        };
        let store = self.context.store.clone();
        let clearing = to_the_end(async move || store.clear_exception(&new).await).await;
        let clearing = clearing.map_err(|_| NotExecuted::OutcomeUnknown)?;
        let is_first = clearing.map_err(unavailable)?;
        let (exception, _) = self.find_exception(id, &known.state, position).await?;
        if is_first {
            return Ok(Idempotent::first(exception));
        }
        cleared_before(exception, person, &reason)
    }

    /// Returns the exception at a position with its clearance, and the holder of the token that caused its event.
    async fn find_exception(
        &self,
        link: LinkId,
        state: &LinkState,
        position: Position,
    ) -> Result<(ExceptionView, ActorId), NotExecuted> {
        let unknown = || NotExecuted::UnknownException(position.to_string());
        let store = &self.context.store;
        let stored = store.batch(link, position.batch).await;
        let stored = stored.map_err(unavailable)?.ok_or_else(unknown)?;
        let index = usize::try_from(position.index).map_err(|_| unknown())?;
        let row = stored.batch.events.get(index).ok_or_else(unknown)?;
        let actor = ActorId(row.actor);
        let happening = PositionedEvent {
            position,
            at: stored.batch.at,
            event: row.clone(),
        };
        let exception = exception_of(state, &happening)?.ok_or_else(unknown)?;
        let mut exception = [exception];
        add_clearances(store, link, &mut exception).await?;
        let [exception] = exception;
        Ok((exception, actor))
    }

    /// Refuses a person who caused an exception: with a token, as a dealer, or as one of two people.
    async fn refuse_own(
        &self,
        link: &LinkName,
        person: &Person,
        exception: &ExceptionView,
        actor: ActorId,
    ) -> Result<(), NotExecuted> {
        let name = person.name.as_str();
        // A badge is compared as the rules compare it: the case of letters doesn't count.
        let is_name = |other: &str| other.eq_ignore_ascii_case(name);
        let by = exception.by.as_deref();
        let mut is_own = actor == person.actor || by.is_some_and(is_name);
        if let Some(proposal) = exception.proposal {
            let proposed = self.proposal(link, proposal).await?.proposed;
            is_own = is_own || is_name(&proposed.by);
        }
        if is_own {
            let by = name.to_owned();
            return Err(NotExecuted::OwnException { by });
        }
        Ok(())
    }
}

/// Returns an exception that is cleared already as a replay, or the differences of the request.
fn cleared_before(
    exception: ExceptionView,
    person: &Person,
    reason: &Note,
) -> Result<Idempotent<ExceptionView>, NotExecuted> {
    let Some(Clearance {
        by, reason: there, ..
    }) = &exception.clearance
    else {
        return Err(NotExecuted::OutcomeUnknown);
    };
    let pairs = [
        ("by", by.as_str(), person.name.as_str()),
        ("reason", there.as_str(), reason.as_str()),
    ];
    let differ = pairs.iter().filter(|(_, there, asked)| there != asked);
    let text = |(field, there, asked): &(&str, &str, &str)| {
        (
            (*field).to_owned(),
            format!("cleared {there}, asked {asked}"),
        )
    };
    let differences: Vec<(String, String)> = differ.map(text).collect();
    if differences.is_empty() {
        Ok(Idempotent::repeat(exception))
    } else {
        Err(NotExecuted::RequestReused(differences))
    }
}
