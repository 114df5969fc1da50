//! What displays are told of an event of the journal.
//!
//! # Order
//! A hit's row may be further than the event that is told of: what else became of it has an event of its own. What
//! was drawn for a round is told to its table alone.

use meterhouse_domain::change::{Effect, Resettled};
use meterhouse_domain::event::{Event, Payout, PayoutKind, Recorded};
use meterhouse_domain::ids::{HitId, LinkId, TableNo, Timestamp};
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_domain::state::Table;
use meterhouse_journal::hit::{HitRow, HitState, PayoutRow, project};
use meterhouse_journal::record::from_row;
use meterhouse_store::{FoundHit, Happening, Store};

use crate::answer::{Denied, unavailable};
use crate::feed::item::FeedEvent;
use crate::queries::checked_hits::HitReader;
use crate::registry::link_registry::LinkRegistry;
use crate::view::{HitName, HitView, LinkWord, Place, TableStatus, public_reason};

/// Where and when an event happened.
struct Scene<'a> {
    store: &'a Store,
    registry: &'a LinkRegistry,
    link: LinkId,
    terms: &'a LinkTerms,
    place: Place,
    at: Timestamp,
}

/// What displays are told of one event, in order.
pub(crate) async fn happenings(
    store: &Store,
    registry: &LinkRegistry,
    link: LinkId,
    terms: &LinkTerms,
    happening: &Happening,
) -> Result<Vec<FeedEvent>, Denied> {
    let place = Place {
        batch: happening.place.batch,
        position: happening.place.position,
    };
    let recorded = from_row(&happening.event).map_err(|error| Denied::LinkFaulted {
        reason: format!("the journal is damaged: batch {}: {error}", place.batch),
    })?;
    let scene = Scene {
        store,
        registry,
        link,
        terms,
        place,
        at: happening.at,
    };
    scene.events(&recorded).await
}

