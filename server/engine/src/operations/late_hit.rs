//! The evidence for a late hit, a winner found after GAME OVER, from the journal of its closed round (figure R).
//!
//! # Shape
//! The evidence contains the round's commands from its coin-in to its GAME OVER. The displayed amounts and the newest
//! hit of the link right after GAME OVER belong to it too. The command carries the evidence, so that the rules need
//! nothing else.
//!
//! # Limits
//! The commands of one round, including refused ones, in pages of [`TABLE_EVENTS_MAX`]; the notable events from its
//! GAME OVER to the link's next hit.

use meterhouse_domain::card::Card;
use meterhouse_domain::change::{Effect, LateHit};
use meterhouse_domain::command::Holder;
use meterhouse_domain::event::{CoinInAccepted, Event, HitKind, HitRecorded};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{HitId, HitOrder, LinkId, Sequence, TableName, TableNo};
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::seat::{SEATS_MAX, Seat, SeatSet};
use meterhouse_journal::hit::HitRow;
use meterhouse_journal::position::Position;
use meterhouse_store::{NOTABLE_MAX, TABLE_EVENTS_MAX};

use crate::answer::{NotExecuted, damaged, unavailable};
use crate::committer::published_state::StateAt;
use crate::committer::replay::outcomes_of;
use crate::context::Engine;
use crate::stored_rows::{event_of, stands};

/// The round and the hand of the winner.
pub(crate) struct Winner {
    pub(crate) table: TableName,
    pub(crate) round: Sequence,
    pub(crate) holder: Holder,
    pub(crate) hand: Hand,
    pub(crate) cards: Option<Vec<Card>>,
}

/// A closed round, read from its own commands.
struct ClosedRound {
    coin_in: CoinInAccepted,
    folded: SeatSet,
    /// The hits on the winner's hand.
    hits: Vec<HitId>,
    /// The position of GAME OVER.
    close: Position,
}

impl Engine {
    /// Returns a late hit with the evidence from the journal.
    pub(crate) async fn late_hit(
        &self,
        link: LinkId,
        known: &StateAt,
        winner: Winner,
    ) -> Result<LateHit, NotExecuted> {
        let table = known.state.table_no(&winner.table);
        let table = table.ok_or_else(|| NotExecuted::UnknownTable(winner.table.to_string()))?;
        let state = known.state.table(table);
        // A number that was not used yet is in no archived month either.
        if state.is_some_and(|table| winner.round > table.last_sequence) {
            return Err(refused(RefusalCode::NoRound, winner.round));
        }
        let open = state.and_then(|table| table.round.as_ref());
        if open.is_some_and(|round| round.sequence == winner.round) {
            return Err(refused(RefusalCode::RoundStillOpen, winner.round));
        }
        let closed = self
            .closed_round(link, table, winner.round, winner.holder)
            .await?;
        let displayed = self.displayed_at(link, known, closed.close).await?;
        Ok(LateHit {
            table,
            round: winner.round,
            holder: winner.holder,
            hand: winner.hand,
            cards: winner.cards,
            own: closed.coin_in.own,
            dealer: closed.coin_in.dealer,
            folded: closed.folded,
            players: closed.coin_in.players,
            displayed,
            order_at_close: self.order_at(link, known, closed.close).await?,
            stood: self
                .stood(link, table, winner.round, winner.holder, &closed.hits)
                .await?,
        })
    }

    /// Reads the round from its coin-in to its GAME OVER.
    async fn closed_round(
        &self,
        link: LinkId,
        table: TableNo,
        round: Sequence,
        holder: Holder,
    ) -> Result<ClosedRound, NotExecuted> {
        let mut closed: Option<ClosedRound> = None;
        let mut from = round;
        loop {
            let store = &self.context.store;
            let page = store.table_events(link, table, from, TABLE_EVENTS_MAX);
            let page = page.await.map_err(unavailable)?;
            for happening in &page {
                let event = event_of(happening)?;
                let sequence = happening.event.sequence.map(Sequence);
                let id = |number| HitId {
                    table,
                    sequence: sequence.unwrap_or(round),
                    number,
                };
                let Some(read) = &mut closed else {
                    let Event::CoinInAccepted(coin_in) = event else {
                        return Err(refused(RefusalCode::NoRound, round));
                    };
                    closed = Some(ClosedRound {
                        coin_in,
                        folded: SeatSet::EMPTY,
                        hits: Vec::new(),
                        close: happening.position,
                    });
                    continue;
                };
                match event {
                    Event::SeatsFolded { seats } => read.folded = read.folded.union(seats),
                    Event::HitRecorded(hit) if is_same_hand(&hit, holder) => read.hits.push(id(0)),
                    Event::RoundSettled { hits, .. } => {
                        let hits = (1..).zip(&hits);
                        let same = hits.filter(|(_, hit)| is_same_hand(hit, holder));
                        read.hits.extend(same.map(|(number, _)| id(number)));
                    }
                    Event::RoundClosed { .. } => {
                        read.close = happening.position;
                        return closed.ok_or(NotExecuted::DatabaseUnavailable);
                    }
                    // All wagers of the round were returned, so it has no winner.
                    Event::RoundVoided { .. } => {
                        return Err(refused(RefusalCode::NoRound, round));
                    }
                    _ => {}
                }
            }
            if page.is_empty() {
                // The round is open, or there is no such round.
                let code = match closed {
                    Some(_) => RefusalCode::RoundStillOpen,
                    None => RefusalCode::NoRound,
                };
                return Err(refused(code, round));
            }
            from = Sequence(from.0.saturating_add(TABLE_EVENTS_MAX));
        }
    }

