//! Carries events out: adds what they carry, computes no rate, refuses nothing.
//!
//! # Order
//! Total and deterministic: the same events in the same order give the same state, bit for bit. An event that
//! doesn't fit (a hit of an unknown table) can only come from a damaged journal; `apply` then leaves the rest of
//! the state as it is, and the comparison of balances and hits finds it.

use std::sync::Arc;

use crate::decide::still_needed_after;
use crate::event::{CoinInAccepted, Event, HitRecorded, Origin, Recorded, TableJoined};
use crate::link::{Account, Balances, LinkTerms, Move};
use crate::money::Money;
use crate::name::{ActorId, HitId, HitOrder, Sequence, TableNo};
use crate::seat::SeatSet;
use crate::state::{
    Hit, HitStatus, LinkState, Payment, PayoutState, Round, StandingHit, Table, table_index,
};

/// The state of a link that was just opened; `None` if its terms have no exact shares, which
/// [`open`](crate::decide::open) refuses.
pub fn opened(terms: &LinkTerms, moves: &[Move]) -> Option<LinkState> {
    let levels = terms.content().levels.len();
    let mut state = LinkState {
        terms: Arc::new(terms.clone()),
        shares: terms.shares()?.into(),
        fault: None,
        balances: vec![Balances::default(); levels + 1],
        standing: (0..levels).map(|_| Arc::default()).collect(),
        last_order: HitOrder(0),
        tables: Vec::new(),
    };
    state.add(moves);
    Some(state)
}

/// Carries an event out.
pub fn apply(state: &mut LinkState, recorded: &Recorded) {
    if let Origin::Table { table, sequence } = recorded.origin
        && let Some(felt) = state.table_mut(table)
    {
        felt.last_sequence = sequence;
    }
    match &recorded.event {
        // The first event of a journal makes the state: see `opened`.
        Event::LinkOpened { .. } | Event::ChipsCounted { .. } | Event::Refused { .. } => {}
        Event::TableJoined(joined) => state.tables.push(Arc::new(joined_table(joined))),
        Event::LinkFaulted { reason } => state.fault = Some(Arc::from(reason.as_str())),
        Event::HitValidated { hit, .. } => {
            let (actor, by) = (recorded.actor, recorded.by.clone());
            state.change_hit(*hit, |it| it.status = HitStatus::Validated { actor, by });
        }
        Event::HitRejected { hit, moves, .. } => {
            state.undo_hit(
                *hit,
                HitStatus::Rejected {
                    actor: recorded.actor,
                },
            );
            state.add(moves);
        }
        Event::HitCancelled { hit, moves } => {
            state.undo_hit(*hit, HitStatus::Cancelled);
            state.add(moves);
        }
        Event::PayoutPaid {
            hit,
            number,
            document,
            moves,
        } => {
            let payment = Payment {
                actor: recorded.actor,
                document: document.clone(),
            };
            state.change_hit(*hit, |it| it.pay(*number, payment));
            state.add(moves);
        }
        Event::CoinInAccepted(_)
        | Event::SeatsFolded { .. }
        | Event::HitRecorded(_)
        | Event::RoundClosed { .. }
        | Event::RoundVoided { .. } => apply_round(state, recorded),
    }
}

/// The events of a table's round.
fn apply_round(state: &mut LinkState, recorded: &Recorded) {
    let Origin::Table { table, sequence } = recorded.origin else {
        return;
    };
    match &recorded.event {
        Event::CoinInAccepted(coin_in) => state.lock_round(table, sequence, coin_in),
        Event::SeatsFolded { seats } => {
            if let Some(round) = state.round_mut(table) {
                round.folded = round.folded.union(*seats);
            }
        }
        Event::HitRecorded(hit) => {
            let id = HitId { table, sequence };
            state.record_hit(id, hit, recorded.actor, recorded);
        }
        Event::RoundClosed { moves, .. } => {
            state.add(moves);
            state.end_round(table);
        }
        Event::RoundVoided { hits, moves, .. } => {
            for hit in hits {
                state.forget_standing(HitId {
                    table,
                    sequence: *hit,
                });
            }
            state.add(moves);
            state.end_round(table);
        }
        Event::LinkOpened { .. }
        | Event::TableJoined(_)
        | Event::ChipsCounted { .. }
        | Event::HitCancelled { .. }
        | Event::HitValidated { .. }
        | Event::HitRejected { .. }
        | Event::PayoutPaid { .. }
        | Event::LinkFaulted { .. }
        | Event::Refused { .. } => {}
    }
}

