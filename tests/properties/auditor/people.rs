//! What one person decides about hits, in the auditor's books.

use meterhouse_domain::command::{Envelope, PersonCommand};
use meterhouse_domain::event::Event;
use meterhouse_domain::refusal::RefusalCode as Code;

use super::hit::{Hit, Name, Paid, Status, Way};
use super::reasons::when;
use super::round::{Felt, Person};
use super::{Auditor, Reasons, Verdict, agree, person};
use crate::world::Answer;

/// What the auditor expects of a person's command.
pub(super) enum Expected {
    /// One of these refusals.
    Refused(Reasons),
    /// It was done before.
    Done,
    /// It happens.
    Accepted,
}

impl Expected {
    /// Accepted where there is no reason against it.
    pub(super) fn unless(reasons: Reasons) -> Self {
        if reasons.is_empty() {
            Self::Accepted
        } else {
            Self::Refused(reasons)
        }
    }

    /// Done where it is so already.
    pub(super) const fn done_if(is_so: bool) -> Self {
        if is_so { Self::Done } else { Self::Accepted }
    }
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
                self.accept_person(&person(envelope), command, event)
            }
            (Expected::Refused(reasons), answer) => Err(format!("{reasons:?}, not {answer:?}")),
            (Expected::Done, answer) => Err(format!("done already, not {answer:?}")),
            (Expected::Accepted, answer) => Err(format!("accepted, not {answer:?}")),
        }
    }

    fn expected(&self, by: &Person, command: &PersonCommand) -> Expected {
        let (PersonCommand::ValidateHit { hit: id, .. }
        | PersonCommand::RejectHit { hit: id, .. }
        | PersonCommand::PayPayout { hit: id, .. }) = command
        else {
            return self.expected_of_link(by, command);
        };
        let found = self.reachable(Name::of(*id));
        let Some(hit) = found.map(|place| &self.hits[place]) else {
            return Expected::Refused(vec![Code::UnknownHit]);
        };
        match command {
            PersonCommand::ValidateHit { cards, .. } => {
                if hit.status == Status::Validated(by.0) {
                    return Expected::Done;
                }
                let mut reasons = when(hit.status != Status::Pending, Code::HitNotPending);
                let (keyed_by, badge) = &hit.keyed_by;
                let same = *keyed_by == by.0 || (badge.is_some() && *badge == by.1);
                reasons.extend(when(same, Code::KeyedByValidator));
                if let Some(hand) = hit.hand {
                    reasons.extend(self.of_cards(hand, cards.as_deref()));
                }
                Expected::unless(reasons)
            }
            PersonCommand::RejectHit { resettle, .. } => {
                if hit.status == Status::Rejected(by.0) {
                    return Expected::Done;
                }
                Expected::unless(self.of_reject(hit, *resettle))
            }
            PersonCommand::PayPayout {
                number, document, ..
            } => of_payment(hit, *number, document.as_str()),
            _ => Expected::Refused(Vec::new()),
        }
    }

    /// Why a hit can't be rejected; with `resettle`, later hits are no reason as long as nothing of them is paid. What is no
    /// longer kept of them can't be looked at.
    fn of_reject(&self, hit: &Hit, resettle: bool) -> Reasons {
        let mut reasons = self.why_it_stays(hit, &[]);
        let forgotten = hit.level().map_or(0, |level| self.forgotten[level]);
        if hit.order < forgotten
            && [&[] as &[Code], &[Code::LaterHits]].contains(&reasons.as_slice())
        {
            return vec![Code::TooOld];
        }
        if resettle && reasons == [Code::LaterHits] {
            let paid = self.later(hit).any(Hit::paid);
            reasons = when(paid, Code::HitPaid);
        }
        reasons
    }

    fn accept_person(&mut self, by: &Person, command: &PersonCommand, event: &Event) -> Verdict {
        match (command, event) {
            (PersonCommand::JoinTable(_), Event::TableJoined(joined)) => {
                self.felts.push(Felt::default());
                agree("table", &self.felts.len(), &(joined.table.0 as usize))
            }
            (PersonCommand::ValidateHit { hit, .. }, Event::HitValidated { hit: said, .. }) => {
                agree("validated hit", hit, said)?;
                let place = self.reachable(Name::of(*hit)).ok_or("no such hit")?;
                self.hits[place].status = Status::Validated(by.0);
                Ok(())
            }
            (
                PersonCommand::RejectHit { hit, resettle, .. },
                Event::HitRejected {
                    hit: said,
                    resettle: wanted,
                    resettled,
                    ..
                },
            ) => {
                agree("rejected hit", &(hit, resettle), &(said, wanted))?;
                let place = self.reachable(Name::of(*hit)).ok_or("no such hit")?;
                let again = self.withdraw(place, Status::Rejected(by.0), resettled)?;
                self.same_resettled(&again, resettled)
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
                let place = self.reachable(Name::of(*hit)).ok_or("no such hit")?;
                let index = usize::try_from(*number).unwrap_or(0).wrapping_sub(1);
                self.pay(place, index, Some(document.as_str()))
            }
            (command, event) => self.accept_of_link(by, command, event),
        }
    }
}

fn of_payment(hit: &Hit, number: u32, document: &str) -> Expected {
    let index = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
    let Some(due) = hit.due.get(index) else {
        return Expected::Refused(vec![Code::NoSuchPayout]);
    };
    let before = Paid::Document(document.to_owned());
    if due.paid.as_ref() == Some(&before) && due.way == Way::Slip {
        return Expected::Done;
    }
    let mut reasons = when(due.paid.is_some(), Code::HitPaid);
    reasons.extend(when(due.way != Way::Slip, Code::NotPaidBySlip));
    let validated = matches!(hit.status, Status::Validated(_) | Status::ByRule);
    reasons.extend(when(!validated, Code::HitNotPending));
    Expected::unless(reasons)
}
