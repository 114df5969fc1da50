//! Messages of a feed, as `proto/meterhouse/feed/v1` defines them, for gRPC streams and binary
//! WebSocket frames.
//!
//! # Shape
//! [`message`] turns an event into a message. [`encoded`] and [`heartbeat`] return encoded
//! messages, so that a feed encodes each message once for many displays.

use bytes::Bytes;
use meterhouse_domain::card::Card;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{LevelName, Timestamp};
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_domain::presentation::LinkPresentation;
use meterhouse_engine::feed::item::{FeedEvent, state_word};
use meterhouse_engine::view::{HitView, LinkView, TableRow};
use meterhouse_journal::position::Position;
use meterhouse_journal::seal::Seal;
use meterhouse_proto::feed;
use meterhouse_proto::feed::feed_message::Message as Content;
use meterhouse_proto::feed::{
    FeedMessage, Heartbeat, Hit, HitChanged, LevelAmount, Levels, LinkState, Meters, Paid,
    Presentation, PresentationChanged, Snapshot, Table, TableState,
};
use prost::Message as _;

use crate::hit;

/// Returns an encoded message.
pub fn encoded(event: &FeedEvent, terms: &LinkTerms) -> Bytes {
    bytes(&message(event, terms))
}

/// Returns an encoded heartbeat.
pub fn heartbeat(at: Timestamp) -> Bytes {
    let heartbeat = Heartbeat { at_micros: at.0 };
    bytes(&FeedMessage {
        message: Some(Content::Heartbeat(heartbeat)),
    })
}

/// Returns a message.
pub fn message(event: &FeedEvent, terms: &LinkTerms) -> FeedMessage {
    FeedMessage {
        message: Some(content(event, terms)),
    }
}

fn bytes(message: &FeedMessage) -> Bytes {
    message.encode_to_vec().into()
}

fn content(event: &FeedEvent, terms: &LinkTerms) -> Content {
    match event {
        FeedEvent::Snapshot {
            link,
            hits,
            position,
            missing,
            at,
            seal,
        } => Content::Snapshot(snapshot(link, hits, *position, *missing, (*at, seal))),
        FeedEvent::Meters {
            batch,
            displayed,
            at,
            seal,
        } => Content::Meters(meters(*batch, displayed, (*at, seal), terms)),
        FeedEvent::Hit { position, at, hit } => Content::Hit(shown(hit, Some(*position), *at)),
        FeedEvent::HitChanged {
            position,
            at,
            hit,
            state,
            due,
            cards,
        } => Content::HitChanged(HitChanged {
            position: Some(position_message(*position)),
            at_micros: at.0,
            hit: hit.to_string(),
            state: state_word(*state).to_owned(),
            due_micros: due.map(Money::micros),
            cards: card_list(cards.as_deref()),
        }),
        FeedEvent::Paid {
            position,
            at,
            hit,
            payout,
            amount,
        } => Content::Paid(Paid {
            position: Some(position_message(*position)),
            at_micros: at.0,
            hit: hit.to_string(),
            payout: *payout,
            amount_micros: amount.micros(),
        }),
        FeedEvent::LinkState {
            position,
            at,
            state,
            reason,
            disabled,
        } => {
            let disabled = disabled.as_deref().map(level_list);
            let reason = reason.clone().unwrap_or_default();
            Content::LinkState(link_state((*position, *at), state.name(), reason, disabled))
        }
        FeedEvent::Presentation { at, presentation } => presentation_changed(*at, presentation),
        FeedEvent::TableState {
            position,
            at,
            table,
            status,
        } => Content::TableState(TableState {
            position: Some(position_message(*position)),
            at_micros: at.0,
            table: table.to_string(),
            state: status.name().to_owned(),
        }),
    }
}

fn link_state(
    (position, at): (Position, Timestamp),
    state: &str,
    reason: String,
    disabled: Option<Levels>,
) -> LinkState {
    LinkState {
        position: Some(position_message(position)),
        at_micros: at.0,
        state: state.to_owned(),
        reason,
        disabled,
    }
}

