//! Proposals read from the journal: each proposed change with its decision, with names.
//!
//! # Shape
//! Events are read newest first, so a decision is read before its proposal.

use meterhouse_domain::hit_name::HitName;
use std::collections::{BTreeMap, BTreeSet};

use meterhouse_domain::change::{Change, Effect, Proposal, Propose, Resettled};
use meterhouse_domain::event::{Event, Recorded};
use meterhouse_domain::ids::{
    ActorId, Badge, Department, HitId, LevelName, Note, ProposalId, TableName, TableNo, Timestamp,
};
use meterhouse_domain::money::Money;
use meterhouse_domain::state::LinkState;
use meterhouse_journal::record::from_row;
use meterhouse_store::{ArchivedEnd, PositionedEvent};

use crate::answer::{NotExecuted, damaged};
use crate::view::{
    Act, Decided, EffectView, ProposalState, ProposalView, ProposedChange, ResettledView,
};

/// A proposed change and its proposer.
struct Proposed {
    propose: Propose,
    by: Option<Badge>,
    at: Timestamp,
    expires_at: Timestamp,
}

/// A decision and its author.
struct Decision {
    by: Option<Badge>,
    department: Department,
    at: Timestamp,
    /// The effect of an approval, or the reason of a decline.
    how: Result<Effect, Note>,
}

/// The proposals read from the journal, newest first.
#[derive(Default)]
pub(crate) struct ProposalHistory {
    proposed: Vec<Proposed>,
    decided: BTreeMap<ProposalId, Decision>,
    /// The proposals that the server declined after they expired.
    expired: BTreeSet<ProposalId>,
    /// The period of the proposals, each side open if it is left out. Proposals outside it are left out.
    period: (Option<Timestamp>, Option<Timestamp>),
    /// The end of the archived events, if older proposals are among them.
    pub(crate) archived: Option<ArchivedEnd>,
}

impl ProposalHistory {
    /// Returns a history of the proposals that were made from one time on, before another.
    pub(crate) fn of(period: (Option<Timestamp>, Option<Timestamp>)) -> Self {
        Self {
            period,
            ..Self::default()
        }
    }

    /// Returns `true` if a proposal of this time belongs to the period.
    fn is_inside(&self, at: Timestamp) -> bool {
        let (from, to) = self.period;
        from.is_none_or(|from| at >= from) && to.is_none_or(|to| at < to)
    }

    /// Returns the number of proposals older than `after`, or of all. Returns nothing if `after` was not read.
    pub(crate) fn behind(&self, after: Option<ProposalId>) -> Option<usize> {
        let Some(after) = after else {
            return Some(self.proposed.len());
        };
        let mut newest_last = self.proposed.iter().rev();
        newest_last.position(|proposed| proposed.propose.proposal == after)
    }

    /// Keeps only the oldest `count` proposals.
    pub(crate) fn keep_last(&mut self, count: usize) {
        let newer = self.proposed.len().saturating_sub(count);
        self.proposed.drain(..newer);
    }

    /// Returns the oldest proposal.
    pub(crate) fn last(&self) -> Option<ProposalId> {
        self.proposed
            .last()
            .map(|proposed| proposed.propose.proposal)
    }

    /// Returns `true` if this change was read.
    pub(crate) fn has(&self, proposal: ProposalId) -> bool {
        let mut proposed = self.proposed.iter();
        proposed.any(|proposed| proposed.propose.proposal == proposal)
    }

    /// Reads the next older event.
    pub(crate) fn read(&mut self, happening: &PositionedEvent) -> Result<(), NotExecuted> {
        let batch = happening.position.batch;
        let recorded = from_row(&happening.event);
        let recorded = recorded.map_err(|error| damaged(&format!("batch {batch}: {error}")))?;
        let at = happening.at;
        let Recorded {
            actor, by, event, ..
        } = recorded;
        match event {
            Event::ChangeDeclined { proposal, .. } if actor == ActorId::SERVER => {
                self.expired.insert(proposal);
            }
            Event::ChangeProposed { .. } if !self.is_inside(at) => {}
            Event::ChangeProposed {
                propose,
                expires_at,
            } => self.proposed.push(Proposed {
                propose: *propose,
                by,
                at,
                expires_at,
            }),
            Event::ChangeApproved {
                proposal,
                department,
                effect,
                ..
            } => {
                let how = Ok(*effect);
                self.decide(proposal, by, department, at, how);
            }
            Event::ChangeDeclined {
                proposal,
                department,
                reason,
            } => {
                let how = Err(reason);
                self.decide(proposal, by, department, at, how);
            }
            _ => {}
        }
        Ok(())
    }

    fn decide(
        &mut self,
        proposal: ProposalId,
        by: Option<Badge>,
        department: Department,
        at: Timestamp,
        how: Result<Effect, Note>,
    ) {
        let decision = Decision {
            by,
            department,
            at,
            how,
        };
        self.decided.insert(proposal, decision);
    }

