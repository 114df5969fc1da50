//! Every bad input of a table's command has its code and names its field; the good ones are read.

use meterhouse_domain::hand::Hand;
use meterhouse_domain::money::Money;
use meterhouse_edge::problem::Problem;
use meterhouse_edge::wire_error::row;

use super::*;
use crate::extract::{LIST_MAX, parse};

fn read(text: &str) -> Result<Sent, WireError> {
    let body: CommandBody = parse(text.as_bytes())?;
    body.read(&"C4P-07".parse().expect("a name"))
}

fn command_of(text: &str) -> TableCommand {
    read(text).expect(text).command
}

#[track_caller]
fn refused(text: &str, code: &str, field: &str) {
    let error = read(text).expect_err(text);
    assert_eq!(row(&error).code, code, "{text}: {error}");
    let problem = Problem::from(error);
    let named = problem
        .fields
        .iter()
        .any(|(name, value)| name == field || value == field);
    assert!(
        named,
        "{text}: {field} is not named in {:?}",
        problem.fields
    );
}

fn coin_in_with(wager: &str) -> String {
    format!(r#"{{"coin_in":{{"wagers":[{{"seat":1,"amount":"1.00"}},{wager}],"dealt":[1,2]}}}}"#)
}

#[test]
fn a_coin_in_is_read_with_what_stands_beside_it() {
    let text = r#"{"coin_in":{"wagers":[{"seat":1,"amount":"1.00"},
        {"seat":3,"amount":"1","on":"dealer","player":"p-77"}],"dealt":[1,2,3]},
        "at":"2026-11-21T12:00:00Z","by":"d-12"}"#;
    let sent = read(text).expect("a coin-in");
    assert_eq!(sent.by.expect("a badge").as_str(), "d-12");
    assert_eq!(sent.device_time, Some(Timestamp(1_795_262_400_000_000)));
    let wager = |seat, on, player: Option<&str>| Wager {
        seat: Seat(seat),
        on,
        amount: Money::DOLLAR,
        player: player.map(|it| it.parse().expect("a name")),
    };
    let own = wager(1, WageredHand::Own, None);
    let dealer = wager(3, WageredHand::Dealer, Some("p-77"));
    let expected = CoinIn {
        wagers: vec![own, dealer],
        dealt: vec![Seat(1), Seat(2), Seat(3)],
    };
    assert_eq!(sent.command, TableCommand::CoinIn(expected));
}

