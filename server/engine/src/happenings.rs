//! What displays are told of an event of the journal.

use meterhouse_domain::event::{Event, Recorded};
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_domain::name::{HitId, LinkId, Sequence, TableNo, Timestamp};
use meterhouse_journal::hit::{HitRow, HitState, PayoutRow, project};
use meterhouse_journal::record::from_row;
use meterhouse_store::{FoundHit, Happening, Store};

use crate::answer::Denied;
use crate::feed_item::FeedEvent;
use crate::house::unavailable;
use crate::view::{HitView, Place};

/// Where and when an event happened.
struct Scene<'a> {
    store: &'a Store,
    link: LinkId,
    terms: &'a LinkTerms,
    place: Place,
    at: Timestamp,
}

/// What displays are told of one event, in order.
pub(crate) async fn happenings(
    store: &Store,
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
        link,
        terms,
        place,
        at: happening.at,
    };
    let table = happening.event.table.map(TableNo);
    let own = |hits: &[Sequence]| -> Vec<HitId> {
        let hits = hits.iter().map(|sequence| {
            Some(HitId {
                table: table?,
                sequence: *sequence,
            })
        });
        hits.flatten().collect()
    };
    match &recorded.event {
        Event::HitRecorded(_) => scene.keyed(&recorded).await,
        Event::HitValidated { hit, .. } => scene.changed(vec![*hit], HitState::Validated).await,
        Event::HitCancelled { hit, .. } => scene.changed(vec![*hit], HitState::Cancelled).await,
        Event::HitRejected { hit, .. } => scene.changed(vec![*hit], HitState::Rejected).await,
        Event::PayoutPaid { hit, number, .. } => scene.documented(*hit, *number).await,
        Event::RoundClosed { hits, .. } => scene.handed_over(own(hits)).await,
        Event::RoundVoided { hits, .. } => scene.changed(own(hits), HitState::Void).await,
        Event::LinkFaulted { reason } => Ok(vec![scene.link_state(Some(reason.clone()))]),
        Event::LinkOpened { .. } => Ok(vec![scene.link_state(None)]),
        Event::TableJoined(_)
        | Event::CoinInAccepted(_)
        | Event::ChipsCounted { .. }
        | Event::SeatsFolded { .. }
        | Event::Refused { .. } => Ok(Vec::new()),
    }
}

impl Scene<'_> {
    async fn find(&self, hit: HitId) -> Result<Option<FoundHit>, Denied> {
        let found = self
            .store
            .find_hit(self.link, hit.table.0, hit.sequence.0)
            .await;
        found.map_err(unavailable)
    }

    /// The hit as it was keyed; its row may be further by now.
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

    async fn changed(&self, hits: Vec<HitId>, state: HitState) -> Result<Vec<FeedEvent>, Denied> {
        let mut events = Vec::new();
        for hit in hits {
            if let Some(found) = self.find(hit).await? {
                events.push(self.hit_changed(&found, state));
            }
        }
        Ok(events)
    }

    /// A payout that was documented, and its hit where nothing is left to pay. The row may be further than the
    /// event: what else was paid at this moment has an event of its own, and the last of them tells of the hit.
    async fn documented(&self, hit: HitId, number: u32) -> Result<Vec<FeedEvent>, Denied> {
        let Some(found) = self.find(hit).await? else {
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
            events.push(self.hit_changed(&found, HitState::Paid));
        }
        Ok(events)
    }

    /// What GAME OVER paid without a document, and the hits that are paid with it.
    async fn handed_over(&self, hits: Vec<HitId>) -> Result<Vec<FeedEvent>, Denied> {
        let mut events = Vec::new();
        for hit in hits {
            let Some(found) = self.find(hit).await? else {
                continue;
            };
            let handed_over = self.now_paid(&found.hit);
            let handed_over = handed_over.filter(|it| it.document.is_none());
            events.extend(handed_over.map(|payout| self.paid(&found, payout)));
            if all_paid_by(&found.hit, self.at) {
                events.push(self.hit_changed(&found, HitState::Paid));
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

    fn hit_changed(&self, found: &FoundHit, state: HitState) -> FeedEvent {
        FeedEvent::HitChanged {
            place: self.place,
            at: self.at,
            hit: named(found),
            state,
        }
    }

    fn link_state(&self, reason: Option<String>) -> FeedEvent {
        let faulted = reason.is_some();
        FeedEvent::LinkState {
            place: self.place,
            at: self.at,
            faulted,
            reason,
        }
    }
}

fn named(found: &FoundHit) -> String {
    format!("{}.{}", found.table_name, found.hit.sequence)
}

fn all_paid_by(hit: &HitRow, at: Timestamp) -> bool {
    hit.payouts
        .iter()
        .all(|payout| payout.paid_at.is_some_and(|paid| paid <= at.0))
}
