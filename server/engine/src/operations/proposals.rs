//! Proposals, the changes that need two people: propose, approve, decline, list.
//!
//! # Shape
//! Each decision is a command to the link's committer. Open proposals are in the link's state. Decided ones are read
//! from the journal, newest first.
//!
//! # Order
//! A proposal has the id that its client created. Repeating it with the same content returns its present state.
//! Repeating the id with other content is refused.
//!
//! # Limits
//! The journal is read from its end, in pages. A list of proposals has the caller's limit.

use meterhouse_domain::change::{Change, Propose};
use meterhouse_domain::command::PersonCommand;
use meterhouse_domain::ids::{Department, LinkId, LinkName, Note, ProposalId, Timestamp};
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_journal::kind::{CHANGE_APPROVED, CHANGE_DECLINED, CHANGE_PROPOSED};
use meterhouse_journal::position::Position;
use meterhouse_store::{AttemptKind, NOTABLE_MAX, StoreError};

use crate::answer::{Idempotent, NotExecuted, unavailable};
use crate::clock::now;
use crate::committer::published_state::StateAt;
use crate::context::Engine;
use crate::operations::late_hit::Winner;
use crate::operations::proposal_history::{LinkNames, ProposalHistory};
use crate::view::{Page, Person, ProposalState, ProposalView, ProposedChange};

/// The kinds of events of proposals.
const KINDS: &[u8] = &[CHANGE_PROPOSED, CHANGE_APPROVED, CHANGE_DECLINED];

