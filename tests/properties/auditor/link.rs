//! States of the link, its levels and its tables, and what two people propose and approve, in the auditor's books.

use meterhouse_domain::change::{Change, Effect, Propose};
use meterhouse_domain::command::{Command, Envelope, LevelValue, PersonCommand};
use meterhouse_domain::event::Event;
use meterhouse_domain::ids::{Department, ProposalId, TableNo};
use meterhouse_domain::refusal::RefusalCode as Code;

use super::people::Expected;
use super::reasons::when;
use super::round::{Felt, Person};
use super::{Auditor, Reasons, Verdict, agree};

/// How long a proposal can be approved: a day in microseconds.
const DAY: i64 = 86_400_000_000;
/// Proposals that wait on one link at most.
const PROPOSALS: usize = 64;

/// What one person proposed.
#[derive(Clone, Debug)]
pub(crate) struct Proposed {
    /// What.
    pub(crate) propose: Propose,
    /// Who.
    pub(crate) by: Person,
    /// Until when it can be approved.
    pub(crate) until: i64,
}

impl Auditor {
    /// Whether a command is about clearing a fault: the only thing that a faulted link hears.
    pub(super) fn clears(&self, envelope: &Envelope) -> bool {
        let Command::Person(command) = &envelope.command else {
            return false;
        };
        match command {
            PersonCommand::Propose(propose) => propose.change == Change::ClearFault,
            PersonCommand::Decline { .. } => true,
            PersonCommand::Approve { proposal, .. } => {
                let mut waiting = self.proposals.iter();
                let found = waiting.find(|it| it.propose.proposal == *proposal);
                found.is_some_and(|it| it.propose.change == Change::ClearFault)
            }
            _ => false,
        }
    }

    pub(super) fn expected_of_link(&self, by: &Person, command: &PersonCommand) -> Expected {
        let level_of = |level: u8| {
            let level = usize::from(level);
            (level < self.sheet.levels.len()).then_some(level)
        };
        let lost = |table: u32| self.felts[table as usize - 1].lost;
        match command {
            PersonCommand::AcceptValues { values } => self.expected_of_values(values),
            PersonCommand::SuspendLink { .. } => Expected::done_if(self.suspended),
            PersonCommand::ResumeLink => Expected::done_if(!self.suspended),
            PersonCommand::DisableLevel { level, .. } => match level_of(*level) {
                Some(level) => Expected::done_if(self.disabled.contains(&level)),
                None => Expected::Refused(vec![Code::NoSuchLevel]),
            },
            PersonCommand::EnableLevel { level } => match level_of(*level) {
                Some(level) => Expected::done_if(!self.disabled.contains(&level)),
                None => Expected::Refused(vec![Code::NoSuchLevel]),
            },
            PersonCommand::LoseTable { table, .. } => {
                Expected::done_if(lost(table.0).is_some() || self.felt(*table).left)
            }
            PersonCommand::DisableTable { table, .. } => self.expected_of_service(*table, true),
            PersonCommand::EnableTable { table } => self.expected_of_service(*table, false),
            PersonCommand::LeaveLink { table, .. } => self.expected_of_leaving(*table),
            PersonCommand::ResumeTable { table } => Expected::done_if(lost(table.0).is_none()),
            PersonCommand::Propose(propose) => self.expected_of_proposal(by, propose),
            PersonCommand::Approve {
                proposal,
                department,
            } => Expected::unless(self.of_approval(by, *proposal, department)),
            PersonCommand::Decline { proposal, .. } => {
                let found = self
                    .proposals
                    .iter()
                    .find(|it| it.propose.proposal == *proposal);
                Expected::unless(self.of_waiting(found))
            }
            _ => Expected::Accepted,
        }
    }

    /// The first values are those that the levels opened with, each named once; in any order.
    fn expected_of_values(&self, values: &[LevelValue]) -> Expected {
        let levels = &self.sheet.levels;
        let unknown = values
            .iter()
            .any(|it| usize::from(it.level) >= levels.len());
        let mut named: Vec<(usize, i128)> = values
            .iter()
            .map(|it| (usize::from(it.level), i128::from(it.amount.micros())))
            .collect();
        named.sort_unstable();
        let differs = named != self.first_values();
        let mut reasons = when(unknown, Code::NoSuchLevel);
        reasons.extend(when(differs && !unknown, Code::ValuesDiffer));
        if reasons.is_empty() {
            return Expected::done_if(self.values_accepted);
        }
        Expected::Refused(reasons)
    }

