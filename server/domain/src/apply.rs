//! Applying events: adds the amounts that events carry, computes no rate, refuses nothing.
//!
//! # Order
//! Total and deterministic: the same events in the same order give the same state, bit for bit. An event that doesn't
//! fit, such as a hit of an unknown table, can only come from a damaged journal. `apply` then leaves the rest of the
//! state as it is, and the comparison of balances and hits finds the damage.

mod counts;
mod hits;
mod paths;
mod rounds;

use std::sync::Arc;

use crate::adopted::AdoptedTable;
use crate::change::{Effect, Proposal};
use crate::event::{Event, Origin, Recorded, TableJoined};
use crate::ids::{HitOrder, Sequence, TableNo, Timestamp};
use crate::link::{Balances, Book, LinkTerms, Move};
use crate::returns::needs_two_people;
use crate::state::{HitStatus, LinkState, Lost, Minute, Table, table_index};

/// Returns the state of a link that was just opened. Returns `None` if its terms have no exact shares, which
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
        suspended: None,
        unacknowledged: needs_two_people(terms),
        values_accepted: !terms.must_accept_values,
        disabled: 0,
        closed: Arc::default(),
        forgotten: vec![HitOrder(0); levels + 1],
        resets: (0..levels).map(|_| Arc::default()).collect(),
        proposals: Arc::default(),
        adopted: Arc::default(),
        lifetime: counts::lifetime(terms),
        paths: terms
            .settings
            .ceilings
            .iter()
            .map(|ceiling| ceiling.map(|_| Arc::default()))
            .collect(),
    };
    state.add(moves);
    for index in 0..levels {
        state.begin_path(Book::level(index));
    }
    Some(state)
}

/// Applies an event. `at` is the time of its batch.
pub fn apply(state: &mut LinkState, recorded: &Recorded, at: Timestamp) {
    if let Origin::Table { table, sequence } = recorded.origin
        && let Some(table) = state.table_mut(table)
    {
        table.last_sequence = sequence;
        // For a table without heartbeats every command counts as a sign of life.
        table.lost = table.lost.filter(|lost| lost.must_resume);
    }
    match &recorded.event {
        // The first event of a journal makes the state: see `opened`.
        Event::LinkOpened { .. } | Event::ChipsCounted { .. } | Event::Refused { .. } => {}
        Event::CoinInAccepted(_)
        | Event::SeatsFolded { .. }
        | Event::HitRecorded(_)
        | Event::RoundSettled { .. }
        | Event::RoundClosed { .. }
        | Event::RoundVoided { .. } => rounds::apply_round(state, recorded, at),
        Event::HitCancelled { .. }
        | Event::HitValidated { .. }
        | Event::HitRejected { .. }
        | Event::PayoutPaid { .. } => hits::apply_hit(state, recorded),
        Event::ChangeProposed { .. }
        | Event::ChangeApproved { .. }
        | Event::ChangeDeclined { .. } => apply_proposal(state, recorded, at),
        Event::TableJoined(_)
        | Event::ValuesAccepted { .. }
        | Event::LinkSuspended { .. }
        | Event::LinkResumed
        | Event::LevelDisabled { .. }
        | Event::LevelEnabled { .. }
        | Event::TableLost { .. }
        | Event::TableBack { .. }
        | Event::TableDisabled { .. }
        | Event::TableEnabled { .. }
        | Event::TableLeft { .. }
        | Event::LinkFaulted { .. } => apply_link(state, &recorded.event),
    }
}

