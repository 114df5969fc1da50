//! Every bad input of a table's command has its code and names its field; the good ones are read.

mod values;

use meterhouse_domain::command::{Bonus, BonusCommand, CoinIn, Holder, Settle, Wager, WageredHand};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::Sequence;
use meterhouse_domain::money::Money;
use meterhouse_domain::seat::Seat;
use meterhouse_edge::problem::Problem;
use meterhouse_edge::wire_error::row;

use super::*;
use crate::extract::parse;

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
            hit: Sequence(4713),
            number: 0
        }
    );
    let cancel = command_of(r#"{"cancel_hit":{"hit":"C4P-07.4713.2"}}"#);
    assert_eq!(
        cancel,
        TableCommand::CancelHit {
            hit: Sequence(4713),
            number: 2
        }
    );
    assert_eq!(command_of(r#"{"close":{}}"#), TableCommand::Close);
    for reason in VoidReason::ALL {
        let text = format!(r#"{{"void":{{"reason":"{reason}"}}}}"#);
        assert_eq!(command_of(&text), TableCommand::Void { reason: *reason });
    }
}

#[test]
fn a_bonus_and_a_settle_are_read() {
    let bonus = command_of(r#"{"bonus":{"kind":"magic_card","seat":3,"cards":["As"]}}"#);
    let expected = BonusCommand {
        kind: Bonus::MagicCard,
        holder: Holder::Seat(Seat(3)),
        cards: Some(vec!["As".parse().expect("a card")]),
    };
    assert_eq!(bonus, TableCommand::Bonus(expected));
    let dealer = command_of(r#"{"bonus":{"kind":"lucky_bonus","dealer":true}}"#);
    assert!(
        matches!(dealer, TableCommand::Bonus(it) if it.holder == Holder::Dealer && it.cards.is_none())
    );
    let settle = command_of(
        r#"{"settle":{"dealer":["2c"],"community":[],"seats":[{"seat":1,"cards":["As","Ks"]}]}}"#,
    );
    let cards = |texts: &[&str]| texts.iter().map(|it| it.parse().expect("a card")).collect();
    let expected = Settle {
        dealer: cards(&["2c"]),
        community: Vec::new(),
        seats: vec![(Seat(1), cards(&["As", "Ks"]))],
    };
    assert_eq!(settle, TableCommand::Settle(Box::new(expected)));
    let bare = command_of(r#"{"settle":{"seats":[]}}"#);
    assert!(
        matches!(bare, TableCommand::Settle(it) if it.dealer.is_empty() && it.seats.is_empty())
    );
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
    refused(r#"{"raise":{"seat":3}}"#, "unknown_field", "raise");
    refused(
        r#"{"bonus":{"kind":"magic_card","seat":3,"hand":"flush"}}"#,
        "unknown_field",
        "hand",
    );
    refused(
        r#"{"settle":{"seats":[],"folded":[]}}"#,
        "unknown_field",
        "folded",
    );
    refused(
        r#"{"settle":{"seats":[{"seat":1,"cards":[],"hand":"flush"}]}}"#,
        "unknown_field",
        "hand",
    );
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
    let error = read(r#"{"raise":1}"#).expect_err("unknown");
    assert!(
        error
            .to_string()
            .contains("`settle`, `cancel_hit`, `close`, `void`"),
        "{error}"
    );
}

#[test]
fn another_shape_is_malformed() {
    for text in [
        r#"{"close":[]}"#,
        r#"{"count":[3]}"#,
        r#"{"coin_in":{"wagers":[[1,"1.00"]],"dealt":[1]}}"#,
        "[null,null,null,null,null,null,null,null,null,null,{},null]",
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
        r#"{"bonus":{"kind":"magic_card"}}"#,
        r#"{"bonus":{"kind":"magic_card","seat":3,"dealer":true}}"#,
        r#"{"bonus":{"seat":3}}"#,
        r#"{"settle":{}}"#,
        r#"{"settle":{"seats":[[1,["As"]]]}}"#,
        r#"{"settle":{"seats":[{"seat":1}]}}"#,
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(row(&error).code, "malformed_body", "{text}: {error}");
    }
}
