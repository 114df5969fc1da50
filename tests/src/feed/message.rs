//! What a message of Protocol Buffers says, as the text of the same message says it.

use meterhouse_domain::money::Money;
use meterhouse_proto::feed::feed_message::Message;
use meterhouse_proto::feed::{
    FeedMessage, Hit, LevelAmount, Position, Presentation, Snapshot, Table,
};
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::macros::format_description;

/// The text of a message, as a value.
pub(super) fn as_text(message: &FeedMessage) -> Value {
    match message.message.as_ref().expect("it says something") {
        Message::Snapshot(it) => snapshot(it),
        Message::Meters(it) => json!({
            "type": "meters", "batch": it.batch, "position": position(it.position.as_ref()),
            "at": at(it.at_micros), "levels": levels(&it.levels), "seal": it.seal,
        }),
        Message::Hit(it) => {
            let mut shown = hit(it);
            shown["type"] = json!("hit");
            shown["position"] = json!(position(it.position.as_ref()));
            shown
        }
        Message::HitChanged(it) => {
            let mut shown = json!({
                "type": "hit_changed", "position": position(it.position.as_ref()), "at": at(it.at_micros),
                "hit": it.hit, "state": it.state, "due": it.due_micros.map(dollars),
            });
            lay_open(&mut shown, &it.cards);
            shown
        }
        Message::Paid(it) => json!({
            "type": "paid", "position": position(it.position.as_ref()), "at": at(it.at_micros),
            "hit": it.hit, "payout": it.payout, "amount": dollars(it.amount_micros),
        }),
        Message::LinkState(it) => json!({
            "type": "link_state", "position": position(it.position.as_ref()), "at": at(it.at_micros),
            "state": it.state, "reason": filled(&it.reason),
            "disabled": it.disabled.as_ref().map(|disabled| &disabled.levels),
        }),
        Message::TableState(it) => json!({
            "type": "table_state", "position": position(it.position.as_ref()), "at": at(it.at_micros),
            "table": it.table, "state": it.state,
        }),
        Message::Presentation(it) => json!({
            "type": "presentation", "at": at(it.at_micros), "presentation": presented(it.presentation.as_ref()),
        }),
        Message::Heartbeat(it) => json!({"type": "heartbeat", "at": at(it.at_micros)}),
    }
}

fn snapshot(it: &Snapshot) -> Value {
    let tables = it.tables.iter().map(table);
    json!({
        "type": "snapshot", "link": it.link, "title": it.title, "wager": dollars(it.wager_micros),
        "state": it.state, "reason": filled(&it.reason), "disabled": it.disabled, "batch": it.batch,
        "position": position(it.position.as_ref()), "at": at(it.at_micros), "levels": levels(&it.levels),
        "tables": tables.collect::<Vec<_>>(), "hits": it.hits.iter().map(hit).collect::<Vec<_>>(),
        "missing": it.missing, "seal": it.seal, "presentation": presented(it.presentation.as_ref()),
    })
}

fn presented(it: Option<&Presentation>) -> Value {
    let it = it.expect("a presentation");
    let mut shown = json!({
        "name": filled(&it.name), "celebration": it.celebration, "theme": filled(&it.theme),
        "locale": filled(&it.locale),
    });
    if !it.theme_version.is_empty() {
        shown["theme_version"] = json!(it.theme_version);
    }
    shown
}

fn table(it: &Table) -> Value {
    json!({"table": it.table, "game": it.game, "seats": it.seats, "state": it.state})
}

/// A hit as a snapshot has it.
fn hit(it: &Hit) -> Value {
    let mut shown = json!({
        "at": at(it.at_micros), "hit": it.hit, "order": it.order, "table": it.table, "seat": it.seat,
        "kind": it.kind, "hand": filled(&it.hand), "level": filled(&it.level), "percent": it.percent,
        "due": dollars(it.due_micros), "envy_due": dollars(it.envy_due_micros), "state": it.state,
        "round": it.round, "dealer": it.seat.is_none(),
    });
    lay_open(&mut shown, &it.cards);
    shown
}

/// Adds the cards where they are known.
fn lay_open(shown: &mut Value, cards: &[String]) {
    if !cards.is_empty() {
        shown["cards"] = json!(cards);
    }
}

fn levels(levels: &[LevelAmount]) -> Value {
    let one = |it: &LevelAmount| json!({"level": it.level, "amount": dollars(it.amount_micros)});
    levels.iter().map(one).collect()
}

fn position(it: Option<&Position>) -> String {
    let it = it.expect("a position");
    format!("{}.{}", it.batch, it.index)
}

/// Nothing where a text is empty.
fn filled(text: &str) -> Option<&str> {
    Some(text).filter(|it| !it.is_empty())
}

fn dollars(micros: i64) -> String {
    Money::from_micros(micros).to_string()
}

fn at(micros: i64) -> String {
    let format =
        format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:6]Z");
    let moment = OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1_000);
    let text = moment.expect("a moment").format(&format);
    text.expect("it can be written")
}