    /// Returns the proposals as people read them, newest first.
    pub(crate) fn into_views(
        mut self,
        names: &LinkNames<'_>,
        now: Timestamp,
    ) -> impl Iterator<Item = ProposalView> {
        let view = move |proposed: &Proposed| {
            let when = (proposed.at, proposed.expires_at);
            let by = proposed.by.as_ref();
            let mut view = names.view(&proposed.propose, by, when, now)?;
            if let Some(decision) = self.decided.remove(&proposed.propose.proposal) {
                names.decide(&mut view, decision);
            } else if self.expired.contains(&view.id) {
                view.state = ProposalState::Expired;
            }
            Some(view)
        };
        let proposed = std::mem::take(&mut self.proposed);
        let views: Vec<ProposalView> = proposed.iter().filter_map(view).collect();
        views.into_iter()
    }
}

/// The names of a link's tables and levels.
pub(crate) struct LinkNames<'a> {
    state: &'a LinkState,
}

impl<'a> LinkNames<'a> {
    pub(crate) const fn of(state: &'a LinkState) -> Self {
        Self { state }
    }

    pub(crate) fn table(&self, table: TableNo) -> Option<TableName> {
        self.state.table(table).map(|table| table.name.clone())
    }

    pub(crate) fn level(&self, level: u8) -> Option<LevelName> {
        let levels = &self.state.terms.content().levels;
        levels
            .get(usize::from(level))
            .map(|level| level.name.clone())
    }

    pub(crate) fn hit(&self, hit: HitId) -> Option<HitName> {
        self.table(hit.table).map(|table| HitName::of(&table, hit))
    }

    /// Returns an open proposal of the link's state.
    pub(crate) fn open(&self, proposal: &Proposal, now: Timestamp) -> Option<ProposalView> {
        let when = (proposal.proposed_at, proposal.expires_at);
        self.view(&proposal.propose, proposal.by.as_ref(), when, now)
    }

    /// Returns an undecided proposal. Returns nothing if its table or level never existed on the link.
    fn view(
        &self,
        propose: &Propose,
        by: Option<&Badge>,
        (at, expires_at): (Timestamp, Timestamp),
        now: Timestamp,
    ) -> Option<ProposalView> {
        Some(ProposalView {
            id: propose.proposal,
            link: self.state.terms.name.clone(),
            state: if expires_at > now {
                ProposalState::Open
            } else {
                ProposalState::Expired
            },
            change: self.change(&propose.change)?,
            reason: propose.reason.clone(),
            proposed: act(by, &propose.department, at),
            expires_at,
            decided: None,
            effect: None,
        })
    }

    fn decide(&self, view: &mut ProposalView, decision: Decision) {
        let act = act(decision.by.as_ref(), &decision.department, decision.at);
        let (state, reason) = match decision.how {
            Ok(effect) => {
                view.effect = self.effect(effect);
                (ProposalState::Approved, None)
            }
            Err(reason) => (ProposalState::Declined, Some(reason)),
        };
        view.state = state;
        view.decided = Some(Decided { act, reason });
    }

    fn change(&self, change: &Change) -> Option<ProposedChange> {
        Some(match change {
            Change::Correct { hit } => ProposedChange::Correct {
                hit: self.hit(*hit)?,
            },
            Change::Adjust {
                level,
                account,
                amount,
            } => ProposedChange::Adjust {
                level: self.level(*level)?,
                account: *account,
                amount: *amount,
            },
            Change::LateHit(late) => ProposedChange::LateHit {
                table: self.table(late.table)?,
                round: late.round,
                holder: late.holder,
                hand: late.hand,
                cards: late.cards.clone(),
            },
            Change::ClearFault => ProposedChange::ClearFault,
            Change::AcknowledgeReturns => ProposedChange::AcknowledgeReturns,
            Change::AdoptTable(adopted) => ProposedChange::AdoptTable(adopted.clone()),
        })
    }

    pub(crate) fn effect(&self, effect: Effect) -> Option<EffectView> {
        Some(match effect {
            Effect::Corrected { hit, resettled } => EffectView::Corrected {
                hit: self.hit(hit)?,
                resettled: self.resettled(&resettled),
            },
            Effect::Adjusted {
                level,
                account,
                before,
                after,
            } => EffectView::Adjusted {
                level: self.level(level)?,
                account,
                before,
                after,
            },
            Effect::LateHitRecorded {
                hit,
                recorded,
                from_meter,
            } => EffectView::LateHitRecorded {
                hit: self.hit(hit)?,
                recorded,
                from_meter,
            },
            Effect::FaultCleared { fault } => EffectView::FaultCleared { fault },
            Effect::ReturnsAcknowledged => EffectView::ReturnsAcknowledged,
            Effect::TableAdopted { adopted, before } => {
                EffectView::TableAdopted { adopted, before }
            }
        })
    }

    /// Returns later hits with new amounts.
    pub(crate) fn resettled(&self, resettled: &[Resettled]) -> Vec<ResettledView> {
        let view = |new: &Resettled| {
            let amounts = new.payouts.iter().map(|payout| payout.amount);
            Some(ResettledView {
                hit: self.hit(new.hit)?,
                before: new.taken.before,
                after: new.taken.after,
                due: amounts.fold(Money::ZERO, |due, amount| due.plus(amount).unwrap_or(due)),
                back_to_pending: new.back_to_pending,
                payouts: new.payouts.clone(),
            })
        };
        resettled.iter().filter_map(view).collect()
    }
}

/// Returns an action of a person.
pub(crate) fn act(by: Option<&Badge>, department: &Department, at: Timestamp) -> Act {
    Act {
        by: by.map(ToString::to_string).unwrap_or_default(),
        department: department.clone(),
        at,
    }
}
