//! From an event of the journal to its entry.

use meterhouse_api::journal::{JournalEntry as Entry, JournalEvent, JournalPage, MoneyMove};
use meterhouse_api::text::Text;
use meterhouse_domain::entries::entries;
use meterhouse_domain::event::{Event, Origin};
use meterhouse_domain::ids::HitId;
use meterhouse_domain::link::Move;
use meterhouse_engine::view::{JournalEntry, Page, public_reason};
use meterhouse_journal::position::Position;

use super::event_form;
use super::names::Names;

/// Returns a page of a link's journal.
pub(crate) fn journal_page(names: Names<'_>, page: &Page<JournalEntry, Position>) -> JournalPage {
    JournalPage {
        link: Text(names.terms().name.clone()),
        entries: page
            .items
            .iter()
            .map(|entry| journal_entry(names, entry))
            .collect(),
        more: page.next.is_some(),
        next: page.next.map(Text),
    }
}

/// Returns an entry of the journal.
pub(crate) fn journal_entry(names: Names<'_>, entry: &JournalEntry) -> Entry {
    let recorded = &entry.recorded;
    let own = match recorded.origin {
        Origin::Table { table, sequence } => Some(HitId {
            table,
            sequence,
            number: 0,
        }),
        Origin::Person => None,
    };
    let table = entry.table.clone().map(Text);
    Entry {
        position: Text(entry.position),
        at: Text(entry.at),
        actor: entry.actor.clone(),
        by: recorded.by.as_ref().map(ToString::to_string),
        table: table.or_else(|| own.map(|own| names.table(own.table))),
        sequence: own.map(|own| own.sequence.0),
        device_at: recorded.device_time.map(Text),
        event: journal_event(names, own, &recorded.event),
        moves: money_moves(names, &recorded.event),
    }
}

fn money_moves(names: Names<'_>, event: &Event) -> Vec<MoneyMove> {
    let shares = names.terms().shares().unwrap_or_default();
    let moves = entries(&shares, event).into_iter();
    moves.map(|one| money_move(names, one)).collect()
}

/// Returns a move of money.
pub(crate) fn money_move(names: Names<'_>, one: Move) -> MoneyMove {
    MoneyMove {
        book: names.book(one.book),
        from: Text(one.from),
        to: Text(one.to),
        amount: Text(one.amount),
    }
}

/// Returns an event. `own` is the name of a hit that the event's command recorded.
fn journal_event(names: Names<'_>, own: Option<HitId>, event: &Event) -> JournalEvent {
    match event {
        Event::LinkOpened { terms, .. } => event_form::opened(terms),
        Event::TableJoined(joined) => event_form::joined(joined),
        Event::CoinInAccepted(accepted) => event_form::coin_in(accepted),
        Event::ChipsCounted { chips, accepted } => event_form::counted(*chips, *accepted),
        Event::SeatsFolded { seats } => event_form::folded(*seats),
        Event::HitRecorded(hit) => event_form::recorded(names, own, hit),
        Event::RoundSettled {
            cards,
            hits,
            wagers,
        } => event_form::settled(names, own, cards, hits, wagers.as_deref()),
        Event::HitCancelled { hit, .. } => event_form::cancelled(names, *hit),
        Event::HitValidated { hit, cards, note } => {
            event_form::validated(names, *hit, cards.as_deref(), note.as_ref())
        }
        Event::HitRejected {
            hit,
            note,
            resettle,
            resettled,
            ..
        } => event_form::rejected(names, *hit, note.as_ref(), *resettle, resettled),
        Event::PayoutPaid {
            hit,
            number,
            document,
            ..
        } => event_form::paid(names, *hit, *number, document),
        Event::RoundClosed { hits, .. } => event_form::closed(names, hits),
        Event::RoundVoided { reason, hits, .. } => event_form::voided(names, *reason, hits),
        Event::ValuesAccepted { values } => event_form::values_accepted(names, values),
        Event::LinkSuspended { reason } => event_form::suspended(reason),
        Event::LinkResumed => JournalEvent::LinkResumed {},
        Event::LevelDisabled { level, reason } => event_form::disabled(names, *level, reason),
        Event::LevelEnabled { level } => event_form::enabled(names, *level),
        Event::TableLost {
            table,
            heard_at,
            must_resume,
        } => event_form::lost(names, *table, *heard_at, *must_resume),
        Event::TableBack { table } => event_form::back(names, *table),
        Event::TableDisabled { table, reason } => event_form::table_disabled(names, *table, reason),
        Event::TableEnabled { table } => event_form::table_enabled(names, *table),
        Event::TableLeft { table, reason } => event_form::left(names, *table, reason),
        Event::ChangeProposed {
            propose,
            expires_at,
        } => event_form::proposed(names, propose, *expires_at),
        Event::ChangeApproved {
            proposal,
            department,
            effect,
            ..
        } => event_form::approved(names, *proposal, department, effect),
        Event::ChangeDeclined {
            proposal,
            department,
            reason,
        } => event_form::declined(*proposal, department, reason),
        Event::LinkFaulted { reason } => event_form::faulted(public_reason(reason)),
        Event::Refused { refusal, command } => event_form::refused(names, refusal, command),
    }
}

#[cfg(test)]
mod tests;