    /// Returns the displayed amounts right after an event.
    async fn displayed_at(
        &self,
        link: LinkId,
        known: &StateAt,
        at: Position,
    ) -> Result<Vec<Money>, NotExecuted> {
        let stored = self.context.store.batch(link, at.batch).await;
        let stored = stored.map_err(unavailable)?.ok_or_else(|| {
            let batch = at.batch;
            damaged(&format!("batch {batch} is missing"))
        })?;
        let outcomes = outcomes_of(&known.state, &stored).map_err(|what| damaged(&what))?;
        let mut outcomes = outcomes.iter();
        let outcome = outcomes.find(|outcome| outcome.position == at.index);
        let outcome = outcome.ok_or_else(|| {
            let batch = at.batch;
            damaged(&format!("batch {batch}: no such event"))
        })?;
        Ok(outcome.displayed.amounts().to_vec())
    }

    /// Returns the newest hit order of the link at a position: the one before the next hit's. Hit orders have no gaps.
    async fn order_at(
        &self,
        link: LinkId,
        known: &StateAt,
        at: Position,
    ) -> Result<HitOrder, NotExecuted> {
        let mut after = at;
        loop {
            let store = &self.context.store;
            let page = store.notable_after(link, after, known.batch, NOTABLE_MAX);
            let page = page.await.map_err(unavailable)?;
            for happening in &page {
                if let Some(next) = first_order(&event_of(happening)?) {
                    return Ok(HitOrder(next.0.saturating_sub(1)));
                }
            }
            match page.last() {
                Some(last) if page.len() == NOTABLE_MAX => after = last.position,
                Some(_) | None => return Ok(known.state.last_order),
            }
        }
    }

    /// Returns `true` if a hit on the winner's hand stands in the round, or was recorded late before.
    async fn stood(
        &self,
        link: LinkId,
        table: TableNo,
        round: Sequence,
        holder: Holder,
        hits: &[HitId],
    ) -> Result<bool, NotExecuted> {
        let store = &self.context.store;
        for hit in hits {
            let found = store.find_hit(link, *hit).await.map_err(unavailable)?;
            if found.is_some_and(|found| stands(found.hit.state)) {
                return Ok(true);
            }
        }
        // At most one late hit per holder: fifteen seats and the dealer.
        for number in 1..=SEATS_MAX + 1 {
            let late = HitId {
                table,
                sequence: round,
                number,
            };
            let found = store.find_hit(link, late).await.map_err(unavailable)?;
            // Even a withdrawn late hit has used up its name.
            if found.is_some_and(|found| holder_of(&found.hit) == holder) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns `true` for a line or envy of this holder, which a winner's hand is paid once.
fn is_same_hand(hit: &HitRecorded, holder: Holder) -> bool {
    hit.holder == holder && matches!(hit.kind, HitKind::Line | HitKind::Envy)
}

fn holder_of(row: &HitRow) -> Holder {
    row.seat
        .map_or(Holder::Dealer, |seat| Holder::Seat(Seat(seat)))
}

/// Returns the order of the first hit that an event records.
fn first_order(event: &Event) -> Option<HitOrder> {
    match event {
        Event::HitRecorded(hit) => Some(hit.order),
        Event::RoundSettled { hits, .. } => hits.first().map(|hit| hit.order),
        Event::ChangeApproved { effect, .. } => match effect.as_ref() {
            Effect::LateHitRecorded { recorded, .. } => Some(recorded.order),
            Effect::Corrected { .. }
            | Effect::Adjusted { .. }
            | Effect::FaultCleared { .. }
            | Effect::ReturnsAcknowledged
            | Effect::TableAdopted { .. } => None,
        },
        _ => None,
    }
}

fn refused(code: RefusalCode, round: Sequence) -> NotExecuted {
    NotExecuted::Refused(Refusal::new(code).with("round", round))
}