    /// Each level with what it opened with.
    fn first_values(&self) -> Vec<(usize, i128)> {
        let levels = self.sheet.levels.iter().enumerate();
        levels
            .map(|(index, level)| (index, level.seed * self.wager))
            .collect()
    }

    fn felt(&self, table: TableNo) -> &Felt {
        &self.felts[table.0 as usize - 1]
    }

    fn expected_of_service(&self, table: TableNo, off: bool) -> Expected {
        let felt = self.felt(table);
        if felt.left {
            return Expected::Refused(vec![Code::TableLeft]);
        }
        Expected::done_if(felt.disabled == off)
    }

    /// A table leaves without an open round and without a hit that somebody waits for.
    fn expected_of_leaving(&self, table: TableNo) -> Expected {
        let felt = self.felt(table);
        if felt.left {
            return Expected::Done;
        }
        if felt.round.is_some() {
            return Expected::Refused(vec![Code::RoundOpen]);
        }
        let place = table.0 as usize - 1;
        let mut hits = self.hits.iter().filter(|hit| hit.name.table == place);
        Expected::unless(when(hits.any(|hit| !hit.wholly_paid()), Code::HitUnsettled))
    }

    fn expected_of_proposal(&self, by: &Person, propose: &Propose) -> Expected {
        let mut known = self.proposals.iter();
        if let Some(known) = known.find(|it| it.propose.proposal == propose.proposal) {
            return if known.propose == *propose && known.by.0 == by.0 {
                Expected::Done
            } else {
                Expected::Refused(vec![Code::ProposalClosed])
            };
        }
        let waiting = || self.proposals.iter().filter(|it| self.now < it.until);
        let mut reasons = when(waiting().count() >= PROPOSALS, Code::TooManyProposals);
        if let Change::LateHit(late) = &propose.change {
            let same = waiting().any(|it| match &it.propose.change {
                Change::LateHit(other) => {
                    (other.table, other.round, other.holder)
                        == (late.table, late.round, late.holder)
                }
                Change::Correct { .. }
                | Change::Adjust { .. }
                | Change::ClearFault
                | Change::AcknowledgeReturns
                | Change::AdoptTable(_) => false,
            });
            reasons.extend(when(same, Code::AlreadyHit));
        }
        reasons.extend(self.of_change(&propose.change));
        Expected::unless(reasons)
    }

    fn of_waiting(&self, found: Option<&Proposed>) -> Reasons {
        match found {
            None => vec![Code::UnknownProposal],
            Some(it) => when(self.now >= it.until, Code::ProposalExpired),
        }
    }

    fn of_approval(&self, by: &Person, id: ProposalId, department: &Department) -> Reasons {
        let found = self.proposals.iter().find(|it| it.propose.proposal == id);
        let mut reasons = self.of_waiting(found);
        if let Some(it) = found {
            let same = it.by.0 == by.0 || (by.1.is_some() && it.by.1 == by.1);
            reasons.extend(when(same, Code::SamePerson));
            let small = |it: &Department| it.as_str().to_lowercase();
            let one = small(&it.propose.department) == small(department);
            reasons.extend(when(one, Code::SameDepartment));
            reasons.extend(self.of_change(&it.propose.change));
            let adopts = matches!(it.propose.change, Change::AdoptTable(_));
            let plays = self.felts.iter().any(|felt| felt.round.is_some());
            reasons.extend(when(adopts && plays, Code::RoundsOpen));
        }
        reasons
    }

