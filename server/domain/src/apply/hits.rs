//! The events of hits: recorded, validated, paid, undone, resettled, kept after their round.

use std::sync::Arc;

use crate::change::Resettled;
use crate::event::{Event, HitRecorded, Payout, Recorded, Taken};
use crate::ids::{HitId, HitOrder};
use crate::link::{Book, Move};
use crate::meter_path::MeterPath;
use crate::money::Money;
use crate::state::{
    CLOSED_HITS_KEPT, ClosedHit, Hit, HitStatus, LinkState, Payment, PayoutState, RESETS_KEPT,
    StandingHit,
};

pub(super) fn apply_hit(state: &mut LinkState, recorded: &Recorded) {
    match &recorded.event {
        Event::HitValidated { hit, .. } => {
            let (actor, by) = (recorded.actor, recorded.by.clone());
            state.change_hit(*hit, |hit| hit.status = HitStatus::Validated { actor, by });
        }
        Event::HitRejected {
            hit,
            resettled,
            moves,
            ..
        } => {
            let actor = recorded.actor;
            state.withdraw(*hit, HitStatus::Rejected { actor }, resettled, moves);
        }
        Event::HitCancelled { hit, moves } => {
            state.withdraw(*hit, HitStatus::Cancelled, &[], moves);
        }
        Event::PayoutPaid {
            hit,
            number,
            document,
            moves,
        } => {
            let payment = Payment {
                actor: recorded.actor,
                document: Some(document.clone()),
            };
            state.change_hit(*hit, |hit| hit.pay(*number, payment));
            state.add(moves);
        }
        _ => {}
    }
}

impl LinkState {
    /// Adds the event's hit to an open round.
    pub(super) fn record_hit(&mut self, id: HitId, hit: &HitRecorded, by: &Recorded) {
        let path = self.take(hit);
        let status = if hit.needs_validation {
            HitStatus::Pending
        } else {
            HitStatus::ValidatedByRule
        };
        let standing = new_hit(id, hit, (by, path), status);
        self.count_hit(&standing, true);
        if let Some(round) = self.round_mut(id.table) {
            round.hits.push(Arc::new(standing));
        }
        self.stand(id, hit);
    }

    /// Adds a hit to a closed round; two people have validated it.
    pub(super) fn record_late_hit(&mut self, id: HitId, hit: &HitRecorded, by: &Recorded) {
        let path = self.take(hit);
        let status = HitStatus::Validated {
            actor: by.actor,
            by: by.by.clone(),
        };
        let late = new_hit(id, hit, (by, path), status);
        self.count_hit(&late, true);
        self.stand(id, hit);
        self.keep_closed(ClosedHit {
            id,
            round: hit.round,
            hit: late,
        });
    }

    /// Adds a hit's entries. If its level has a ceiling, returns the path that led to the hit and begins another one.
    fn take(&mut self, hit: &HitRecorded) -> Option<Arc<MeterPath>> {
        let book = hit.taken.map(|taken| Book(taken.level));
        let path = book.and_then(|book| self.paths.get(book.index())?.clone());
        self.add(&hit.moves);
        if let Some(book) = book {
            self.begin_path(book);
        }
        path
    }

    /// Keeps the amounts that a hit took from a level, while something depends on them.
    fn stand(&mut self, id: HitId, hit: &HitRecorded) {
        self.last_order = hit.order;
        let Some(taken) = hit.taken else { return };
        let level = usize::from(taken.level);
        let needed = still_needed_after(self);
        if let Some(standing) = self.standing.get_mut(level) {
            let standing = Arc::make_mut(standing);
            standing.retain(|earlier| earlier.order > needed);
            standing.push(StandingHit::new(hit.order, id, &taken));
        }
        if taken.reset.is_some()
            && let Some(resets) = self.resets.get_mut(level)
        {
            let resets = Arc::make_mut(resets);
            resets.push(hit.order);
            if resets.len() > RESETS_KEPT {
                resets.remove(0);
            }
        }
    }

    /// Changes a hit of an open round, or a kept one.
    pub(super) fn change_hit(&mut self, id: HitId, change: impl FnOnce(&mut Hit)) {
        if self.open_hit(id).is_some() {
            let hits = self.round_mut(id.table).map(|round| &mut round.hits);
            let found = hits.and_then(|hits| hits.iter_mut().find(|hit| hit.id(id.table) == id));
            if let Some(hit) = found {
                change(Arc::make_mut(hit));
            }
            return;
        }
        if self.closed.iter().any(|kept| kept.id == id) {
            let closed = Arc::make_mut(&mut self.closed);
            if let Some(kept) = closed.iter_mut().find(|kept| kept.id == id) {
                change(&mut Arc::make_mut(kept).hit);
            }
        }
    }

    /// Withdraws a hit; the later hits of its level get other amounts.
    pub(super) fn withdraw(
        &mut self,
        id: HitId,
        status: HitStatus,
        resettled: &[Resettled],
        moves: &[Move],
    ) {
        let withdrawn = self.hit(id).cloned();
        if resettled.is_empty() {
            self.rejoin(id);
        }
        self.forget_hit(id);
        self.change_hit(id, |hit| hit.status = status);
        self.resettle(resettled);
        self.add(moves);
        match withdrawn.filter(|_| !resettled.is_empty()) {
            Some(withdrawn) => self.repath(&withdrawn, resettled),
            None => self.arrive(),
        }
    }