/// Applies an event about a link, its levels or its tables.
fn apply_link(state: &mut LinkState, event: &Event) {
    match event {
        Event::TableJoined(joined) => state.tables.push(Arc::new(joined_table(joined))),
        Event::ValuesAccepted { .. } => state.values_accepted = true,
        Event::LinkSuspended { reason } => state.suspended = Some(reason.clone()),
        Event::LinkResumed => state.suspended = None,
        Event::LevelDisabled { level, .. } => state.disabled |= bit(*level),
        Event::LevelEnabled { level } => state.disabled &= !bit(*level),
        Event::TableLost {
            table,
            heard_at,
            must_resume,
        } => {
            if let Some(table) = state.table_mut(*table) {
                table.lost = Some(Lost {
                    heard_at: *heard_at,
                    must_resume: *must_resume,
                });
            }
        }
        Event::TableBack { table } => {
            if let Some(table) = state.table_mut(*table) {
                table.lost = None;
            }
        }
        Event::TableDisabled { table, reason } => {
            if let Some(table) = state.table_mut(*table) {
                table.disabled = Some(reason.clone());
            }
        }
        Event::TableEnabled { table } => {
            if let Some(table) = state.table_mut(*table) {
                table.disabled = None;
            }
        }
        Event::TableLeft { table, .. } => {
            if let Some(table) = state.table_mut(*table) {
                table.left = true;
                table.disabled = None;
                table.lost = None;
            }
        }
        Event::LinkFaulted { reason } => state.fault = Some(Arc::from(reason.as_str())),
        _ => {}
    }
}

/// Returns the bit of a level.
const fn bit(level: u8) -> u8 {
    match 1_u8.checked_shl(level as u32) {
        Some(bit) => bit,
        None => 0,
    }
}

/// Applies a step of a two-person change.
fn apply_proposal(state: &mut LinkState, recorded: &Recorded, at: Timestamp) {
    match &recorded.event {
        Event::ChangeProposed {
            propose,
            expires_at,
        } => {
            let proposals = Arc::make_mut(&mut state.proposals);
            proposals.retain(|proposal| proposal.expires_at > at);
            proposals.push(Proposal {
                propose: propose.as_ref().clone(),
                actor: recorded.actor,
                by: recorded.by.clone(),
                proposed_at: at,
                expires_at: *expires_at,
            });
        }
        Event::ChangeDeclined { proposal, .. } => state.end_proposal(*proposal),
        Event::ChangeApproved {
            proposal,
            effect,
            moves,
            ..
        } => {
            state.end_proposal(*proposal);
            match effect.as_ref() {
                Effect::Corrected { hit, resettled } => {
                    state.withdraw(*hit, HitStatus::Withdrawn, resettled, moves);
                }
                Effect::Adjusted { level, .. } => {
                    state.walk(moves, None);
                    state.add(moves);
                    state.count_adjustment(*level, moves);
                }
                Effect::LateHitRecorded {
                    hit,
                    recorded: found,
                    ..
                } => {
                    state.record_late_hit(*hit, found, recorded);
                }
                Effect::FaultCleared { .. } => state.fault = None,
                Effect::ReturnsAcknowledged => state.unacknowledged = false,
                Effect::TableAdopted { adopted, .. } => state.adopt(adopted),
            }
        }
        _ => {}
    }
}

fn joined_table(joined: &TableJoined) -> Table {
    Table {
        name: joined.name.clone(),
        game: joined.game.clone(),
        seats: joined.seats,
        rules: joined.rules,
        bet_on_dealer: joined.bet_on_dealer,
        last_sequence: Sequence(0),
        round: None,
        lost: None,
        minute: Minute::default(),
        disabled: None,
        left: false,
    }
}

impl LinkState {
    fn table_mut(&mut self, table: TableNo) -> Option<&mut Table> {
        self.tables.get_mut(table_index(table)?).map(Arc::make_mut)
    }

    /// Adds moves to the balances. `decide` has checked that they fit.
    fn add(&mut self, moves: &[Move]) {
        for entry in moves {
            self.add_one(*entry);
        }
    }

    fn add_one(&mut self, entry: Move) {
        if let Some(book) = self.balances.get_mut(entry.book.index()) {
            *book = book.moved(entry).unwrap_or(*book);
        }
        self.count_move(entry);
    }

    /// Keeps the table among the adopted ones. A print that returns no more than the wager needs no adoption.
    fn adopt(&mut self, table: &AdoptedTable) {
        let adopted = Arc::make_mut(&mut self.adopted);
        adopted.retain(|known| known.table != table.table);
        if table.reading.is_some() || table.returns.exceeds_wager() {
            adopted.push(table.clone());
            adopted.sort_by(|one, other| one.table.cmp(&other.table));
        }
    }

    fn end_proposal(&mut self, proposal: crate::ids::ProposalId) {
        Arc::make_mut(&mut self.proposals).retain(|waiting| waiting.propose.proposal != proposal);
    }
}
