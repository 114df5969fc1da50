//! A command of HTTP as gRPC writes it.

use meterhouse_api::time;
use meterhouse_domain::money::Money;
use meterhouse_proto::table::command::Command as Sent;
use meterhouse_proto::{round, table as proto};
use meterhouse_tests::client::keyed;
use serde_json::Value;

/// A command with its number, of the table with this handle; what keys hits has a badge, as over HTTP.
pub(crate) fn command(handle: u32, sequence: u64, body: &Value) -> proto::Command {
    let body = &keyed(body);
    let device_time = body["at"].as_str();
    let device_time = device_time.map(|it| time::parse(it).expect("a time").0);
    proto::Command {
        handle,
        sequence,
        device_time_micros: device_time,
        badge: text(&body["by"]),
        traceparent: String::new(),
        command: sent(body),
    }
}

fn sent(body: &Value) -> Option<Sent> {
    let it = body;
    Some(match it["command"].as_str()? {
        "coin_in" => Sent::CoinIn(proto::CoinIn {
            wagers: list(&it["wagers"], wager),
            dealt: list(&it["dealt"], number),
        }),
        "count" => Sent::Count(proto::Count {
            chips: number(&it["chips"]),
        }),
        "fold" => Sent::Fold(proto::Fold {
            seats: list(&it["seats"], number),
        }),
        "hit" => Sent::Hit(proto::Hit {
            holder: holder(it),
            hand: text(&it["hand"]),
            cards: cards(&it["cards"]),
        }),
        "envy" => Sent::Envy(proto::Envy {
            seat: number(&it["seat"]),
            hand: text(&it["hand"]),
            cards: cards(&it["cards"]),
        }),
        "bonus" => Sent::Bonus(proto::Bonus {
            kind: text(&it["kind"]),
            holder: holder(it),
            cards: cards(&it["cards"]),
        }),
        "settle" => Sent::Settle(proto::Settle {
            dealer: list(&it["dealer"], text),
            community: list(&it["community"], text),
            seats: list(&it["seats"], |it| proto::SeatCards {
                seat: number(&it["seat"]),
                cards: list(&it["cards"], text),
            }),
            wagers: it["wagers"]
                .is_object()
                .then(|| Box::new(wagers(&it["wagers"]))),
        }),
        "cancel_hit" => Sent::CancelHit(cancel_hit(&text(&it["hit"]))),
        "close" => Sent::Close(proto::Close {}),
        "void" => Sent::Void(proto::Void {
            reason: text(&it["reason"]),
        }),
        other => panic!("no command {other}"),
    })
}

fn wager(it: &Value) -> proto::Wager {
    let amount: Money = text(&it["amount"]).parse().expect("an amount");
    proto::Wager {
        seat: number(&it["seat"]),
        amount_micros: amount.micros(),
        on_dealer: it["on"] == "dealer",
        player: text(&it["player"]),
    }
}

fn wagers(it: &Value) -> proto::RoundWagers {
    let terms = &it["terms"];
    proto::RoundWagers {
        jurisdiction: text(&it["jurisdiction"]),
        terms: Some(round::TableTerms {
            minimum_micros: micros(&terms["minimum"]).unwrap_or_default(),
            step_micros: micros(&terms["step"]).unwrap_or_default(),
            limit_micros: micros(&terms["limit"]),
            reading: text(&terms["reading"]),
            most_at_minimum_micros: micros(&terms["most_at_minimum"]),
            ..round::TableTerms::default()
        }),
        tables: list(&it["tables"], text),
        bonus: list(&it["bonus"], text),
        seats: list(&it["seats"], |it| proto::SeatWagers {
            seat: number(&it["seat"]),
            player: text(&it["player"]),
            end: text(&it["end"]),
            wagers: list(&it["wagers"], |it| round::PlacedWager {
                wager: text(&it["wager"]),
                amount_micros: micros(&it["amount"]).unwrap_or_default(),
                ..round::PlacedWager::default()
            }),
        }),
    }
}

fn micros(it: &Value) -> Option<i64> {
    let amount: Money = it.as_str()?.parse().expect("an amount");
    Some(amount.micros())
}

/// Of this table: `TABLE.NUMBER` or `TABLE.NUMBER.N`.
fn cancel_hit(hit: &str) -> proto::CancelHit {
    let mut parts = hit
        .split('.')
        .skip(1)
        .map(|it| it.parse().expect("a number"));
    let sequence: u64 = parts.next().expect("a number");
    let number = parts.next().unwrap_or_default();
    proto::CancelHit {
        sequence,
        number: u32::try_from(number).expect("a small number"),
    }
}

fn holder(it: &Value) -> Option<proto::Holder> {
    use proto::holder::Holder;
    let holder = if it["dealer"] == true {
        Holder::Dealer(proto::Dealer {})
    } else {
        Holder::Seat(number(Some(&it["seat"]).filter(|seat| !seat.is_null())?))
    };
    Some(proto::Holder {
        holder: Some(holder),
    })
}

fn cards(it: &Value) -> Option<proto::Cards> {
    let cards = list(it, text);
    it.is_array().then_some(proto::Cards { cards })
}

fn list<T>(it: &Value, one: impl Fn(&Value) -> T) -> Vec<T> {
    it.as_array().into_iter().flatten().map(one).collect()
}

fn text(it: &Value) -> String {
    it.as_str().unwrap_or_default().to_owned()
}

fn number(it: &Value) -> u32 {
    let number = it.as_u64().expect("a number");
    u32::try_from(number).expect("a number of 32 bits")
}
