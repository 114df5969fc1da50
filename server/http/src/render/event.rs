//! From an event of the journal to its entry.

use meterhouse_domain::event::{Event, Origin};
use meterhouse_domain::ids::HitId;
use meterhouse_engine::view::{JournalEntry, Page, public_reason};
use meterhouse_journal::position::Position;

use super::entry::{EntryView, EventView, JournalView};
use super::moves::moves;
use super::{At, Names, facts};

impl JournalView {
    pub(crate) fn new(names: Names<'_>, page: &Page<JournalEntry, Position>) -> Self {
        Self {
            link: names.terms().name.to_string(),
            entries: page
                .items
                .iter()
                .map(|it| EntryView::new(names, it))
                .collect(),
            more: page.next.is_some(),
            next: page.next.map(|position| position.to_string()),
        }
    }
}

impl EntryView {
    pub(crate) fn new(names: Names<'_>, entry: &JournalEntry) -> Self {
        let recorded = &entry.recorded;
        let own = match recorded.origin {
            Origin::Table { table, sequence } => Some(HitId {
                table,
                sequence,
                number: 0,
            }),
            Origin::Person => None,
        };
        let written = entry.table.as_ref().map(ToString::to_string);
        Self {
            position: entry.position.to_string(),
            at: At(entry.at),
            actor: entry.actor.clone(),
            by: recorded.by.as_ref().map(ToString::to_string),
            table: written.or_else(|| own.map(|it| names.table(it.table))),
            sequence: own.map(|it| it.sequence.0),
            device_at: recorded.device_time.map(At),
            event: event(names, own, &recorded.event),
            moves: moves(names, &recorded.event),
        }
    }
}

/// What happened. `own` is the name of a hit that the event's command keyed.
fn event(names: Names<'_>, own: Option<HitId>, event: &Event) -> EventView {
    match event {
        Event::LinkOpened { terms, .. } => facts::opened(terms),
        Event::TableJoined(it) => facts::joined(it),
        Event::CoinInAccepted(it) => facts::coin_in(it),
        Event::ChipsCounted { chips, accepted } => facts::counted(*chips, *accepted),
        Event::SeatsFolded { seats } => facts::folded(*seats),
        Event::HitRecorded(hit) => facts::recorded(names, own, hit),
        Event::RoundSettled { cards, hits } => facts::settled(names, own, cards, hits),
        Event::HitCancelled { hit, .. } => facts::cancelled(names, *hit),
        Event::HitValidated { hit, cards, note } => {
            facts::validated(names, *hit, cards.as_deref(), note.as_ref())
        }
        Event::HitRejected {
            hit,
            note,
            resettle,
            resettled,
            ..
        } => facts::rejected(names, *hit, note.as_ref(), *resettle, resettled),
        Event::PayoutPaid {
            hit,
            number,
            document,
            ..
        } => facts::paid(names, *hit, *number, document),
        Event::RoundClosed { hits, .. } => facts::closed(names, hits),
        Event::RoundVoided { reason, hits, .. } => facts::voided(names, *reason, hits),
        Event::ValuesAccepted { values } => facts::values_accepted(names, values),
        Event::LinkSuspended { reason } => facts::suspended(reason),
        Event::LinkResumed => EventView::LinkResumed {},
        Event::LevelDisabled { level, reason } => facts::disabled(names, *level, reason),
        Event::LevelEnabled { level } => facts::enabled(names, *level),
        Event::TableLost {
            table,
            heard_at,
            must_resume,
        } => facts::lost(names, *table, *heard_at, *must_resume),
        Event::TableBack { table } => facts::back(names, *table),
        Event::TableDisabled { table, reason } => facts::table_disabled(names, *table, reason),
        Event::TableEnabled { table } => facts::table_enabled(names, *table),
        Event::TableLeft { table, reason } => facts::left(names, *table, reason),
        Event::ChangeProposed {
            propose,
            expires_at,
        } => facts::proposed(names, propose, *expires_at),
        Event::ChangeApproved {
            proposal,
            department,
            effect,
            ..
        } => facts::approved(names, *proposal, department, effect),
        Event::ChangeDeclined {
            proposal,
            department,
            reason,
        } => facts::declined(*proposal, department, reason),
        Event::LinkFaulted { reason } => facts::faulted(public_reason(reason)),
        Event::Refused { refusal, command } => facts::refused(names, refusal, command),
    }
}

#[cfg(test)]
mod tests;