    /// Removes an undone hit, on which nothing depends any more.
    pub(super) fn forget_hit(&mut self, id: HitId) {
        if let Some(hit) = self.hit(id).cloned() {
            self.count_hit(&hit, false);
            for resets in &mut self.resets {
                if resets.contains(&hit.order) {
                    Arc::make_mut(resets).retain(|reset| *reset != hit.order);
                }
            }
        }
        for level in &mut self.standing {
            if level.iter().any(|standing| standing.hit == id) {
                Arc::make_mut(level).retain(|standing| standing.hit != id);
            }
        }
    }

    /// Gives later hits the amounts that they have without a withdrawn one.
    fn resettle(&mut self, resettled: &[Resettled]) {
        for new in resettled {
            let Some(old) = self.hit(new.hit).cloned() else {
                continue;
            };
            self.count_hit(&old, false);
            self.change_hit(new.hit, |hit| {
                let mut paid = old.payouts.iter().map(|payout| payout.paid.clone());
                let payouts = new.payouts.iter().map(|payout| PayoutState {
                    payout: payout.clone(),
                    paid: paid.next().flatten(),
                });
                hit.payouts = payouts.collect();
                hit.taken = Some(new.taken);
                hit.moves.clone_from(&new.moves);
                if new.back_to_pending {
                    hit.status = HitStatus::Pending;
                }
            });
            self.stand_again(new);
            if let Some(hit) = self.hit(new.hit).cloned() {
                self.count_hit(&hit, true);
            }
        }
    }

    /// Updates the accounts that a hit's reset takes from.
    fn stand_again(&mut self, new: &Resettled) {
        let level = self.standing.get_mut(usize::from(new.taken.level));
        if let Some(level) =
            level.filter(|standing| standing.iter().any(|other| other.hit == new.hit))
        {
            for standing in Arc::make_mut(level) {
                if standing.hit == new.hit {
                    *standing = StandingHit::new(standing.order, new.hit, &new.taken);
                }
            }
        }
    }

    /// Keeps a hit of a closed round, and only the last ones of each book.
    pub(super) fn keep_closed(&mut self, closed: ClosedHit) {
        let book = closed.hit.book(&self.terms);
        let kept = Arc::make_mut(&mut self.closed);
        let index = kept.partition_point(|other| other.hit.order < closed.hit.order);
        kept.insert(index, Arc::new(closed));
        let of_book =
            |kept: &Arc<ClosedHit>| kept.hit.book(&self.terms) == book && kept.hit.is_paid();
        // There may be several too many: a payout of a kept hit may have been paid since.
        while kept.iter().filter(|other| of_book(other)).count() > CLOSED_HITS_KEPT {
            let Some(oldest) = kept.iter().position(of_book) else {
                return;
            };
            let forgotten = kept.remove(oldest).hit.order;
            if let Some(newest) = self.forgotten.get_mut(book.index()) {
                *newest = forgotten.max(*newest);
            }
        }
    }
}

fn new_hit(
    id: HitId,
    hit: &HitRecorded,
    (by, path): (&Recorded, Option<Arc<MeterPath>>),
    status: HitStatus,
) -> Hit {
    let unpaid = |payout: &Payout| PayoutState {
        payout: payout.clone(),
        paid: None,
    };
    Hit {
        sequence: id.sequence,
        number: id.number,
        order: hit.order,
        keyed_by_actor: by.actor,
        keyed_by: by.by.clone(),
        kind: hit.kind,
        holder: hit.holder,
        hand: hit.hand,
        cards: hit.cards.clone(),
        taken: hit.taken,
        payouts: hit.payouts.iter().map(unpaid).collect(),
        status,
        moves: hit.moves.clone(),
        path,
    }
}

impl StandingHit {
    fn new(order: HitOrder, hit: HitId, taken: &Taken) -> Self {
        let reset = taken.reset.as_ref();
        Self {
            order,
            hit,
            took_reserve: reset.is_some_and(|reset| reset.from_reserve > Money::ZERO),
            took_overflow: reset.is_some_and(|reset| reset.from_overflow > Money::ZERO),
        }
    }
}

impl Hit {
    fn pay(&mut self, number: u32, payment: Payment) {
        let index = usize::try_from(number)
            .ok()
            .and_then(|number| number.checked_sub(1));
        if let Some(payout) = index.and_then(|index| self.payouts.get_mut(index)) {
            payout.paid = Some(payment);
        }
    }
}

/// Returns the oldest hit that still matters: earlier hits can be removed once nothing depends on them.
fn still_needed_after(state: &LinkState) -> HitOrder {
    let rounds = state.tables.iter().filter_map(|table| table.round.as_ref());
    rounds
        .map(|round| round.order_at_coin_in)
        .min()
        .unwrap_or(state.last_order)
}
