//! What the journal says of a closed round: the evidence for a winner found after GAME OVER (figure R).
//!
//! # Shape
//! The round's commands from its coin-in to its GAME OVER; the amounts that the signs showed right after that; the
//! newest hit of the link then. Carried in the command, so that the rules decide on it alone.
//!
//! # Limits
//! The commands of one round, refused ones included, in pages of [`TABLE_EVENTS_MAX`]; the notable events from its
//! GAME OVER to the next hit of the link.

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
use meterhouse_store::{HAPPENINGS_MAX, Position, TABLE_EVENTS_MAX};

use crate::answer::{Denied, damaged, unavailable};
use crate::committer::published_state::StateAt;
use crate::committer::replay::outcomes_of;
use crate::context::Engine;
use crate::stored_rows::{event_of, stands};

/// Which winner.
pub(crate) struct Winner {
    pub(crate) table: TableName,
    pub(crate) round: Sequence,
    pub(crate) holder: Holder,
    pub(crate) hand: Hand,
    pub(crate) cards: Option<Vec<Card>>,
}

/// What a round's own commands say.
struct Played {
    coin_in: CoinInAccepted,
    folded: SeatSet,
    /// Its hits on the winner's hand.
    hits: Vec<HitId>,
    /// Its GAME OVER.
    close: Position,
}

impl Engine {
    /// A late hit with what the journal says of its round.
    pub(crate) async fn late_hit(
        &self,
        link: LinkId,
        known: &StateAt,
        winner: Winner,
    ) -> Result<LateHit, Denied> {
        let table = known.state.table_no(&winner.table);
        let table = table.ok_or_else(|| Denied::UnknownTable(winner.table.to_string()))?;
        let open = known.state.table(table).and_then(|it| it.round.as_ref());
        if open.is_some_and(|round| round.sequence == winner.round) {
            return Err(refused(RefusalCode::RoundStillOpen, winner.round));
        }
        let played = self
            .played(link, table, winner.round, winner.holder)
            .await?;
        let displayed = self.displayed_at(link, known, played.close).await?;
        Ok(LateHit {
            table,
            round: winner.round,
            holder: winner.holder,
            hand: winner.hand,
            cards: winner.cards,
            own: played.coin_in.own,
            dealer: played.coin_in.dealer,
            folded: played.folded,
            players: played.coin_in.players,
            displayed,
            order_at_close: self.order_at(link, known, played.close).await?,
            stood: self
                .stood(link, table, winner.round, winner.holder, &played.hits)
                .await?,
        })
    }