impl Scene<'_> {
    async fn events(&self, recorded: &Recorded) -> Result<Vec<FeedEvent>, Denied> {
        match &recorded.event {
            Event::HitRecorded(_) | Event::RoundSettled { .. } => self.keyed(recorded).await,
            Event::HitValidated { hit, .. } => self.changed(&[*hit], HitState::Validated).await,
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
                Effect::LateHitRecorded { .. } => self.keyed(recorded).await,
                // The amounts say the one, the link's state the other.
                Effect::Adjusted { .. }
                | Effect::FaultCleared { .. }
                | Effect::ReturnsAcknowledged => Ok(Vec::new()),
            },
            Event::LinkFaulted { reason } => {
                let reason = public_reason(reason);
                Ok(vec![self.link_state(LinkWord::Faulted, Some(reason))])
            }
            Event::LinkSuspended { reason } => Ok(vec![
                self.link_state(LinkWord::Suspended, Some(reason.as_str())),
            ]),
            Event::LinkOpened { .. } | Event::LinkResumed => {
                Ok(vec![self.link_state(LinkWord::Open, None)])
            }
            // One that never sent a heartbeat is not shown as lost: `TableStatus::of`.
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

    async fn find(&self, hit: HitId) -> Result<Option<FoundHit>, Denied> {
        let found = self.store.find_hit(self.link, hit).await;
        found.map_err(unavailable)
    }

    /// A hit as the journal has it, for what shows the amounts of its row.
    async fn find_checked(&self, hit: HitId) -> Result<Option<FoundHit>, Denied> {
        let found = self.find(hit).await?;
        let reader = HitReader {
            store: self.store,
            registry: self.registry,
        };
        let mut checked = reader.check(found.into_iter().collect()).await?;
        Ok(checked.pop())
    }

    /// Hits as they were keyed; their rows may be further by now.
    async fn keyed(&self, recorded: &Recorded) -> Result<Vec<FeedEvent>, Denied> {
        let mut events = Vec::new();
        for row in project(self.at, recorded, &mut |_| None).unwrap_or_default() {
            let Some(found) = self.find(row.id()).await? else {
                continue;
            };
            let Ok(table) = found.table_name.parse() else {
                continue;
            };
            let levels = &self.terms.content().levels;
            let level = row.level.and_then(|it| levels.get(usize::from(it)));
            let hit = Box::new(HitView {
                link: self.terms.name.clone(),
                table,
                level: level.map(|it| it.name.clone()),
                paid_by: vec![None; row.payouts.len()],
                row,
            });
            events.push(FeedEvent::Hit {
                place: self.place,
                at: self.at,
                hit,
            });
        }
        Ok(events)
    }

    async fn changed(&self, hits: &[HitId], state: HitState) -> Result<Vec<FeedEvent>, Denied> {
        let mut events = Vec::new();
        for hit in hits {
            if let Some(found) = self.find(*hit).await? {
                events.push(self.hit_changed(&found, state, None));
            }
        }
        Ok(events)
    }

    /// A hit that was undone, and those that have other amounts without it.
    async fn undone(
        &self,
        hit: HitId,
        state: HitState,
        resettled: &[Resettled],
    ) -> Result<Vec<FeedEvent>, Denied> {
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

    /// How a hit stood right after it got new amounts: its row may be further.
    fn resettled_state(&self, new: &Resettled, row: &HitRow) -> HitState {
        let was_decided = row.decided_at.is_some_and(|decided| decided <= self.at.0);
        let is_supplement = |it: &Payout| it.kind == PayoutKind::Supplement;
        if new.back_to_pending || !was_decided {
            HitState::Pending
        } else if new.payouts.iter().any(is_supplement) {
            HitState::Validated
        } else {
            row.state
        }
    }

    /// A payout that was documented, and its hit where nothing is left to pay. The row may be further than the
    /// event: what else was paid at this moment has an event of its own, and the last of them tells of the hit.
    async fn documented(&self, hit: HitId, number: u32) -> Result<Vec<FeedEvent>, Denied> {
        let Some(found) = self.find_checked(hit).await? else {
            return Ok(Vec::new());
        };
        let mut events = Vec::new();
        for payout in self.now_paid(&found.hit).filter(|it| it.number == number) {
            events.push(self.paid(&found, payout));
        }
        let now_paid = self.now_paid(&found.hit);
        let last = now_paid.max_by_key(|it| (it.document.is_none(), it.number));
        let is_last = last.is_some_and(|it| it.document.is_some() && it.number == number);
        if is_last && all_paid_by(&found.hit, self.at) {
            events.push(self.hit_changed(&found, HitState::Paid, None));
        }
        Ok(events)
    }

    /// What GAME OVER paid without a document, and the hits that are paid with it.
    async fn handed_over(&self, hits: &[HitId]) -> Result<Vec<FeedEvent>, Denied> {
        let mut events = Vec::new();
        for hit in hits {
            let Some(found) = self.find_checked(*hit).await? else {
                continue;
            };
            let handed_over = self.now_paid(&found.hit);
            let handed_over = handed_over.filter(|it| it.document.is_none());
            events.extend(handed_over.map(|payout| self.paid(&found, payout)));
            if all_paid_by(&found.hit, self.at) {
                events.push(self.hit_changed(&found, HitState::Paid, None));
            }
        }
        Ok(events)
    }

    /// Payouts that were paid at this moment.
    fn now_paid<'r>(&self, hit: &'r HitRow) -> impl Iterator<Item = &'r PayoutRow> {
        let now = self.at.0;
        hit.payouts.iter().filter(move |it| it.paid_at == Some(now))
    }

    fn paid(&self, found: &FoundHit, payout: &PayoutRow) -> FeedEvent {
        FeedEvent::Paid {
            place: self.place,
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
            place: self.place,
            at: self.at,
            hit: named(found),
            state: Some(state),
            resettled,
        }
    }

    /// A state that an event says by itself; what follows from several is told by the feed's own look at the link.
    fn link_state(&self, state: LinkWord, reason: Option<&str>) -> FeedEvent {
        FeedEvent::LinkState {
            place: self.place,
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
    ) -> Result<Vec<FeedEvent>, Denied> {
        let known = self.registry.known_at(self.link, self.place.batch).await?;
        let found = known.state.table(table);
        let event = |table: &Table| FeedEvent::TableState {
            place: self.place,
            at: self.at,
            table: table.name.clone(),
            status: match (status, TableStatus::of(table)) {
                // A disabled table stays so when it is heard again, and an enabled one may be lost.
                (_, now @ (TableStatus::Disabled | TableStatus::Left))
                | (TableStatus::InService, now) => now,
                (told, _) => told,
            },
        };
        Ok(found.map(event).into_iter().collect())
    }
}

/// A hit as people write it.
fn named(found: &FoundHit) -> String {
    match found.table_name.parse() {
        Ok(table) => HitName::of(&table, found.hit.id()).to_string(),
        // A stored name that is no name can't have been written by us.
        Err(_) => String::new(),
    }
}

fn all_paid_by(hit: &HitRow, at: Timestamp) -> bool {
    hit.payouts
        .iter()
        .all(|payout| payout.paid_at.is_some_and(|paid| paid <= at.0))
}
