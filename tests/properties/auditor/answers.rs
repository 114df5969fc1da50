//! Comparing the auditor's books with what the rules answer and store.

use std::collections::BTreeSet;

use meterhouse_domain::event::{HitKind, HitRecorded, PayoutKind};
use meterhouse_domain::paytable::{ChargedTo, HandedOver};
use meterhouse_domain::state::{HitStatus, LinkState};

use super::effects::Taken;
use super::round::{Due, Hit, Status, Way};
use super::{Auditor, Verdict, agree};

/// A set of seats as the rules write it: bit n - 1 for seat n.
pub(super) fn bits(seats: &BTreeSet<u8>) -> u16 {
    seats.iter().fold(0, |bits, seat| bits | 1 << (seat - 1))
}

/// A recorded hit says what the auditor found: its order, what it took, every payout in its place.
pub(super) fn same_hit(
    order: u64,
    kind: HitKind,
    hit: &Hit,
    taken: Option<Taken>,
    event: &HitRecorded,
) -> Verdict {
    agree("order of the hit", &order, &event.order.0)?;
    agree("kind of the hit", &kind, &event.kind)?;
    agree("hand", &hit.hand, &event.hand)?;
    let pending = hit.status == Status::Pending;
    agree("needs a person", &pending, &event.needs_validation)?;
    let said = event.taken.as_ref().map(|it| Taken {
        level: usize::from(it.level),
        percent: i128::from(it.percent),
        before: i128::from(it.before.micros()),
        after: i128::from(it.after.micros()),
        reset: it.reset.map(|it| {
            let (house, reserve) = (it.from_house.micros(), it.from_reserve.micros());
            (i128::from(house), i128::from(reserve))
        }),
    });
    agree("taken from the level", &taken, &said)?;
    let owed = event.payouts.iter().map(|it| Due {
        seat: it.seat.0,
        player: it.player.as_ref().map(|name| name.as_str().to_owned()),
        envy: it.kind == PayoutKind::Envy,
        micros: i128::from(it.amount.micros()),
        way: match it.handed_over {
            HandedOver::Slip => Way::Slip,
            HandedOver::Rack => Way::Rack,
            HandedOver::GameAccount => Way::Account,
        },
        document: None,
    });
    agree("payouts", &hit.due, &owed.collect())?;
    let from_meter = event
        .payouts
        .iter()
        .map(|it| it.charged_to == ChargedTo::Meter);
    let expected = hit.due.iter().map(|due| due.way == Way::Slip);
    agree(
        "payouts charged to the meter",
        &expected.collect::<Vec<bool>>(),
        &from_meter.collect(),
    )
}

impl Auditor {
    /// Every balance, number and state of a hit that the rules keep is the auditor's.
    pub(crate) fn compare(&self, state: &LinkState) -> Verdict {
        let stored = state.balances.iter();
        let stored = stored.map(|book| book.0.map(|it| i128::from(it.micros())));
        agree("balances", &self.books.all().to_vec(), &stored.collect())?;
        agree("hits so far", &self.order, &state.last_order.0)?;
        agree("tables", &self.felts.len(), &state.tables.len())?;
        for (felt, table) in self.felts.iter().zip(&state.tables) {
            agree("last number", &felt.last, &table.last_sequence.0)?;
            let ours = felt.round.as_ref().map(|round| {
                let hits = round.hits.iter();
                (round.number, hits.map(seen_by_auditor).collect::<Vec<_>>())
            });
            let theirs = table.round.as_ref().map(|round| {
                let hits = round.hits.iter().map(|hit| {
                    let documents = hit.payouts.iter().map(|it| {
                        let paid = it.paid.as_ref();
                        paid.map(|it| it.document.as_str().to_owned())
                    });
                    (hit.sequence.0, status(&hit.status), documents.collect())
                });
                (round.sequence.0, hits.collect::<Vec<_>>())
            });
            agree("open round", &ours, &theirs)?;
        }
        Ok(())
    }
}

/// Number, state and documents of a hit.
type Seen = (u64, Status, Vec<Option<String>>);

fn seen_by_auditor(hit: &Hit) -> Seen {
    let documents = hit.due.iter().map(|due| due.document.clone());
    (hit.number, hit.status, documents.collect())
}

const fn status(status: &HitStatus) -> Status {
    match status {
        HitStatus::Pending => Status::Pending,
        HitStatus::ValidatedByRule => Status::ByRule,
        HitStatus::Validated { actor, .. } => Status::Validated(actor.0),
        HitStatus::Cancelled => Status::Cancelled,
        HitStatus::Rejected { actor } => Status::Rejected(actor.0),
    }
}
