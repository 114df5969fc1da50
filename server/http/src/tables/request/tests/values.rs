//! Every wrong value is named by its field.

use meterhouse_api::request::LIST_MAX;

use super::{coin_in_with, read, refused, row};

#[test]
fn money_is_a_string() {
    let field = "wagers[1].amount";
    for amount in [
        "1.00",
        "1",
        "null",
        "true",
        "[]",
        "{}",
        r#""""#,
        r#""-1.00""#,
        r#""1e2""#,
    ] {
        let wager = format!(r#"{{"seat":2,"amount":{amount}}}"#);
        refused(&coin_in_with(&wager), "invalid_amount", field);
    }
    refused(
        &coin_in_with(r#"{"seat":2,"amount":"1.0000001"}"#),
        "invalid_amount",
        field,
    );
    refused(
        &coin_in_with(r#"{"seat":2,"amount":"99999999999999"}"#),
        "invalid_amount",
        field,
    );
}

#[test]
fn every_wrong_value_of_a_wager_is_named() {
    let seat = "wagers[1].seat";
    for seat_sent in [
        "-1",
        "256",
        "1.0",
        "1.5",
        "\"1\"",
        "null",
        "18446744073709551616",
    ] {
        let wager = format!(r#"{{"seat":{seat_sent},"amount":"1.00"}}"#);
        refused(&coin_in_with(&wager), "invalid_value", seat);
    }
    // No number that any program holds: the parser says so itself.
    let huge = coin_in_with(r#"{"seat":1e400,"amount":"1.00"}"#);
    assert_eq!(
        row(&read(&huge).expect_err("too large")).code,
        "malformed_body"
    );
    let on = coin_in_with(r#"{"seat":2,"amount":"1.00","on":"both"}"#);
    refused(&on, "invalid_value", "wagers[1].on");
    let player = coin_in_with(r#"{"seat":2,"amount":"1.00","player":"p 77"}"#);
    refused(&player, "invalid_name", "wagers[1].player");
}

#[test]
fn every_other_wrong_value_is_named() {
    for (text, code, field) in [
        (
            r#"{"command":"count","chips":4294967296}"#,
            "invalid_value",
            "chips",
        ),
        (
            r#"{"command":"count","chips":"3"}"#,
            "invalid_value",
            "chips",
        ),
        (
            r#"{"command":"fold","seats":[1,"2"]}"#,
            "invalid_value",
            "seats[1]",
        ),
        (
            r#"{"command":"hit","seat":3,"hand":"royal"}"#,
            "unknown_hand",
            "hand",
        ),
        (
            r#"{"command":"hit","seat":3,"hand":7}"#,
            "unknown_hand",
            "hand",
        ),
        (
            r#"{"command":"hit","seat":3,"hand":"flush","cards":["As","1s"]}"#,
            "invalid_card",
            "cards[1]",
        ),
        (
            r#"{"command":"hit","seat":3,"hand":"flush","cards":[5]}"#,
            "invalid_card",
            "cards[0]",
        ),
        (
            r#"{"command":"envy","seat":300,"hand":"flush"}"#,
            "invalid_value",
            "seat",
        ),
    ] {
        refused(text, code, field);
    }
}

#[test]
fn every_wrong_value_of_what_follows_a_hit_is_named() {
    for (text, code, field) in [
        (
            r#"{"command":"cancel_hit","hit":4713}"#,
            "invalid_name",
            "hit",
        ),
        (
            r#"{"command":"cancel_hit","hit":"C4P-07"}"#,
            "invalid_name",
            "hit",
        ),
        (
            r#"{"command":"cancel_hit","hit":"C4P-08.1"}"#,
            "unknown_hit",
            "C4P-08.1",
        ),
        (
            r#"{"command":"cancel_hit","hit":"C4P-07.1.0"}"#,
            "invalid_name",
            "hit",
        ),
        (
            r#"{"command":"bonus","kind":"mystery","seat":3}"#,
            "invalid_value",
            "kind",
        ),
        (
            r#"{"command":"bonus","kind":"magic_card","seat":"3"}"#,
            "invalid_value",
            "seat",
        ),
        (
            r#"{"command":"settle","seats":[{"seat":1,"cards":["As","1s"]}]}"#,
            "invalid_card",
            "seats[0].cards[1]",
        ),
        (
            r#"{"command":"settle","dealer":["x"],"seats":[]}"#,
            "invalid_card",
            "dealer[0]",
        ),
        (
            r#"{"command":"void","reason":"rain"}"#,
            "invalid_value",
            "reason",
        ),
        (r#"{"command":"close","by":""}"#, "invalid_name", "by"),
        (r#"{"command":"close","by":12}"#, "invalid_name", "by"),
        (r#"{"command":"close","at":"noon"}"#, "invalid_time", "at"),
        (
            r#"{"command":"close","at":1795262400}"#,
            "invalid_time",
            "at",
        ),
    ] {
        refused(text, code, field);
    }
}

#[test]
fn no_list_is_longer_than_the_limit() {
    let list = |length: usize| vec!["1"; length].join(",");
    let full = format!(r#"{{"command":"fold","seats":[{}]}}"#, list(LIST_MAX));
    assert!(read(&full).is_ok());
    let long = format!(r#"{{"command":"fold","seats":[{}]}}"#, list(LIST_MAX + 1));
    refused(&long, "invalid_value", "seats");
    let dealt = format!(
        r#"{{"command":"coin_in","wagers":[],"dealt":[{}]}}"#,
        list(LIST_MAX + 1)
    );
    refused(&dealt, "invalid_value", "dealt");
    let wagers = vec![r#"{"seat":1,"amount":"1.00"}"#; LIST_MAX + 1].join(",");
    let wagers = format!(r#"{{"command":"coin_in","wagers":[{wagers}],"dealt":[]}}"#);
    refused(&wagers, "invalid_value", "wagers");
    let cards = vec![r#""As""#; LIST_MAX + 1].join(",");
    let cards = format!(r#"{{"command":"hit","seat":1,"hand":"flush","cards":[{cards}]}}"#);
    refused(&cards, "invalid_value", "cards");
}
