//! What people decide, in the auditor's books.

use meterhouse_domain::command::{Envelope, PersonCommand};
use meterhouse_domain::event::Event;
use meterhouse_domain::name::HitId;
use meterhouse_domain::refusal::RefusalCode as Code;

use super::round::{Person, Status, Way};
use super::{Auditor, Reasons, Verdict, agree, person};
use crate::world::Answer;

/// What the auditor expects of a person's command.
enum Expected {
    /// One of these refusals.
    Refused(Reasons),
    /// It was done before.
    Done,
    /// It happens.
    Accepted,
}

/// The table as an index, and the number.
pub(super) fn place(hit: HitId) -> (usize, u64) {
    let table = usize::try_from(hit.table.0).unwrap_or(0);
    (table.wrapping_sub(1), hit.sequence.0)
}

impl Auditor {
    /// Judges the answer to a person's command.
    pub(super) fn judge_person(
        &mut self,
        envelope: &Envelope,
        command: &PersonCommand,
        answer: &Answer,
    ) -> Verdict {
        match (self.expected(&person(envelope), command), answer) {
            (Expected::Refused(reasons), Answer::Refused(refusal)) => {
                let told = reasons.contains(&refusal.code);
                agree("a reason of the page", &true, &told)
                    .map_err(|it| format!("{it}: {} not of {reasons:?}", refusal.code))
            }
            (Expected::Done, Answer::Done) => Ok(()),
            (Expected::Accepted, Answer::Caused(event)) => {
                self.clock += 1;
                self.accept_person(envelope.actor.0, command, event)
            }
            (Expected::Refused(reasons), answer) => Err(format!("{reasons:?}, not {answer:?}")),
            (Expected::Done, answer) => Err(format!("done already, not {answer:?}")),
            (Expected::Accepted, answer) => Err(format!("accepted, not {answer:?}")),
        }
    }

    fn expected(&self, by: &Person, command: &PersonCommand) -> Expected {
        let id = match command {
            PersonCommand::JoinTable(_) => return Expected::Accepted,
            PersonCommand::ValidateHit { hit, .. }
            | PersonCommand::RejectHit { hit, .. }
            | PersonCommand::PayPayout { hit, .. } => *hit,
        };
        let actor = by.0;
        let (table, number) = place(id);
        let Some(hit) = self.hit(table, number) else {
            return Expected::Refused(vec![Code::UnknownHit]);
        };
        let mut reasons = Vec::new();
        match command {
            PersonCommand::JoinTable(_) => {}
            PersonCommand::ValidateHit { cards, .. } => {
                if hit.status == Status::Validated(actor) {
                    return Expected::Done;
                }
                if hit.status != Status::Pending {
                    reasons.push(Code::HitNotPending);
                }
                let (keyed_by, badge) = &hit.keyed_by;
                if *keyed_by == actor || (badge.is_some() && *badge == by.1) {
                    reasons.push(Code::KeyedByValidator);
                }
                reasons.extend(self.of_cards(None, hit.hand, cards.as_deref()));
            }
            PersonCommand::RejectHit { .. } => {
                if hit.status == Status::Rejected(actor) {
                    return Expected::Done;
                }
                reasons.extend(self.why_it_stays(table, hit, &[number]));
            }
            PersonCommand::PayPayout {
                number: payout,
                document,
                ..
            } => {
                let index = usize::try_from(*payout).unwrap_or(0).wrapping_sub(1);
                let Some(due) = hit.due.get(index) else {
                    return Expected::Refused(vec![Code::NoSuchPayout]);
                };
                if due.document.as_deref() == Some(document.as_str()) {
                    return Expected::Done;
                }
                if due.document.is_some() {
                    reasons.push(Code::HitPaid);
                }
                if due.way != Way::Slip {
                    reasons.push(Code::NotPaidBySlip);
                }
                if !matches!(hit.status, Status::Validated(_) | Status::ByRule) {
                    reasons.push(Code::HitNotPending);
                }
            }
        }
        if reasons.is_empty() {
            Expected::Accepted
        } else {
            Expected::Refused(reasons)
        }
    }

    fn accept_person(&mut self, actor: i32, command: &PersonCommand, event: &Event) -> Verdict {
        match (command, event) {
            (PersonCommand::JoinTable(_), Event::TableJoined(joined)) => {
                self.felts.push(super::round::Felt::default());
                agree("table", &self.felts.len(), &(joined.table.0 as usize))
            }
            (PersonCommand::ValidateHit { hit, .. }, Event::HitValidated { hit: said, .. }) => {
                agree("validated hit", hit, said)?;
                let (table, number) = place(*hit);
                let found = self.hit_mut(table, number).ok_or("no such hit")?;
                found.status = Status::Validated(actor);
                Ok(())
            }
            (PersonCommand::RejectHit { hit, .. }, Event::HitRejected { hit: said, .. }) => {
                agree("rejected hit", hit, said)?;
                let (table, number) = place(*hit);
                self.withdraw(table, number, Status::Rejected(actor))
            }
            (
                PersonCommand::PayPayout {
                    hit,
                    number,
                    document,
                },
                Event::PayoutPaid {
                    hit: said,
                    number: paid,
                    document: written,
                    ..
                },
            ) => {
                agree("paid hit", &(hit, number, document), &(said, paid, written))?;
                let (table, keyed) = place(*hit);
                let index = usize::try_from(*number).unwrap_or(0).wrapping_sub(1);
                self.pay(table, keyed, index, document.as_str())
            }
            (command, event) => Err(format!("{command:?} answered by {event:?}")),
        }
    }
}
