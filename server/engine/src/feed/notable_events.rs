//! The messages for displays of one event of the journal.
//!
//! # Order
//! A hit's row may be newer than the event. Later changes of the hit have events of their own. Draws of a round are
//! sent to its table only.

use meterhouse_domain::card::Card;
use meterhouse_domain::change::{Effect, Resettled};
use meterhouse_domain::event::{Event, Payout, PayoutKind, Recorded};
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{HitId, LinkId, TableName, TableNo, Timestamp};
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_domain::state::Table;
use meterhouse_journal::hit::{HitRow, HitState, PayoutRow, project};
use meterhouse_journal::position::Position;
use meterhouse_journal::record::from_row;
use meterhouse_store::{FoundHit, PositionedEvent, Store};

use crate::answer::{NotExecuted, unavailable};
use crate::feed::item::FeedEvent;
use crate::queries::checked_hits::HitReader;
use crate::registry::link_registry::LinkRegistry;
use crate::view::{HitView, LinkStatus, TableStatus, public_reason};

/// The event with its time and position.
struct EventContext<'a> {
    store: &'a Store,
    registry: &'a LinkRegistry,
    link: LinkId,
    terms: &'a LinkTerms,
    position: Position,
    at: Timestamp,
}

/// Returns the messages for displays of one event, in order.
pub(crate) async fn messages_of(
    store: &Store,
    registry: &LinkRegistry,
    link: LinkId,
    terms: &LinkTerms,
    notable: &PositionedEvent,
) -> Result<Vec<FeedEvent>, NotExecuted> {
    let position = Position {
        batch: notable.position.batch,
        index: notable.position.index,
    };
    let recorded = from_row(&notable.event).map_err(|error| NotExecuted::LinkFaulted {
        reason: format!("the journal is damaged: batch {}: {error}", position.batch),
    })?;
    let context = EventContext {
        store,
        registry,
        link,
        terms,
        position,
        at: notable.at,
    };
    context.events(&recorded).await
}

