//! The journal's entries of one hit: the event that recorded it, and every later event that moved its money.
//!
//! # Shape
//! A hit's row contains the times at which it was entered, decided and paid, and the events of those times are read. An
//! event that gave the hit another amount has no time in the row, and a withdrawal overwrites the time of the validation.
//! Events of those kinds are read from the journal's end.
//!
//! # Limits
//! The rejections and corrections of a link since the hit, and the validations if it was withdrawn, in pages of
//! [`NOTABLE_MAX`].

use meterhouse_journal::position::Position;
use std::collections::{BTreeMap, BTreeSet};

use meterhouse_domain::change::{Effect, Resettled};
use meterhouse_domain::entries::entries;
use meterhouse_domain::event::{Event, Recorded};
use meterhouse_domain::ids::{ActorId, HitId, LinkId, Timestamp};
use meterhouse_journal::hit::HitRow;
use meterhouse_journal::record::from_row;
use meterhouse_store::{NOTABLE_MAX, PositionedEvent};

use crate::answer::{NotExecuted, damaged, unavailable};
use crate::context::Engine;
use crate::queries::checked_hits::{kinds_without_time, times_of};
use crate::reports::payoff::records;
use crate::view::{HitView, JournalEntry};

/// Events by position.
pub(crate) type EventsByPosition = BTreeMap<Position, (Timestamp, Recorded)>;

impl Engine {
    /// Returns the journal's entries that moved the money of a hit, oldest first.
    ///
    /// # Errors
    /// [`NotExecuted`] if the journal can't be read.
    pub async fn hit_entries(&self, view: &HitView) -> Result<Vec<JournalEntry>, NotExecuted> {
        let link = self.context.registry.find_link(&view.link).await?;
        let shares = self.context.registry.terms(link).await?.shares();
        let shares = shares.ok_or_else(|| damaged("the shares are not exact"))?;
        let mut found = self.hit_events(link, &view.row).await?;
        found.retain(|_, (_, recorded)| !entries(&shares, &recorded.event).is_empty());
        let actors: BTreeSet<ActorId> =
            found.values().map(|(_, recorded)| recorded.actor).collect();
        let actors: Vec<ActorId> = actors.into_iter().collect();
        let names = self.context.store.actor_names(&actors).await;
        let names: BTreeMap<ActorId, String> = names.map_err(unavailable)?.into_iter().collect();
        let entry = |(position, (at, recorded)): (Position, (Timestamp, Recorded))| JournalEntry {
            position: Position {
                batch: position.batch,
                index: position.index,
            },
            at,
            actor: (names.get(&recorded.actor).cloned())
                .unwrap_or_else(|| recorded.actor.to_string()),
            table: None,
            recorded,
        };
        Ok(found.into_iter().map(entry).collect())
    }

    /// Returns the events that recorded, decided, paid or resettled a hit.
    pub(crate) async fn hit_events(
        &self,
        link: LinkId,
        row: &HitRow,
    ) -> Result<EventsByPosition, NotExecuted> {
        let id = row.id();
        let mut found = EventsByPosition::new();
        for at in times_of(row).collect::<BTreeSet<i64>>() {
            let events = self.context.store.notable_at(link, Timestamp(at)).await;
            collect(&mut found, &events.map_err(unavailable)?, id)?;
        }
        // A hit that its link keeps is shown, also if its events are archived.
        let keyed_at = [Timestamp(row.keyed_at)];
        let archived = self.context.store.archived_at(link, &keyed_at).await;
        if let Some(end) = archived.map_err(unavailable)? {
            return Err(NotExecuted::archived(&end));
        }
        let keyed = found.keys().next().copied();
        self.collect_without_time(&mut found, link, row, keyed)
            .await?;
        Ok(found)
    }

    /// Adds the events after a hit's entry of which its row has no time.
    async fn collect_without_time(
        &self,
        found: &mut EventsByPosition,
        link: LinkId,
        row: &HitRow,
        keyed: Option<Position>,
    ) -> Result<(), NotExecuted> {
        let kinds = kinds_without_time(std::iter::once(row));
        let keyed = keyed.unwrap_or_default();
        let mut before = None;
        loop {
            let store = &self.context.store;
            let page = store.notable(link, kinds, before, NOTABLE_MAX).await;
            let mut page = page.map_err(unavailable)?;
            let is_full = page.len() == NOTABLE_MAX;
            page.retain(|happening| happening.position > keyed);
            collect(found, &page, row.id())?;
            match page.last() {
                Some(last) if is_full && page.len() == NOTABLE_MAX => before = Some(last.position),
                Some(_) | None => return Ok(()),
            }
        }
    }
}

/// Adds the events that concern a hit.
fn collect(
    found: &mut EventsByPosition,
    events: &[PositionedEvent],
    hit: HitId,
) -> Result<(), NotExecuted> {
    for happening in events {
        let batch = happening.position.batch;
        let recorded = from_row(&happening.event);
        let recorded = recorded.map_err(|error| damaged(&format!("batch {batch}: {error}")))?;
        if records(happening, hit)? || concerns(&recorded.event, hit) {
            found.insert(happening.position, (happening.at, recorded));
        }
    }
    Ok(())
}

/// Returns `true` for an event that decided, paid or resettled a hit.
pub(crate) fn concerns(event: &Event, asked: HitId) -> bool {
    let resets = |later: &[Resettled]| later.iter().any(|resettled| resettled.hit == asked);
    match event {
        Event::HitCancelled { hit, .. }
        | Event::HitValidated { hit, .. }
        | Event::PayoutPaid { hit, .. } => *hit == asked,
        Event::HitRejected { hit, resettled, .. } => *hit == asked || resets(resettled),
        Event::RoundClosed { hits, .. } | Event::RoundVoided { hits, .. } => hits.contains(&asked),
        Event::ChangeApproved { effect, .. } => match effect.as_ref() {
            Effect::Corrected { hit, resettled } => *hit == asked || resets(resettled),
            Effect::LateHitRecorded { .. }
            | Effect::Adjusted { .. }
            | Effect::FaultCleared { .. }
            | Effect::ReturnsAcknowledged
            | Effect::TableAdopted { .. } => false,
        },
        _ => false,
    }
}