    pub(super) fn accept_of_link(
        &mut self,
        by: &Person,
        command: &PersonCommand,
        event: &Event,
    ) -> Verdict {
        match (command, event) {
            (PersonCommand::AcceptValues { .. }, Event::ValuesAccepted { values }) => {
                self.values_accepted = true;
                let amounts = values.iter().map(|it| i128::from(it.micros()));
                let said: Vec<(usize, i128)> = amounts.enumerate().collect();
                agree("first values", &self.first_values(), &said)
            }
            (PersonCommand::SuspendLink { reason }, Event::LinkSuspended { reason: said }) => {
                self.suspended = true;
                agree("reason", reason, said)
            }
            (PersonCommand::ResumeLink, Event::LinkResumed) => {
                self.suspended = false;
                Ok(())
            }
            (
                PersonCommand::DisableLevel { level, .. },
                Event::LevelDisabled { level: said, .. },
            ) => {
                self.disabled.insert(usize::from(*level));
                agree("level", level, said)
            }
            (PersonCommand::EnableLevel { level }, Event::LevelEnabled { level: said }) => {
                self.disabled.remove(&usize::from(*level));
                agree("level", level, said)
            }
            (
                PersonCommand::LoseTable {
                    table, must_resume, ..
                },
                Event::TableLost { table: said, .. },
            ) => {
                self.felts[table.0 as usize - 1].lost = Some(*must_resume);
                agree("table", table, said)
            }
            (PersonCommand::ResumeTable { table }, Event::TableBack { table: said }) => {
                self.felts[table.0 as usize - 1].lost = None;
                agree("table", table, said)
            }
            (
                PersonCommand::DisableTable { table, .. },
                Event::TableDisabled { table: said, .. },
            ) => {
                self.felts[table.0 as usize - 1].disabled = true;
                agree("table", table, said)
            }
            (PersonCommand::EnableTable { table }, Event::TableEnabled { table: said }) => {
                self.felts[table.0 as usize - 1].disabled = false;
                agree("table", table, said)
            }
            (PersonCommand::LeaveLink { table, .. }, Event::TableLeft { table: said, .. }) => {
                let felt = &mut self.felts[table.0 as usize - 1];
                (felt.left, felt.disabled, felt.lost) = (true, false, None);
                agree("table", table, said)
            }
            (PersonCommand::FaultLink { reason }, Event::LinkFaulted { reason: said }) => {
                self.fault = Some(reason.clone());
                agree("reason", reason, said)
            }
            (command, event) => self.accept_proposal(by, command, event),
        }
    }

    fn accept_proposal(&mut self, by: &Person, command: &PersonCommand, event: &Event) -> Verdict {
        match (command, event) {
            (
                PersonCommand::Propose(asked),
                Event::ChangeProposed {
                    propose,
                    expires_at,
                },
            ) => {
                agree("proposed", asked, propose)?;
                let now = self.now;
                agree("expires", &(now + DAY), &expires_at.0)?;
                self.proposals.retain(|it| now < it.until);
                self.proposals.push(Proposed {
                    propose: propose.as_ref().clone(),
                    by: by.clone(),
                    until: now + DAY,
                });
                Ok(())
            }
            (
                PersonCommand::Decline { proposal, .. },
                Event::ChangeDeclined { proposal: said, .. },
            ) => {
                agree("declined", proposal, said)?;
                self.end(*proposal).map(|_| ())
            }
            (
                PersonCommand::Approve {
                    proposal,
                    department,
                },
                Event::ChangeApproved {
                    proposal: said,
                    department: whose,
                    effect,
                    ..
                },
            ) => {
                agree("approved", &(proposal, department), &(said, whose))?;
                let proposed = self.end(*proposal)?;
                self.change(by, &proposed.propose.change, effect)
            }
            (command, event) => Err(format!("{command:?} answered by {event:?}")),
        }
    }

    fn end(&mut self, id: ProposalId) -> Result<Proposed, String> {
        let mut waiting = self.proposals.iter();
        let place = waiting.position(|it| it.propose.proposal == id);
        Ok(self.proposals.remove(place.ok_or("no such proposal")?))
    }

    fn change(&mut self, by: &Person, change: &Change, effect: &Effect) -> Verdict {
        match (change, effect) {
            (
                Change::Correct { hit },
                Effect::Corrected {
                    hit: said,
                    resettled,
                },
            ) => {
                agree("corrected hit", hit, said)?;
                self.correct(*hit, resettled)
            }
            (
                Change::Adjust {
                    level,
                    account,
                    amount,
                },
                Effect::Adjusted {
                    level: adjusted,
                    account: said,
                    before,
                    after,
                },
            ) => {
                agree("adjusted", &(level, account), &(adjusted, said))?;
                let ours = self.adjust(*level, *account, *amount);
                let theirs = (i128::from(before.micros()), i128::from(after.micros()));
                agree("before and after", &ours, &theirs)
            }
            (
                Change::LateHit(late),
                Effect::LateHitRecorded {
                    hit,
                    recorded,
                    from_meter,
                },
            ) => self.found_late(by, late, *hit, recorded, *from_meter),
            (Change::ClearFault, Effect::FaultCleared { fault }) => {
                let ours = self.fault.take();
                agree("fault", &ours.as_deref(), &Some(fault.as_str()))
            }
            (Change::AcknowledgeReturns, Effect::ReturnsAcknowledged) => {
                self.unacknowledged = false;
                Ok(())
            }
            (Change::AdoptTable(asked), Effect::TableAdopted { adopted, before }) => {
                agree("adopted", asked, adopted)?;
                self.adopt(adopted, before.as_deref())
            }
            (change, effect) => Err(format!("{change:?} did {effect:?}")),
        }
    }
}
