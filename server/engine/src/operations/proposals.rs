//! What two people do: proposing, approving, declining, and what was proposed before.
//!
//! # Shape
//! Each goes through the link's committer as a command. A proposal that waits is in the link's state; what became of
//! the others is read from the journal, newest first.
//!
//! # Order
//! A proposal is known by the id that its client made: sending it again with the same content answers how it stands,
//! whatever became of it meanwhile; with other content it is refused.
//!
//! # Limits
//! The journal is read from its end, in pages; a list of proposals has the caller's limit.

use meterhouse_domain::change::{Change, Propose};
use meterhouse_domain::command::PersonCommand;
use meterhouse_domain::ids::{Department, LinkId, LinkName, Note, ProposalId};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_journal::kind::{CHANGE_APPROVED, CHANGE_DECLINED, CHANGE_PROPOSED};
use meterhouse_store::{AttemptKind, HAPPENINGS_MAX};

use crate::answer::{Denied, Idempotent, unavailable};
use crate::clock::now;
use crate::committer::published_state::StateAt;
use crate::context::Engine;
use crate::operations::late_hit::Winner;
use crate::operations::proposal_history::{Names, ProposalHistory};
use crate::view::{Page, Person, ProposalState, ProposalView, ProposedChange};

/// What the journal says of proposals.
const KINDS: &[u8] = &[CHANGE_PROPOSED, CHANGE_APPROVED, CHANGE_DECLINED];

impl Engine {
    /// The first of two people proposes a change. A repeat if it was proposed before.
    ///
    /// # Errors
    /// [`Denied`]: nothing was proposed.
    pub async fn propose(
        &self,
        person: &Person,
        link: &LinkName,
        proposal: ProposalId,
        reason: Note,
        change: ProposedChange,
    ) -> Result<Idempotent<ProposalView>, Denied> {
        let department = department_of(person)?;
        let id = self.context.registry.find_link(link).await?;
        let known = self.context.registry.confirmed_state(id).await?;
        if let Some(view) = self.find_proposal(id, &known, proposal).await? {
            return match differences(&view, person, &reason, &change) {
                none if none.is_empty() => Ok(Idempotent::repeat(view)),
                some => {
                    let answer = Err(Denied::RequestReused(some));
                    let (attempts, kind) = (&self.context.attempts, AttemptKind::ProposalReused);
                    attempts.note_request((id, None), kind, person, &answer);
                    answer
                }
            };
        }
        let propose = Propose {
            proposal,
            department,
            reason,
            change: self.change(id, &known, change).await?,
        };
        let command = PersonCommand::Propose(Box::new(propose));
        let done = self.submit_for(person, id, command).await?;
        let view = self.proposal(link, proposal).await?;
        Ok(done.map(|()| view))
    }

    /// The second person, of another department, approves: it is done. A repeat if the same person had.
    ///
    /// # Errors
    /// [`Denied`]: nothing was done.
    pub async fn approve(
        &self,
        person: &Person,
        link: &LinkName,
        proposal: ProposalId,
    ) -> Result<Idempotent<ProposalView>, Denied> {
        let command = PersonCommand::Approve {
            proposal,
            department: department_of(person)?,
        };
        let wanted = ProposalState::Approved;
        self.decide_proposal(person, link, proposal, command, wanted)
            .await
    }

    /// A proposal is not to be approved any more. A repeat if the same person had declined it.
    ///
    /// # Errors
    /// [`Denied`]: the proposal is as it was.
    pub async fn decline(
        &self,
        person: &Person,
        link: &LinkName,
        proposal: ProposalId,
        reason: Note,
    ) -> Result<Idempotent<ProposalView>, Denied> {
        let command = PersonCommand::Decline {
            proposal,
            department: department_of(person)?,
            reason,
        };
        let wanted = ProposalState::Declined;
        self.decide_proposal(person, link, proposal, command, wanted)
            .await
    }

    async fn decide_proposal(
        &self,
        person: &Person,
        link: &LinkName,
        proposal: ProposalId,
        command: PersonCommand,
        wanted: ProposalState,
    ) -> Result<Idempotent<ProposalView>, Denied> {
        let id = self.context.registry.find_link(link).await?;
        match self.submit_for(person, id, command).await {
            Ok(done) => {
                let view = self.proposal(link, proposal).await?;
                Ok(done.map(|()| view))
            }
            // It waits no more, or there never was one: the journal tells.
            Err(Denied::UnknownProposal(_)) => {
                let view = self.proposal(link, proposal).await?;
                let by = view.decided.as_ref().map(|it| it.act.by.as_str());
                if view.state == wanted && by == Some(person.name.as_str()) {
                    return Ok(Idempotent::repeat(view));
                }
                Err(Denied::Refused(waits_no_more(&view)))
            }
            Err(denied) => Err(denied),
        }
    }

    /// Returns the proposals of a link, newest first, those behind `after`.
    ///
    /// # Errors
    /// [`Denied`] where there is no such link or no proposal `after`, or the database can't be asked.
    pub async fn proposals(
        &self,
        link: &LinkName,
        after: Option<ProposalId>,
        limit: u32,
    ) -> Result<Page<ProposalView, ProposalId>, Denied> {
        let id = self.context.registry.find_link(link).await?;
        let known = self.context.registry.confirmed_state(id).await?;
        let limit = usize::try_from(limit).unwrap_or(HAPPENINGS_MAX);
        let stories = self.stories(id, |stories| stories.behind(after) >= Some(limit));
        let mut stories = stories.await?;
        let behind = stories.behind(after);
        let behind =
            behind.ok_or_else(|| Denied::UnknownProposal(after.map_or_else(String::new, text)))?;
        stories.keep_last(behind);
        let next = stories.last().filter(|_| behind >= limit);
        let items = stories
            .into_views(&Names::of(&known.state), now())
            .collect();
        Ok(Page { items, next })
    }

