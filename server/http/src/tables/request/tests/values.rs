//! Every wrong value is named by its field.

use super::{coin_in_with, read, refused, row};
use crate::extract::LIST_MAX;

#[test]
fn money_is_a_string() {
    let field = "coin_in.wagers[1].amount";
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
    let seat = "coin_in.wagers[1].seat";
    for it in [
        "-1",
        "256",
        "1.0",
        "1.5",
        "\"1\"",
        "null",
        "18446744073709551616",
    ] {
        let wager = format!(r#"{{"seat":{it},"amount":"1.00"}}"#);
        refused(&coin_in_with(&wager), "invalid_value", seat);
    }
    // No number that any program holds: the parser says so itself.
    let huge = coin_in_with(r#"{"seat":1e400,"amount":"1.00"}"#);
    assert_eq!(
        row(&read(&huge).expect_err("too large")).code,
        "malformed_body"
    );
    let on = coin_in_with(r#"{"seat":2,"amount":"1.00","on":"both"}"#);
    refused(&on, "invalid_value", "coin_in.wagers[1].on");
    let player = coin_in_with(r#"{"seat":2,"amount":"1.00","player":"p 77"}"#);
    refused(&player, "invalid_name", "coin_in.wagers[1].player");
}

#[test]
fn every_other_wrong_value_is_named() {
    for (text, code, field) in [
        (
            r#"{"count":{"chips":4294967296}}"#,
            "invalid_value",
            "count.chips",
        ),
        (r#"{"count":{"chips":"3"}}"#, "invalid_value", "count.chips"),
        (
            r#"{"fold":{"seats":[1,"2"]}}"#,
            "invalid_value",
            "fold.seats[1]",
        ),
        (
            r#"{"hit":{"seat":3,"hand":"royal"}}"#,
            "unknown_hand",
            "hit.hand",
        ),
        (r#"{"hit":{"seat":3,"hand":7}}"#, "unknown_hand", "hit.hand"),
        (
            r#"{"hit":{"seat":3,"hand":"flush","cards":["As","1s"]}}"#,
            "invalid_card",
            "hit.cards[1]",
        ),
        (
            r#"{"hit":{"seat":3,"hand":"flush","cards":[5]}}"#,
            "invalid_card",
            "hit.cards[0]",
        ),
        (
            r#"{"envy":{"seat":300,"hand":"flush"}}"#,
            "invalid_value",
            "envy.seat",
        ),
    ] {
        refused(text, code, field);
    }
}

#[test]
fn every_wrong_value_of_what_follows_a_hit_is_named() {
    for (text, code, field) in [
        (
            r#"{"cancel_hit":{"hit":4713}}"#,
            "invalid_name",
            "cancel_hit.hit",
        ),
        (
            r#"{"cancel_hit":{"hit":"C4P-07"}}"#,
            "invalid_name",
            "cancel_hit.hit",
        ),
        (
            r#"{"cancel_hit":{"hit":"C4P-08.1"}}"#,
            "unknown_hit",
            "C4P-08.1",
        ),
        (
            r#"{"cancel_hit":{"hit":"C4P-07.1.0"}}"#,
            "invalid_name",
            "cancel_hit.hit",
        ),
        (
            r#"{"bonus":{"kind":"mystery","seat":3}}"#,
            "invalid_value",
            "bonus.kind",
        ),
        (
            r#"{"bonus":{"kind":"magic_card","seat":"3"}}"#,
            "invalid_value",
            "bonus.seat",
        ),
        (
            r#"{"settle":{"seats":[{"seat":1,"cards":["As","1s"]}]}}"#,
            "invalid_card",
            "settle.seats[0].cards[1]",
        ),
        (
            r#"{"settle":{"dealer":["x"],"seats":[]}}"#,
            "invalid_card",
            "settle.dealer[0]",
        ),
        (
            r#"{"void":{"reason":"rain"}}"#,
            "invalid_value",
            "void.reason",
        ),
        (r#"{"close":{},"by":""}"#, "invalid_name", "by"),
        (r#"{"close":{},"by":12}"#, "invalid_name", "by"),
        (r#"{"close":{},"at":"noon"}"#, "invalid_time", "at"),
        (r#"{"close":{},"at":1795262400}"#, "invalid_time", "at"),
    ] {
        refused(text, code, field);
    }
}

#[test]
fn no_list_is_longer_than_the_limit() {
    let list = |length: usize| vec!["1"; length].join(",");
    let full = format!(r#"{{"fold":{{"seats":[{}]}}}}"#, list(LIST_MAX));
    assert!(read(&full).is_ok());
    let long = format!(r#"{{"fold":{{"seats":[{}]}}}}"#, list(LIST_MAX + 1));
    refused(&long, "invalid_value", "fold.seats");
    let dealt = format!(
        r#"{{"coin_in":{{"wagers":[],"dealt":[{}]}}}}"#,
        list(LIST_MAX + 1)
    );
    refused(&dealt, "invalid_value", "coin_in.dealt");
    let wagers = vec![r#"{"seat":1,"amount":"1.00"}"#; LIST_MAX + 1].join(",");
    let wagers = format!(r#"{{"coin_in":{{"wagers":[{wagers}],"dealt":[]}}}}"#);
    refused(&wagers, "invalid_value", "coin_in.wagers");
    let cards = vec![r#""As""#; LIST_MAX + 1].join(",");
    let cards = format!(r#"{{"hit":{{"seat":1,"hand":"flush","cards":[{cards}]}}}}"#);
    refused(&cards, "invalid_value", "hit.cards");
}
