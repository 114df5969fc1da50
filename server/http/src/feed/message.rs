//! The messages of a feed as texts, each encoded once for all displays.

use meterhouse_api::feed::{
    FeedHeartbeat, FeedHit, FeedMessage, HitChanged, LinkStateChanged, Meters, PayoutReached,
    PresentationChanged, Snapshot, TableStateChanged,
};
use meterhouse_api::text::Text;
use meterhouse_api::values::LevelName;
use meterhouse_api::words::FeedState;
use meterhouse_domain::ids::{self, Timestamp};
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_domain::presentation::LinkPresentation;
use meterhouse_engine::feed::item::FeedEvent;
use meterhouse_engine::view::{HitView, LinkView, TableStatus};
use meterhouse_journal::position::Position;
use meterhouse_journal::seal::Seal;

use crate::render::hit::hit_summary;
use crate::render::value::{
    cards as card_list, level_amounts, link_presentation, link_state, linked_table, table_state,
};

/// Returns a message as text.
pub(super) fn text(event: &FeedEvent, terms: &LinkTerms) -> String {
    written(&message(event, terms))
}

/// Returns a heartbeat as text.
pub(super) fn heartbeat(at: Timestamp) -> String {
    written(&FeedMessage::Heartbeat(FeedHeartbeat { at: Text(at) }))
}

/// Writes a message. Plain data with texts as keys is always writable.
fn written(message: &FeedMessage) -> String {
    serde_json::to_string(message).unwrap_or_default()
}

fn message(event: &FeedEvent, terms: &LinkTerms) -> FeedMessage {
    match event {
        FeedEvent::Snapshot {
            link,
            hits,
            position,
            missing,
            at,
            seal,
        } => snapshot(link, hits, *position, *missing, (*at, *seal)),
        FeedEvent::Meters {
            batch,
            displayed,
            at,
            seal,
        } => FeedMessage::Meters(meters(*batch, terms, displayed, (*at, *seal))),
        FeedEvent::Hit { position, at, hit } => keyed(hit, *position, *at),
        FeedEvent::HitChanged {
            position,
            at,
            hit,
            state,
            due,
            cards,
        } => FeedMessage::HitChanged(HitChanged {
            position: Text(*position),
            at: Text(*at),
            hit: Text(hit.clone()),
            state: Text(FeedState(*state)),
            due: due.map(Text),
            cards: cards.as_deref().map(card_list),
        }),
        FeedEvent::Paid {
            position,
            at,
            hit,
            payout,
            amount,
        } => FeedMessage::Paid(PayoutReached {
            position: Text(*position),
            at: Text(*at),
            hit: Text(hit.clone()),
            payout: *payout,
            amount: Text(*amount),
        }),
        FeedEvent::LinkState {
            position,
            at,
            state,
            reason,
            disabled,
        } => FeedMessage::LinkState(LinkStateChanged {
            position: Text(*position),
            at: Text(*at),
            state: link_state(*state),
            reason: reason.clone(),
            disabled: disabled.as_deref().map(level_names),
        }),
        FeedEvent::Presentation { at, presentation } => presentation_changed(*at, presentation),
        FeedEvent::TableState {
            position,
            at,
            table,
            status,
        } => FeedMessage::TableState(table_changed((*position, *at), table, *status)),
    }
}

fn presentation_changed(at: Timestamp, presentation: &LinkPresentation) -> FeedMessage {
    FeedMessage::Presentation(PresentationChanged {
        at: Text(at),
        presentation: link_presentation(presentation),
    })
}

fn table_changed(
    (position, at): (Position, Timestamp),
    table: &ids::TableName,
    status: TableStatus,
) -> TableStateChanged {
    TableStateChanged {
        position: Text(position),
        at: Text(at),
        table: Text(table.clone()),
        state: table_state(status),
    }
}

fn meters(
    batch: u64,
    terms: &LinkTerms,
    displayed: &[Money],
    (at, seal): (Timestamp, Seal),
) -> Meters {
    Meters {
        batch,
        position: Text(Position { batch, index: 0 }),
        at: Text(at),
        levels: level_amounts(terms, displayed),
        seal: Some(Text(seal)),
    }
}

fn level_names(names: &[ids::LevelName]) -> Vec<LevelName> {
    names.iter().cloned().map(Text).collect()
}

fn snapshot(
    link: &LinkView,
    hits: &[HitView],
    position: Position,
    missing: bool,
    (at, seal): (Timestamp, Seal),
) -> FeedMessage {
    let entered_at = |hit: &HitView| Timestamp(hit.row.keyed_at);
    let snapshot = Snapshot {
        link: Text(link.terms.name.clone()),
        title: link.terms.paytable.title.clone(),
        wager: Text(link.terms.wager),
        state: link_state(link.state),
        reason: link.reason.clone(),
        disabled: level_names(&link.disabled),
        batch: link.batch,
        position: Text(position),
        missing,
        at: Text(at),
        seal: Some(Text(seal)),
        presentation: Some(link_presentation(&link.presentation)),
        levels: level_amounts(&link.terms, &link.displayed),
        tables: link.present_tables().map(linked_table).collect(),
        hits: hits
            .iter()
            .map(|hit| feed_hit(hit, None, entered_at(hit)))
            .collect(),
    };
    FeedMessage::Snapshot(Box::new(snapshot))
}

fn keyed(hit: &HitView, position: Position, at: Timestamp) -> FeedMessage {
    FeedMessage::Hit(feed_hit(hit, Some(position), at))
}

fn feed_hit(view: &HitView, position: Option<Position>, at: Timestamp) -> FeedHit {
    FeedHit {
        position: position.map(Text),
        at: Text(at),
        hit: hit_summary(view),
        cards: view.open_cards().map(card_list),
    }
}