impl EventContext<'_> {
    async fn events(&self, recorded: &Recorded) -> Result<Vec<FeedEvent>, NotExecuted> {
        match &recorded.event {
            Event::HitRecorded(_) | Event::RoundSettled { .. } => self.entered(recorded).await,
            Event::HitValidated { hit, cards, .. } => self.validated(*hit, cards.clone()).await,
            Event::HitCancelled { hit, .. } => self.changed(&[*hit], HitState::Cancelled).await,
            Event::HitRejected { hit, resettled, .. } => {
                self.undone(*hit, HitState::Rejected, resettled).await
            }
            Event::PayoutPaid { hit, number, .. } => self.documented(*hit, *number).await,
            Event::RoundClosed { hits, .. } => self.handed_over(hits).await,
            Event::RoundVoided { hits, .. } => self.changed(hits, HitState::Void).await,
            Event::ChangeApproved { effect, .. } => match effect.as_ref() {
                Effect::Corrected { hit, resettled } => {
                    self.undone(*hit, HitState::Withdrawn, resettled).await
                }
                Effect::LateHitRecorded { .. } => self.entered(recorded).await,
                // An adjustment shows in the amounts. A cleared fault shows in the link's status.
                Effect::Adjusted { .. }
                | Effect::FaultCleared { .. }
                | Effect::ReturnsAcknowledged
                | Effect::TableAdopted { .. } => Ok(Vec::new()),
            },
            Event::LinkFaulted { reason } => {
                let reason = public_reason(reason);
                Ok(vec![self.link_state(LinkStatus::Faulted, Some(reason))])
            }
            Event::LinkSuspended { reason } => Ok(vec![
                self.link_state(LinkStatus::Suspended, Some(reason.as_str())),
            ]),
            Event::LinkOpened { .. } | Event::LinkResumed => {
                Ok(vec![self.link_state(LinkStatus::Open, None)])
            }
            // A table that never sent a heartbeat is not shown as lost: `TableStatus::of`.
            Event::TableLost {
                table,
                must_resume: true,
                ..
            } => self.table_state(*table, TableStatus::Lost).await,
            Event::TableBack { table } | Event::TableEnabled { table } => {
                self.table_state(*table, TableStatus::InService).await
            }
            Event::TableDisabled { table, .. } => {
                self.table_state(*table, TableStatus::Disabled).await
            }
            Event::TableLeft { table, .. } => self.table_state(*table, TableStatus::Left).await,
            Event::TableJoined(_)
            | Event::ValuesAccepted { .. }
            | Event::TableLost { .. }
            | Event::CoinInAccepted(_)
            | Event::ChipsCounted { .. }
            | Event::SeatsFolded { .. }
            | Event::LevelDisabled { .. }
            | Event::LevelEnabled { .. }
            | Event::ChangeProposed { .. }
            | Event::ChangeDeclined { .. }
            | Event::Refused { .. } => Ok(Vec::new()),
        }
    }

    async fn find(&self, hit: HitId) -> Result<Option<FoundHit>, NotExecuted> {
        let found = self.store.find_hit(self.link, hit).await;
        found.map_err(unavailable)
    }

    /// Returns a hit that was compared with the journal, if there is one. Required if amounts of its row are sent.
    async fn find_checked(&self, hit: HitId) -> Result<Option<FoundHit>, NotExecuted> {
        let found = self.find(hit).await?;
        let reader = HitReader {
            store: self.store,
            registry: self.registry,
        };
        let mut checked = reader.check(found.into_iter().collect()).await?;
        Ok(checked.pop())
    }

    /// Returns the hits that an event recorded, as entered. The stored rows may be newer.
    async fn entered(&self, recorded: &Recorded) -> Result<Vec<FeedEvent>, NotExecuted> {
        let mut events = Vec::new();
        for row in project(self.at, recorded, &mut |_| None).unwrap_or_default() {
            let Some(found) = self.find(row.id()).await? else {
                continue;
            };
            let Ok(table) = found.table_name.parse() else {
                continue;
            };
            let levels = &self.terms.content().levels;
            let level = row.level.and_then(|level| levels.get(usize::from(level)));
            let level = level.map(|level| level.name.clone());
            let hit = HitView::new(self.terms.name.clone(), table, level, row)?;
            events.push(FeedEvent::Hit {
                position: self.position,
                at: self.at,
                hit: Box::new(hit),
            });
        }
        Ok(events)
    }

    /// Returns a validated hit, with the cards that the supervisor saw.
    async fn validated(
        &self,
        hit: HitId,
        seen: Option<Vec<Card>>,
    ) -> Result<Vec<FeedEvent>, NotExecuted> {
        let mut events = self.changed(&[hit], HitState::Validated).await?;
        for event in &mut events {
            if let FeedEvent::HitChanged { cards, .. } = event {
                cards.clone_from(&seen);
            }
        }
        Ok(events)
    }

    async fn changed(
        &self,
        hits: &[HitId],
        state: HitState,
    ) -> Result<Vec<FeedEvent>, NotExecuted> {
        let mut events = Vec::new();
        for hit in hits {
            if let Some(found) = self.find(*hit).await? {
                events.push(self.hit_changed(&found, state, None));
            }
        }
        Ok(events)
    }

    /// Returns an undone hit, and the later hits that got other amounts.
    async fn undone(
        &self,
        hit: HitId,
        state: HitState,
        resettled: &[Resettled],
    ) -> Result<Vec<FeedEvent>, NotExecuted> {
        let mut events = self.changed(&[hit], state).await?;
        for new in resettled {
            let Some(found) = self.find(new.hit).await? else {
                continue;
            };
            let state = self.resettled_state(new, &found.hit);
            let amounts = new.payouts.iter().map(|payout| payout.amount);
            let due = amounts.fold(Money::ZERO, |due, amount| due.plus(amount).unwrap_or(due));
            events.push(self.hit_changed(&found, state, Some(due)));
        }
        Ok(events)
    }

    /// Returns the state of a hit right after it got new amounts. The stored row may be newer.
    fn resettled_state(&self, new: &Resettled, row: &HitRow) -> HitState {
        let was_decided = row.decided_at.is_some_and(|decided| decided <= self.at.0);
        let is_supplement = |payout: &Payout| payout.kind == PayoutKind::Supplement;
        if new.back_to_pending || !was_decided {
            HitState::Pending
        } else if new.payouts.iter().any(is_supplement) {
            HitState::Validated
        } else {
            row.state
        }
    }

    /// Returns a documented payout, and its hit if nothing is left to pay. Other payouts at the same time have events
    /// of their own. The last of those events contains the hit.
    async fn documented(&self, hit: HitId, number: u32) -> Result<Vec<FeedEvent>, NotExecuted> {
        let Some(found) = self.find_checked(hit).await? else {
            return Ok(Vec::new());
        };
        let mut events = Vec::new();
        for payout in self
            .now_paid(&found.hit)
            .filter(|payout| payout.number == number)
        {
            events.push(self.paid(&found, payout));
        }
        let now_paid = self.now_paid(&found.hit);
        let last = now_paid.max_by_key(|payout| (payout.document.is_none(), payout.number));
        let is_last =
            last.is_some_and(|payout| payout.document.is_some() && payout.number == number);
        if is_last && all_paid_by(&found.hit, self.at) {
            events.push(self.hit_changed(&found, HitState::Paid, None));
        }
        Ok(events)
    }

    /// Returns the payouts that GAME OVER handed over without a document, and the hits that are paid by them.
    async fn handed_over(&self, hits: &[HitId]) -> Result<Vec<FeedEvent>, NotExecuted> {
        let mut events = Vec::new();
        for hit in hits {
            let Some(found) = self.find_checked(*hit).await? else {
                continue;
            };
            let handed_over = self.now_paid(&found.hit);
            let handed_over = handed_over.filter(|payout| payout.document.is_none());
            events.extend(handed_over.map(|payout| self.paid(&found, payout)));
            if all_paid_by(&found.hit, self.at) {
                events.push(self.hit_changed(&found, HitState::Paid, None));
            }
        }
        Ok(events)
    }

    /// Returns the payouts of a hit that were paid at the time of the event.
    fn now_paid<'r>(&self, hit: &'r HitRow) -> impl Iterator<Item = &'r PayoutRow> {
        let now = self.at.0;
        hit.payouts
            .iter()
            .filter(move |payout| payout.paid_at == Some(now))
    }

    fn paid(&self, found: &FoundHit, payout: &PayoutRow) -> FeedEvent {
        FeedEvent::Paid {
            position: self.position,
            at: self.at,
            hit: named(found),
            payout: payout.number,
            amount: Money::from_micros(payout.amount),
        }
    }

    fn hit_changed(
        &self,
        found: &FoundHit,
        state: HitState,
        resettled: Option<Money>,
    ) -> FeedEvent {
        FeedEvent::HitChanged {
            position: self.position,
            at: self.at,
            hit: named(found),
            state: Some(state),
            due: resettled,
            cards: None,
        }
    }

    /// Returns a state that the event itself contains. States that follow from several events are found by comparison
    /// ([`DisplayedStatus`](super::displayed_status::DisplayedStatus)).
    fn link_state(&self, state: LinkStatus, reason: Option<&str>) -> FeedEvent {
        FeedEvent::LinkState {
            position: self.position,
            at: self.at,
            state,
            reason: reason.map(str::to_owned),
            disabled: None,
        }
    }

    async fn table_state(
        &self,
        table: TableNo,
        status: TableStatus,
    ) -> Result<Vec<FeedEvent>, NotExecuted> {
        let known = self
            .registry
            .known_at(self.link, self.position.batch)
            .await?;
        let found = known.state.table(table);
        let event = |table: &Table| FeedEvent::TableState {
            position: self.position,
            at: self.at,
            table: table.name.clone(),
            status: match (status, TableStatus::of(table)) {
                // A disabled table stays disabled after a heartbeat. An enabled table may still be lost.
                (_, now @ (TableStatus::Disabled | TableStatus::Left))
                | (TableStatus::InService, now) => now,
                (event, _) => event,
            },
        };
        Ok(found.map(event).into_iter().collect())
    }
}

/// Returns the name of a hit.
fn named(found: &FoundHit) -> HitName {
    let id = found.hit.id();
    // The server never stores an invalid name.
    let table = found.table_name.parse();
    let table = table.unwrap_or_else(|_| TableName::of_number(id.table));
    HitName::of(&table, id)
}

fn all_paid_by(hit: &HitRow, at: Timestamp) -> bool {
    hit.payouts
        .iter()
        .all(|payout| payout.paid_at.is_some_and(|paid| paid <= at.0))
}