    /// One proposal.
    ///
    /// # Errors
    /// [`Denied`] where there is none of this id or the database can't be asked.
    pub async fn proposal(
        &self,
        link: &LinkName,
        proposal: ProposalId,
    ) -> Result<ProposalView, Denied> {
        let id = self.context.registry.find_link(link).await?;
        let known = self.context.registry.confirmed_state(id).await?;
        let found = self.find_proposal(id, &known, proposal).await?;
        found.ok_or_else(|| Denied::UnknownProposal(text(proposal)))
    }

    /// A proposal as it stands, if there is one.
    async fn find_proposal(
        &self,
        link: LinkId,
        known: &StateAt,
        proposal: ProposalId,
    ) -> Result<Option<ProposalView>, Denied> {
        let names = Names::of(&known.state);
        let mut waiting = known.state.proposals.iter();
        if let Some(found) = waiting.find(|it| it.propose.proposal == proposal) {
            return Ok(names.waiting(found, now()));
        }
        let stories = self.stories(link, |stories| stories.has(proposal)).await?;
        let mut views = stories.into_views(&names, now());
        Ok(views.find(|it| it.id == proposal))
    }

    /// What the journal says of proposals, newest first, until it is enough.
    async fn stories(
        &self,
        link: LinkId,
        enough: impl Fn(&ProposalHistory) -> bool,
    ) -> Result<ProposalHistory, Denied> {
        let mut stories = ProposalHistory::default();
        let mut before = None;
        loop {
            let store = &self.context.store;
            let page = store.notable(link, KINDS, before, HAPPENINGS_MAX).await;
            let page = page.map_err(unavailable)?;
            for happening in &page {
                stories.read(happening)?;
                if enough(&stories) {
                    return Ok(stories);
                }
            }
            match page.last() {
                Some(last) if page.len() == HAPPENINGS_MAX => before = Some(last.place),
                Some(_) | None => return Ok(stories),
            }
        }
    }

    /// A change with numbers instead of names, and for a late hit with what the journal says of its round.
    async fn change(
        &self,
        link: LinkId,
        known: &StateAt,
        change: ProposedChange,
    ) -> Result<Change, Denied> {
        Ok(match change {
            ProposedChange::Correct { hit } => {
                let unknown = || Denied::UnknownHit(hit.to_string());
                let table = known.state.table_no(&hit.table).ok_or_else(unknown)?;
                let id = hit.at(table);
                if known.state.hit(id).is_none() {
                    // Too old or none at all: whoever asks has to know which.
                    let found = self.context.store.find_hit(link, id).await;
                    found.map_err(unavailable)?.ok_or_else(unknown)?;
                }
                Change::Correct { hit: id }
            }
            ProposedChange::Adjust {
                level,
                account,
                amount,
            } => Change::Adjust {
                level: self.level_index(link, &level).await?,
                account,
                amount,
            },
            ProposedChange::LateHit {
                table,
                round,
                holder,
                hand,
                cards,
            } => {
                let winner = Winner {
                    table,
                    round,
                    holder,
                    hand,
                    cards,
                };
                Change::LateHit(Box::new(self.late_hit(link, known, winner).await?))
            }
            ProposedChange::ClearFault => Change::ClearFault,
            ProposedChange::AcknowledgeReturns => Change::AcknowledgeReturns,
        })
    }
}

fn department_of(person: &Person) -> Result<Department, Denied> {
    person.department.clone().ok_or(Denied::NoDepartment)
}

/// What differs between a proposal and another one under its id.
fn differences(
    view: &ProposalView,
    person: &Person,
    reason: &Note,
    change: &ProposedChange,
) -> Vec<(String, String)> {
    let mut differences = Vec::new();
    let mut compare = |field: &str, is_same: bool, there: String| {
        if !is_same {
            differences.push((field.to_owned(), there));
        }
    };
    let there = |what: &dyn std::fmt::Display| format!("there is {what}");
    let by = &view.proposed.by;
    compare(
        "proposed_by",
        by.as_str() == person.name.as_str(),
        there(by),
    );
    compare("reason", view.reason == *reason, there(&view.reason));
    let what = "a proposal of another change under this id".to_owned();
    compare("change", view.change == *change, what);
    differences
}

/// Why a proposal can't be decided any more.
fn waits_no_more(view: &ProposalView) -> Refusal {
    let code = match view.state {
        ProposalState::Expired => RefusalCode::ProposalExpired,
        ProposalState::Open | ProposalState::Approved | ProposalState::Declined => {
            RefusalCode::ProposalClosed
        }
    };
    Refusal::new(code)
        .with("proposal", text(view.id))
        .with("state", view.state.name())
}

/// A proposal's id as UUIDs are written.
fn text(proposal: ProposalId) -> String {
    let mut text = hex::encode(proposal.0);
    for place in [20, 16, 12, 8] {
        text.insert(place, '-');
    }
    text
}
