//! The events of a table's round.

use std::sync::Arc;

use crate::entries::of_coin_in;
use crate::event::{CoinInAccepted, Event, Origin, Recorded};
use crate::ids::{HitId, Sequence, TableNo, Timestamp};
use crate::link::Move;
use crate::seat::SeatSet;
use crate::state::{ClosedHit, LinkState, MINUTE, Minute, Payment, Round};

pub(super) fn apply_round(state: &mut LinkState, recorded: &Recorded, at: Timestamp) {
    let Origin::Table { table, sequence } = recorded.origin else {
        return;
    };
    match &recorded.event {
        Event::CoinInAccepted(coin_in) => state.lock_round(table, sequence, coin_in, at),
        Event::SeatsFolded { seats } => {
            if let Some(round) = state.round_mut(table) {
                round.folded = round.folded.union(*seats);
            }
        }
        Event::HitRecorded(hit) => {
            let id = HitId {
                table,
                sequence,
                number: 0,
            };
            state.record_hit(id, hit, recorded);
        }
        Event::RoundSettled { hits, .. } => {
            for (number, hit) in (1..).zip(hits) {
                let id = HitId {
                    table,
                    sequence,
                    number,
                };
                state.record_hit(id, hit, recorded);
            }
        }
        Event::RoundClosed { moves, .. } => {
            state.add(moves);
            state.close_round(table, recorded);
            state.close_paths();
        }
        Event::RoundVoided { hits, moves, .. } => {
            state.void_round(table, hits, moves);
            state.count_void(table);
            state.end_round(table);
            state.close_paths();
        }
        _ => {}
    }
}

impl Minute {
    /// Returns the number of rounds that were locked in the minute of this time. A clock that was set back begins
    /// another minute.
    pub(crate) fn rounds_at(self, at: Timestamp) -> u32 {
        if (self.since..self.since.saturating_add(MINUTE)).contains(&at.0) {
            self.rounds
        } else {
            0
        }
    }
}

impl LinkState {
    pub(super) fn round_mut(&mut self, table: TableNo) -> Option<&mut Round> {
        self.table_mut(table)?.round.as_mut()
    }

    fn lock_round(
        &mut self,
        table: TableNo,
        sequence: Sequence,
        coin_in: &CoinInAccepted,
        at: Timestamp,
    ) {
        let shares = Arc::clone(&self.shares);
        if !self.paths.is_empty() {
            let moves: Vec<Move> = of_coin_in(&shares, coin_in).collect();
            self.walk(&moves, Some((table, sequence)));
        }
        of_coin_in(&shares, coin_in).for_each(|entry| self.add_one(entry));
        self.count_coin_in(coin_in);
        let order_at_coin_in = self.last_order;
        let limited = self.terms.settings.rounds_a_minute_max.is_some();
        if let Some(found) = self.table_mut(table) {
            if limited {
                let rounds = found.minute.rounds_at(at);
                if rounds == 0 {
                    found.minute.since = at.0;
                }
                found.minute.rounds = rounds.saturating_add(1);
            }
            found.round = Some(Round {
                sequence,
                own: coin_in.own,
                dealer: coin_in.dealer,
                dealt: coin_in.dealt,
                players: coin_in.players.clone(),
                folded: SeatSet::EMPTY,
                order_at_coin_in,
                added: coin_in.added,
                over_ceiling: coin_in.over_ceiling.clone(),
                draws: coin_in.draws,
                hits: Vec::new(),
            });
        }
    }

    /// Applies GAME OVER: every unpaid payout is paid; the hits are kept for corrections.
    fn close_round(&mut self, table: TableNo, recorded: &Recorded) {
        let Some(round) = self.table_mut(table).and_then(|found| found.round.take()) else {
            return;
        };
        for hit in round.hits.into_iter().filter(|hit| hit.stands()) {
            let mut hit = Arc::unwrap_or_clone(hit);
            for payout in &mut hit.payouts {
                payout.paid.get_or_insert(Payment {
                    actor: recorded.actor,
                    document: None,
                });
            }
            self.keep_closed(ClosedHit {
                id: hit.id(table),
                round: round.sequence,
                hit,
            });
        }
    }

    /// Takes back the hits of a void round, in the order of its moves, and then its wagers.
    fn void_round(&mut self, table: TableNo, hits: &[HitId], moves: &[Move]) {
        let mut rest = moves;
        for hit in hits {
            let entries = self.hit(*hit).map_or(0, |hit| hit.moves.len());
            let (own, others) = rest.split_at(entries.min(rest.len()));
            self.rejoin(*hit);
            self.forget_hit(*hit);
            self.add(own);
            rest = others;
        }
        if let Some(round) = self.round_mut(table).map(|round| round.sequence) {
            self.walk_back(rest, (table, round));
        }
        self.add(rest);
        self.arrive();
    }

    fn end_round(&mut self, table: TableNo) {
        if let Some(found) = self.table_mut(table) {
            found.round = None;
        }
    }
}