fn presentation_changed(at: Timestamp, presentation: &LinkPresentation) -> Content {
    Content::Presentation(PresentationChanged {
        at_micros: at.0,
        presentation: Some(presented(presentation)),
    })
}

fn level_list(levels: &[LevelName]) -> Levels {
    Levels {
        levels: names(levels),
    }
}

fn snapshot(
    link: &LinkView,
    hits: &[HitView],
    position: Position,
    missing: bool,
    (at, seal): (Timestamp, &Seal),
) -> Snapshot {
    let hit = |hit: &HitView| shown(hit, None, Timestamp(hit.row.keyed_at));
    Snapshot {
        link: link.terms.name.to_string(),
        title: link.terms.paytable.title.clone(),
        wager_micros: link.terms.wager.micros(),
        state: link.state.name().to_owned(),
        reason: link.reason.clone().unwrap_or_default(),
        disabled: names(&link.disabled),
        batch: link.batch,
        position: Some(position_message(position)),
        at_micros: at.0,
        levels: levels(&link.terms, &link.displayed),
        tables: link.present_tables().map(table).collect(),
        hits: hits.iter().map(hit).collect(),
        missing,
        seal: seal.to_string(),
        presentation: Some(presented(&link.presentation)),
    }
}

fn presented(presentation: &LinkPresentation) -> Presentation {
    let LinkPresentation {
        name,
        locale,
        theme,
        theme_version,
        ..
    } = presentation;
    Presentation {
        name: name.as_ref().map(ToString::to_string).unwrap_or_default(),
        celebration: presentation.celebration.name().to_owned(),
        theme: theme.as_ref().map(ToString::to_string).unwrap_or_default(),
        locale: locale.as_ref().map(ToString::to_string).unwrap_or_default(),
        theme_version: theme_version.as_deref().unwrap_or_default().to_owned(),
    }
}

fn table(row: &TableRow) -> Table {
    Table {
        table: row.name.to_string(),
        game: row.game.to_string(),
        seats: row.seats.into(),
        state: row.status.name().to_owned(),
    }
}

fn meters(
    batch: u64,
    displayed: &[Money],
    (at, seal): (Timestamp, &Seal),
    terms: &LinkTerms,
) -> Meters {
    Meters {
        batch,
        position: Some(position_message(Position { batch, index: 0 })),
        at_micros: at.0,
        levels: levels(terms, displayed),
        seal: seal.to_string(),
    }
}

fn shown(hit: &HitView, position: Option<Position>, at: Timestamp) -> Hit {
    let (line, envy) = hit::due(hit);
    Hit {
        position: position.map(position_message),
        at_micros: at.0,
        hit: hit.name().to_string(),
        round: format!("{}.{}", hit.table, hit.row.round),
        order: hit.row.hit_order,
        table: hit.table.to_string(),
        seat: hit.row.seat.map(u32::from),
        kind: hit.kind.name().to_owned(),
        hand: hit.hand.map(Hand::name).unwrap_or_default().to_owned(),
        level: hit
            .level
            .as_ref()
            .map_or_else(String::new, LevelName::to_string),
        percent: hit.row.percent.map(u32::from),
        due_micros: line.micros(),
        envy_due_micros: envy.micros(),
        state: hit.row.state.name().to_owned(),
        cards: card_list(hit.open_cards()),
    }
}

fn card_list(cards: Option<&[Card]>) -> Vec<String> {
    let cards = cards.unwrap_or_default().iter();
    cards.map(ToString::to_string).collect()
}

/// Returns the amounts that the signs of a link display, in the order of its levels.
fn levels(terms: &LinkTerms, displayed: &[Money]) -> Vec<LevelAmount> {
    let levels = terms.content().levels.iter().zip(displayed);
    let shown = levels.map(|(level, amount)| LevelAmount {
        level: level.name.to_string(),
        amount_micros: amount.displayed().micros(),
    });
    shown.collect()
}

/// Returns a position as a message.
fn position_message(position: Position) -> feed::Position {
    feed::Position {
        batch: position.batch,
        index: position.index,
    }
}

fn names(levels: &[LevelName]) -> Vec<String> {
    levels.iter().map(ToString::to_string).collect()
}