    /// The round from its coin-in to its GAME OVER.
    async fn played(
        &self,
        link: LinkId,
        table: TableNo,
        round: Sequence,
        holder: Holder,
    ) -> Result<Played, Denied> {
        let mut played: Option<Played> = None;
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
                let Some(it) = &mut played else {
                    let Event::CoinInAccepted(coin_in) = event else {
                        return Err(refused(RefusalCode::NoRound, round));
                    };
                    played = Some(Played {
                        coin_in,
                        folded: SeatSet::EMPTY,
                        hits: Vec::new(),
                        close: happening.place,
                    });
                    continue;
                };
                match event {
                    Event::SeatsFolded { seats } => it.folded = it.folded.union(seats),
                    Event::HitRecorded(hit) if is_same_hand(&hit, holder) => it.hits.push(id(0)),
                    Event::RoundSettled { hits, .. } => {
                        let hits = (1..).zip(&hits);
                        let same = hits.filter(|(_, hit)| is_same_hand(hit, holder));
                        it.hits.extend(same.map(|(number, _)| id(number)));
                    }
                    Event::RoundClosed { .. } => {
                        it.close = happening.place;
                        return played.ok_or(Denied::DatabaseUnavailable);
                    }
                    // All its wagers went back: nobody won.
                    Event::RoundVoided { .. } => {
                        return Err(refused(RefusalCode::NoRound, round));
                    }
                    _ => {}
                }
            }
            if page.is_empty() {
                // It has no end: it is open, or there never was one.
                let code = match played {
                    Some(_) => RefusalCode::RoundStillOpen,
                    None => RefusalCode::NoRound,
                };
                return Err(refused(code, round));
            }
            from = Sequence(from.0.saturating_add(TABLE_EVENTS_MAX));
        }
    }

    /// What the signs showed right after an event.
    async fn displayed_at(
        &self,
        link: LinkId,
        known: &StateAt,
        place: Position,
    ) -> Result<Vec<Money>, Denied> {
        let stored = self.context.store.batch(link, place.batch).await;
        let stored = stored.map_err(unavailable)?.ok_or_else(|| {
            let batch = place.batch;
            damaged(&format!("batch {batch} is missing"))
        })?;
        let outcomes = outcomes_of(&known.state, &stored).map_err(|what| damaged(&what))?;
        let mut outcomes = outcomes.iter();
        let outcome = outcomes.find(|outcome| outcome.position == place.position);
        let outcome = outcome.ok_or_else(|| {
            let batch = place.batch;
            damaged(&format!("batch {batch}: no such event"))
        })?;
        Ok(outcome.displayed.amounts().to_vec())
    }

    /// The newest hit of the link at a place: the one before the first behind it. Places of hits have no gaps.
    async fn order_at(
        &self,
        link: LinkId,
        known: &StateAt,
        place: Position,
    ) -> Result<HitOrder, Denied> {
        let mut after = place;
        loop {
            let store = &self.context.store;
            let page = store.happenings(link, after, known.batch, HAPPENINGS_MAX);
            let page = page.await.map_err(unavailable)?;
            for happening in &page {
                if let Some(next) = first_order(&event_of(happening)?) {
                    return Ok(HitOrder(next.0.saturating_sub(1)));
                }
            }
            match page.last() {
                Some(last) if page.len() == HAPPENINGS_MAX => after = last.place,
                Some(_) | None => return Ok(known.state.last_order),
            }
        }
    }

    /// Whether a hit on the winner's hand stands in the round, or was late before.
    async fn stood(
        &self,
        link: LinkId,
        table: TableNo,
        round: Sequence,
        holder: Holder,
        hits: &[HitId],
    ) -> Result<bool, Denied> {
        let store = &self.context.store;
        for hit in hits {
            let found = store.find_hit(link, *hit).await.map_err(unavailable)?;
            if found.is_some_and(|it| stands(it.hit.state)) {
                return Ok(true);
            }
        }
        // One a holder: fifteen seats and the dealer.
        for number in 1..=SEATS_MAX + 1 {
            let late = HitId {
                table,
                sequence: round,
                number,
            };
            let found = store.find_hit(link, late).await.map_err(unavailable)?;
            // Withdrawn or not: its name is used up.
            if found.is_some_and(|it| holder_of(&it.hit) == holder) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A line or envy of this holder: what a winner's hand is paid for once.
fn is_same_hand(hit: &HitRecorded, holder: Holder) -> bool {
    hit.holder == holder && matches!(hit.kind, HitKind::Line | HitKind::Envy)
}

fn holder_of(row: &HitRow) -> Holder {
    row.seat
        .map_or(Holder::Dealer, |seat| Holder::Seat(Seat(seat)))
}

/// The place of the first hit that an event records.
fn first_order(event: &Event) -> Option<HitOrder> {
    match event {
        Event::HitRecorded(hit) => Some(hit.order),
        Event::RoundSettled { hits, .. } => hits.first().map(|hit| hit.order),
        Event::ChangeApproved { effect, .. } => match effect.as_ref() {
            Effect::LateHitRecorded { recorded, .. } => Some(recorded.order),
            Effect::Corrected { .. }
            | Effect::Adjusted { .. }
            | Effect::FaultCleared { .. }
            | Effect::ReturnsAcknowledged => None,
        },
        _ => None,
    }
}

fn refused(code: RefusalCode, round: Sequence) -> Denied {
    Denied::Refused(Refusal::new(code).with("round", round))
}