impl Engine {
    /// Proposes a change, as the first of two people. A replay if the same change was proposed before.
    ///
    /// # Errors
    /// [`NotExecuted`] if nothing was proposed.
    pub async fn propose(
        &self,
        person: &Person,
        link: &LinkName,
        proposal: ProposalId,
        reason: Note,
        change: ProposedChange,
    ) -> Result<Idempotent<ProposalView>, NotExecuted> {
        let department = department_of(person)?;
        let id = self.context.registry.find_link(link).await?;
        let known = self.context.registry.confirmed_state(id).await?;
        let found = match self.find_proposal(id, &known, proposal).await {
            // A new id is in no archived month. An old one only proposes: two people still have to agree.
            Err(NotExecuted::PositionArchived { .. }) => None,
            found => found?,
        };
        if let Some(view) = found {
            return match differences(&view, person, &reason, &change) {
                none if none.is_empty() => Ok(Idempotent::repeat(view)),
                some => {
                    let answer = Err(NotExecuted::RequestReused(some));
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

    /// Approves and executes a change, as the second person, of another department. A replay if the same person had
    /// approved it.
    ///
    /// # Errors
    /// [`NotExecuted`] if nothing was done.
    pub async fn approve(
        &self,
        person: &Person,
        link: &LinkName,
        proposal: ProposalId,
    ) -> Result<Idempotent<ProposalView>, NotExecuted> {
        let command = PersonCommand::Approve {
            proposal,
            department: department_of(person)?,
        };
        let wanted = ProposalState::Approved;
        self.decide_proposal(person, link, proposal, command, wanted)
            .await
    }

    /// Declines a proposal. A replay if the same person had declined it.
    ///
    /// # Errors
    /// [`NotExecuted`] if the proposal is unchanged.
    pub async fn decline(
        &self,
        person: &Person,
        link: &LinkName,
        proposal: ProposalId,
        reason: Note,
    ) -> Result<Idempotent<ProposalView>, NotExecuted> {
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
    ) -> Result<Idempotent<ProposalView>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        match self.submit_for(person, id, command).await {
            Ok(done) => {
                let view = self.proposal(link, proposal).await?;
                Ok(done.map(|()| view))
            }
            // The proposal is decided, or does not exist. The journal shows which.
            Err(NotExecuted::UnknownProposal(_)) => {
                let view = self.proposal(link, proposal).await?;
                let by = view.decided.as_ref().map(|decided| decided.act.by.as_str());
                if view.state == wanted && by == Some(person.name.as_str()) {
                    return Ok(Idempotent::repeat(view));
                }
                Err(NotExecuted::Refused(not_open(&view)))
            }
            Err(denied) => Err(denied),
        }
    }

    /// Returns the proposals of a link that were made from one time on, up to another, newest first, those behind `after`.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link or no proposal `after`, or the database can't be queried.
    pub async fn proposals(
        &self,
        link: &LinkName,
        after: Option<ProposalId>,
        (from, to): (Option<Timestamp>, Option<Timestamp>),
        limit: u32,
    ) -> Result<Page<ProposalView, ProposalId>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let known = self.context.registry.confirmed_state(id).await?;
        let limit = usize::try_from(limit).unwrap_or(NOTABLE_MAX);
        // A decision is newer than its proposal, so that only the start of the period bounds the events.
        let (from_batch, _) = self.batches_between(id, from, None, known.batch).await?;
        let history = ProposalHistory::of((from, to));
        let enough = |history: &ProposalHistory| history.behind(after) >= Some(limit);
        let history = self.proposal_history(id, history, from_batch, enough);
        let mut history = history.await?;
        let behind = history.behind(after);
        let archived = history.archived.take();
        let behind = match (behind, &archived) {
            // Older proposals are archived.
            (None | Some(0), Some(end)) => return Err(NotExecuted::archived(end)),
            (None, None) => {
                let after = after.map_or_else(String::new, text);
                return Err(NotExecuted::UnknownProposal(after));
            }
            (Some(behind), _) => behind,
        };
        history.keep_last(behind);
        // The page behind the live proposals answers that the next ones are archived.
        let next = history
            .last()
            .filter(|_| behind >= limit || archived.is_some());
        let items = history
            .into_views(&LinkNames::of(&known.state), now())
            .collect();
        Ok(Page { items, next })
    }

    /// Returns one proposal.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no proposal with this id or the database can't be queried.
    pub async fn proposal(
        &self,
        link: &LinkName,
        proposal: ProposalId,
    ) -> Result<ProposalView, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let known = self.context.registry.confirmed_state(id).await?;
        let found = self.find_proposal(id, &known, proposal).await?;
        found.ok_or_else(|| NotExecuted::UnknownProposal(text(proposal)))
    }

    /// Returns a proposal in its present state, if it exists.
    pub(super) async fn find_proposal(
        &self,
        link: LinkId,
        known: &StateAt,
        proposal: ProposalId,
    ) -> Result<Option<ProposalView>, NotExecuted> {
        let names = LinkNames::of(&known.state);
        let mut open = known.state.proposals.iter();
        if let Some(found) = open.find(|open| open.propose.proposal == proposal) {
            return Ok(names.open(found, now()));
        }
        let enough = |history: &ProposalHistory| history.has(proposal);
        let history = self.proposal_history(link, ProposalHistory::default(), 0, enough);
        let history = history.await?;
        if !history.has(proposal)
            && let Some(end) = &history.archived
        {
            return Err(NotExecuted::archived(end));
        }
        let mut views = history.into_views(&names, now());
        Ok(views.find(|view| view.id == proposal))
    }

    /// Reads proposals from the journal, newest first, until there are enough or the events end behind a batch.
    async fn proposal_history(
        &self,
        link: LinkId,
        mut history: ProposalHistory,
        from_batch: u64,
        enough: impl Fn(&ProposalHistory) -> bool,
    ) -> Result<ProposalHistory, NotExecuted> {
        let mut before = None;
        'pages: loop {
            let store = &self.context.store;
            let page = store.notable(link, KINDS, before, NOTABLE_MAX).await;
            let page = page.map_err(unavailable)?;
            for happening in &page {
                if happening.position.batch <= from_batch {
                    break 'pages;
                }
                history.read(happening)?;
                if enough(&history) {
                    return Ok(history);
                }
            }
            match page.last() {
                Some(last) if page.len() == NOTABLE_MAX => before = Some(last.position),
                Some(_) | None => break,
            }
        }
        let first = Position::behind(from_batch);
        match self
            .context
            .store
            .refuse_archived(link, first, Some(KINDS))
            .await
        {
            Err(StoreError::Archived(end)) => history.archived = Some(end),
            refused => refused.map_err(unavailable)?,
        }
        Ok(history)
    }

    /// Returns a change with numbers instead of names. A late hit gets its evidence from the journal.
    async fn change(
        &self,
        link: LinkId,
        known: &StateAt,
        change: ProposedChange,
    ) -> Result<Change, NotExecuted> {
        Ok(match change {
            ProposedChange::Correct { hit } => {
                let unknown = || NotExecuted::UnknownHit(hit.to_string());
                let table = known.state.table_no(&hit.table).ok_or_else(unknown)?;
                let id = hit.at(table);
                if known.state.hit(id).is_none() {
                    // The hit may be too old or may not exist. The response distinguishes the two.
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
            ProposedChange::AdoptTable(adopted) => Change::AdoptTable(adopted),
        })
    }
}

fn department_of(person: &Person) -> Result<Department, NotExecuted> {
    person.department.clone().ok_or(NotExecuted::NoDepartment)
}

/// Returns the differences between a proposal and another one with the same id.
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

/// Returns the refusal to decide on a proposal that is no longer open.
pub(super) fn not_open(view: &ProposalView) -> Refusal {
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

/// Returns a proposal's id in the text form of a UUID.
pub(crate) fn text(proposal: ProposalId) -> String {
    let mut text = hex::encode(proposal.0);
    for index in [20, 16, 12, 8] {
        text.insert(index, '-');
    }
    text
}