fn joined_table(joined: &TableJoined) -> Table {
    Table {
        name: joined.name.clone(),
        game: joined.game.clone(),
        seats: joined.seats,
        rules: joined.rules,
        last_sequence: Sequence(0),
        round: None,
    }
}

impl LinkState {
    fn table_mut(&mut self, table: TableNo) -> Option<&mut Table> {
        self.tables.get_mut(table_index(table)?).map(Arc::make_mut)
    }

    fn round_mut(&mut self, table: TableNo) -> Option<&mut Round> {
        self.table_mut(table)?.round.as_mut()
    }

    /// Adds moves to the balances. `decide` has checked that they fit.
    fn add(&mut self, moves: &[Move]) {
        for it in moves {
            if let Some(book) = self.balances.get_mut(it.book.index()) {
                *book = book.moved(*it).unwrap_or(*book);
            }
        }
    }

    fn lock_round(&mut self, table: TableNo, sequence: Sequence, coin_in: &CoinInAccepted) {
        for index in 0..self.shares.len() {
            let share = self.shares[index];
            let amount = coin_in
                .added
                .amounts()
                .get(index)
                .copied()
                .unwrap_or(Money::ZERO);
            self.add(&[Move {
                book: share.book,
                from: Account::Players,
                to: share.account,
                amount,
            }]);
        }
        let order_at_coin_in = self.last_order;
        if let Some(felt) = self.table_mut(table) {
            felt.round = Some(Round {
                sequence,
                own: coin_in.own,
                dealer: coin_in.dealer,
                dealt: coin_in.dealt,
                players: coin_in.players.clone(),
                folded: SeatSet::EMPTY,
                order_at_coin_in,
                added: coin_in.added,
                hits: Vec::new(),
            });
        }
    }

    fn record_hit(&mut self, id: HitId, hit: &HitRecorded, actor: ActorId, by: &Recorded) {
        self.add(&hit.moves);
        self.last_order = hit.order;
        let status = if hit.needs_validation {
            HitStatus::Pending
        } else {
            HitStatus::ValidatedByRule
        };
        let unpaid = |payout: &crate::event::Payout| PayoutState {
            payout: payout.clone(),
            paid: None,
        };
        let standing = Hit {
            sequence: id.sequence,
            order: hit.order,
            keyed_by_actor: actor,
            keyed_by: by.by.clone(),
            kind: hit.kind,
            holder: hit.holder,
            hand: hit.hand,
            cards: hit.cards.clone(),
            taken: hit.taken,
            payouts: hit.payouts.iter().map(unpaid).collect(),
            status,
            moves: hit.moves.clone(),
        };
        if let Some(round) = self.round_mut(id.table) {
            round.hits.push(Arc::new(standing));
        }
        let Some(taken) = hit.taken else { return };
        let needed = still_needed_after(self);
        if let Some(level) = self.standing.get_mut(usize::from(taken.level)) {
            let level = Arc::make_mut(level);
            level.retain(|it| it.order > needed);
            let took_reserve = taken.reset.is_some_and(|it| it.from_reserve > Money::ZERO);
            level.push(StandingHit {
                order: hit.order,
                hit: id,
                took_reserve,
            });
        }
    }

    fn change_hit(&mut self, id: HitId, change: impl FnOnce(&mut Hit)) {
        let Some(round) = self.round_mut(id.table) else {
            return;
        };
        if let Some(hit) = round
            .hits
            .iter_mut()
            .find(|hit| hit.sequence == id.sequence)
        {
            change(Arc::make_mut(hit));
        }
    }

    fn undo_hit(&mut self, id: HitId, status: HitStatus) {
        self.change_hit(id, |hit| hit.status = status);
        self.forget_standing(id);
    }

    fn forget_standing(&mut self, id: HitId) {
        for level in &mut self.standing {
            if level.iter().any(|it| it.hit == id) {
                Arc::make_mut(level).retain(|it| it.hit != id);
            }
        }
    }

    fn end_round(&mut self, table: TableNo) {
        if let Some(felt) = self.table_mut(table) {
            felt.round = None;
        }
    }
}

impl Hit {
    fn pay(&mut self, number: u32, payment: Payment) {
        let index = usize::try_from(number)
            .ok()
            .and_then(|it| it.checked_sub(1));
        if let Some(payout) = index.and_then(|it| self.payouts.get_mut(it)) {
            payout.paid = Some(payment);
        }
    }
}
