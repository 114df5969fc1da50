//! Comparing the auditor's books with what the rules answer and store.

use std::collections::BTreeSet;

use meterhouse_domain::event::{HitRecorded, Payout, PayoutKind};
use meterhouse_domain::paytable::{ChargedTo, HandedOver};
use meterhouse_domain::state::{self, HitStatus, LinkState, PayoutState};

use super::hit::{Due, For, Hit, Name, Paid, Status, Taken, Way};
use super::round::Who;
use super::{Auditor, Verdict, agree};

/// A set of seats as the rules write it: bit n - 1 for seat n.
pub(super) fn bits(seats: &BTreeSet<u8>) -> u16 {
    seats.iter().fold(0, |bits, seat| bits | 1 << (seat - 1))
}

/// A recorded hit says what the auditor found: its order, what it took, every payout in its place.
pub(super) fn same_hit(hit: &Hit, needs_a_person: bool, event: &HitRecorded) -> Verdict {
    agree("order of the hit", &hit.order, &event.order.0)?;
    agree("round", &hit.round, &event.round.0)?;
    agree("kind of the hit", &hit.kind, &event.kind)?;
    agree("whose hand", &hit.who, &Who::of(event.holder))?;
    agree("hand", &hit.hand, &event.hand)?;
    agree("needs a person", &needs_a_person, &event.needs_validation)?;
    let taken = hit.took.as_ref().map(|took| took.taken);
    agree(
        "taken from the level",
        &taken,
        &event.taken.as_ref().map(taken_of),
    )?;
    same_payouts(&hit.due, &event.payouts)
}

/// What a hit took, as the rules write it.
pub(super) fn taken_of(taken: &meterhouse_domain::event::Taken) -> Taken {
    let micros = |it: meterhouse_domain::money::Money| i128::from(it.micros());
    Taken {
        level: usize::from(taken.level),
        percent: taken.percent.map(i128::from),
        before: micros(taken.before),
        after: micros(taken.after),
        behind: (micros(taken.reserve_before), micros(taken.overflow_before)),
        reset: taken.reset.map(|it| {
            let (house, reserve) = (micros(it.from_house), micros(it.from_reserve));
            (house, reserve, micros(it.from_overflow))
        }),
    }
}

/// Payouts as the auditor found them, paid or not.
pub(super) fn same_payouts(due: &[Due], payouts: &[Payout]) -> Verdict {
    let unpaid = due.iter().map(|due| Due {
        paid: None,
        ..due.clone()
    });
    let said = payouts.iter().map(|it| due_of(it, None));
    agree("payouts", &unpaid.collect::<Vec<_>>(), &said.collect())
}

fn due_of(payout: &Payout, paid: Option<Paid>) -> Due {
    Due {
        seat: payout.seat.0,
        player: payout.player.as_ref().map(|name| name.as_str().to_owned()),
        what: match payout.kind {
            PayoutKind::Line => For::Line,
            PayoutKind::Envy => For::Envy,
            PayoutKind::Bonus => For::Bonus,
            PayoutKind::Supplement => For::Supplement,
        },
        micros: i128::from(payout.amount.micros()),
        way: match payout.handed_over {
            HandedOver::Slip => Way::Slip,
            HandedOver::Rack => Way::Rack,
            HandedOver::GameAccount => Way::Account,
        },
        metered: payout.charged_to == ChargedTo::Meter,
        paid,
    }
}

/// Name, state and payouts of a hit.
type Seen = (Name, Status, Vec<Due>);

fn seen_by_auditor(hit: &Hit) -> Seen {
    (hit.name, hit.status, hit.due.clone())
}

fn seen_in_state(name: Name, hit: &state::Hit) -> Seen {
    let due = hit.payouts.iter().map(|PayoutState { payout, paid }| {
        let paid = paid.as_ref().map(|payment| {
            let document = payment.document.as_ref();
            document.map_or(Paid::GameOver, |it| Paid::Document(it.as_str().to_owned()))
        });
        due_of(payout, paid)
    });
    (name, status(&hit.status), due.collect())
}

const fn status(status: &HitStatus) -> Status {
    match status {
        HitStatus::Pending => Status::Pending,
        HitStatus::ValidatedByRule => Status::ByRule,
        HitStatus::Validated { actor, .. } => Status::Validated(actor.0),
        HitStatus::Cancelled => Status::Cancelled,
        HitStatus::Rejected { actor } => Status::Rejected(actor.0),
        HitStatus::Withdrawn => Status::Withdrawn,
    }
}

impl Auditor {
    /// Every balance, number, count and state of a hit that the rules keep is the auditor's.
    pub(crate) fn compare(&mut self, state: &LinkState) -> Verdict {
        self.check_history()?;
        let stored = state.balances.iter();
        let stored = stored.map(|book| book.0.map(|it| i128::from(it.micros())));
        agree("balances", &self.books.all().to_vec(), &stored.collect())?;
        agree("hits so far", &self.order, &state.last_order.0)?;
        self.compare_link(state)?;
        agree("tables", &self.felts.len(), &state.tables.len())?;
        for (place, (felt, table)) in self.felts.iter().zip(&state.tables).enumerate() {
            agree("last number", &felt.last, &table.last_sequence.0)?;
            agree("lost", &felt.lost, &table.lost.map(|it| it.must_resume))?;
            agree("disabled", &felt.disabled, &table.disabled.is_some())?;
            agree("left", &felt.left, &table.left)?;
            let ours = felt.round.as_ref().map(|round| {
                let hits = self.places_of(place, round.number);
                let hits = hits.map(|it| seen_by_auditor(&self.hits[it]));
                (round.number, hits.collect::<Vec<_>>())
            });
            let theirs = table.round.as_ref().map(|round| {
                let hits = round.hits.iter().map(|hit| {
                    let name = Name {
                        table: place,
                        number: hit.sequence.0,
                        nth: hit.number,
                    };
                    seen_in_state(name, hit)
                });
                (round.sequence.0, hits.collect::<Vec<_>>())
            });
            agree("open round", &ours, &theirs)?;
        }
        let ours = self
            .kept
            .iter()
            .map(|place| seen_by_auditor(&self.hits[*place]));
        let theirs = state.closed.iter();
        let theirs = theirs.map(|it| seen_in_state(Name::of(it.id), &it.hit));
        agree(
            "hits of closed rounds",
            &ours.collect::<Vec<_>>(),
            &theirs.collect(),
        )?;
        self.compare_lifetime(&state.lifetime)
    }

    fn compare_link(&self, state: &LinkState) -> Verdict {
        agree("suspended", &self.suspended, &state.suspended.is_some())?;
        agree(
            "unacknowledged",
            &self.unacknowledged,
            &state.unacknowledged,
        )?;
        let adopted = state.adopted.iter().map(|it| {
            let reading = it.reading.as_ref().map(|it| it.name.to_string());
            (it.table.to_string(), (reading, it.returns.ppm))
        });
        agree("adopted", &self.adopted, &adopted.collect())?;
        let accepted = state.values_accepted;
        agree("values accepted", &self.values_accepted, &accepted)?;
        agree("faulted", &self.fault.as_deref(), &state.fault.as_deref())?;
        for level in 0..8 {
            let on = u8::try_from(level).is_ok_and(|it| !state.is_disabled(it));
            agree("level on", &!self.disabled.contains(&level), &on)?;
        }
        let ours = self.proposals.iter().map(|it| it.propose.proposal);
        let theirs = state.proposals.iter().map(|it| it.propose.proposal);
        agree("proposals", &ours.collect::<Vec<_>>(), &theirs.collect())
    }
}