#[test]
fn every_other_command_of_the_release_is_read() {
    assert_eq!(
        command_of(r#"{"count":{"chips":3}}"#),
        TableCommand::Count { chips: 3 }
    );
    let fold = command_of(r#"{"fold":{"seats":[2]}}"#);
    assert_eq!(
        fold,
        TableCommand::Fold {
            seats: vec![Seat(2)]
        }
    );
    let hit = r#"{"hit":{"seat":3,"hand":"royal-flush","cards":["As","Ks","Qs","Js","10s"]}}"#;
    let TableCommand::Hit(hit) = command_of(hit) else {
        panic!("a hit")
    };
    assert_eq!(
        (hit.holder, hit.hand),
        (Holder::Seat(Seat(3)), Hand::RoyalFlush)
    );
    assert_eq!(hit.cards.map(|it| it.len()), Some(5));
    let dealer = command_of(r#"{"hit":{"dealer":true,"hand":"straight-flush"}}"#);
    let TableCommand::Hit(dealer) = dealer else {
        panic!("a hit")
    };
    assert_eq!((dealer.holder, dealer.cards), (Holder::Dealer, None));
    let envy = command_of(r#"{"envy":{"seat":4,"hand":"four-aces"}}"#);
    assert_eq!(
        envy,
        TableCommand::Envy {
            seat: Seat(4),
            hand: Hand::FourAces,
            cards: None
        }
    );
    let cancel = command_of(r#"{"cancel_hit":{"hit":"C4P-07.4713"}}"#);
    assert_eq!(
        cancel,
        TableCommand::CancelHit {
            hit: Sequence(4713)
        }
    );
    assert_eq!(command_of(r#"{"close":{}}"#), TableCommand::Close);
    for reason in VoidReason::ALL {
        let text = format!(r#"{{"void":{{"reason":"{reason}"}}}}"#);
        assert_eq!(command_of(&text), TableCommand::Void { reason: *reason });
    }
}

#[test]
fn null_is_as_if_it_were_left_out() {
    let text = r#"{"close":{},"hit":null,"at":null,"by":null}"#;
    let sent = read(text).expect("a close");
    assert_eq!(
        sent,
        Sent {
            by: None,
            device_time: None,
            command: TableCommand::Close
        }
    );
}

#[test]
fn exactly_one_command_is_named() {
    for text in [
        "{}",
        r#"{"by":"d-12"}"#,
        r#"{"close":{},"count":{"chips":1}}"#,
        r#"{"close":null}"#,
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(row(&error).code, "malformed_body", "{text}");
        assert!(
            error
                .to_string()
                .starts_with("name exactly one command: coin_in, count"),
            "{error}"
        );
    }
}

#[test]
fn commands_and_fields_of_other_releases_are_unknown() {
    refused(
        r#"{"bonus":{"kind":"magic_card","seat":3}}"#,
        "unknown_field",
        "bonus",
    );
    refused(r#"{"settle":{"seats":[]}}"#, "unknown_field", "settle");
    refused(r#"{"close":{"now":true}}"#, "unknown_field", "now");
    refused(
        r#"{"count":{"chips":1,"color":"red"}}"#,
        "unknown_field",
        "color",
    );
    refused(r#"{"fold":{"seats":[],"why":1}}"#, "unknown_field", "why");
    refused(
        r#"{"hit":{"seat":1,"hand":"flush","level":"mega"}}"#,
        "unknown_field",
        "level",
    );
    refused(r#"{"envy":{"dealer":true}}"#, "unknown_field", "dealer");
    refused(
        r#"{"cancel_hit":{"hit":"a.1","force":1}}"#,
        "unknown_field",
        "force",
    );
    refused(
        r#"{"void":{"reason":"misdeal","note":""}}"#,
        "unknown_field",
        "note",
    );
    refused(
        &coin_in_with(r#"{"seat":2,"amount":"1.00","bet":1}"#),
        "unknown_field",
        "bet",
    );
    refused(
        r#"{"coin_in":{"wagers":[],"dealt":[],"seats":[]}}"#,
        "unknown_field",
        "seats",
    );
    let error = read(r#"{"bonus":1}"#).expect_err("unknown");
    assert!(
        error.to_string().contains("`cancel_hit`, `close`, `void`"),
        "{error}"
    );
}

#[test]
fn another_shape_is_malformed() {
    for text in [
        r#"{"close":[]}"#,
        r#"{"count":[3]}"#,
        r#"{"coin_in":{"wagers":[[1,"1.00"]],"dealt":[1]}}"#,
        "[null,null,null,null,null,null,null,null,{},null]",
        r#"{"close":1}"#,
        r#"{"close":{},"close":{}}"#,
        r#"{"count":{"chips":1,"chips":2}}"#,
        r#"{"coin_in":{"wagers":[]}}"#,
        r#"{"coin_in":{"dealt":[]}}"#,
        r#"{"coin_in":{"wagers":{},"dealt":[]}}"#,
        r#"{"hit":{"seat":3}}"#,
        r#"{"hit":{"hand":"flush"}}"#,
        r#"{"hit":{"seat":3,"dealer":true,"hand":"flush"}}"#,
        r#"{"hit":{"dealer":false,"hand":"flush"}}"#,
        r#"{"hit":{"dealer":1,"hand":"flush"}}"#,
        r#"{"void":{}}"#,
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(row(&error).code, "malformed_body", "{text}: {error}");
    }
}

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
