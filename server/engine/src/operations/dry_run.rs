//! The dry run of an open proposal.
//!
//! # Shape
//! The rules compute it on the newest state, by the same functions as an approval, and nothing is written. A proposal
//! that can't be approved now is denied as its approval would be.

use meterhouse_domain::decide::{Stop, dry_run};
use meterhouse_domain::ids::{LinkName, ProposalId};

use crate::answer::{NotExecuted, damaged};
use crate::clock::now;
use crate::committer::draft::mends_fault;
use crate::context::Engine;
use crate::operations::proposal_history::LinkNames;
use crate::operations::proposals::{not_open, text};
use crate::view::DryRunView;

impl Engine {
    /// Returns what the approval of a proposal would do now, by any second person.
    ///
    /// # Errors
    /// [`NotExecuted`] as an approval would get it now: if the proposal is decided or expired, the rules refuse it, or the
    /// link is faulted.
    pub async fn dry_run(
        &self,
        link: &LinkName,
        proposal: ProposalId,
    ) -> Result<DryRunView, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let known = self.context.registry.confirmed_state(id).await?;
        let mut open = known.state.proposals.iter();
        let Some(found) = open.find(|open| open.propose.proposal == proposal) else {
            let decided = self.find_proposal(id, &known, proposal).await?;
            let unknown = || NotExecuted::UnknownProposal(text(proposal));
            return Err(NotExecuted::Refused(not_open(
                &decided.ok_or_else(unknown)?,
            )));
        };
        if let Some(reason) = &known.state.fault
            && !mends_fault(&known.state, &found.propose.change)
        {
            return Err(NotExecuted::LinkFaulted {
                reason: reason.to_string(),
            });
        }
        let at = now();
        let run = dry_run(&known.state, found, at).map_err(|stop| match stop {
            Stop::Refused(refusal) => NotExecuted::Refused(refusal),
            Stop::Broken(what) => damaged(what),
        })?;
        let effect = LinkNames::of(&run.after).effect(run.effect);
        Ok(DryRunView {
            proposal,
            batch: known.batch,
            at,
            effect: effect.ok_or_else(|| damaged("an effect on an unknown table or level"))?,
            moves: run.moves,
            before: known.state,
            after: run.after,
        })
    }
}
