//! Every bad input of a table's command has its code and names its field; the good ones are read.

mod values;

use meterhouse_api::command::CommandRequest;
use meterhouse_catalogue::Catalogue;
use meterhouse_domain::command::{
    Bonus, BonusCommand, CoinIn, Holder, Settle, TableCommand, VoidReason, Wager, WageredHand,
};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{Sequence, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_domain::seat::Seat;
use meterhouse_edge::problem::Problem;
use meterhouse_edge::wire_error::{WireError, row};

use super::{Sent, To, sent};
use crate::extract::request::parse;

fn read(text: &str) -> Result<Sent, WireError> {
    let body: CommandRequest = parse("the body", text.as_bytes())?;
    let to = To {
        name: &"C4P-07".parse().expect("a name"),
        game: &"crazy-4-poker".parse().expect("a game"),
        catalogue: &Catalogue::compiled_in().expect("the compiled-in files are right"),
    };
    sent(body, to)
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
    format!(
        r#"{{"command":"coin_in","wagers":[{{"seat":1,"amount":"1.00"}},{wager}],"dealt":[1,2]}}"#
    )
}

#[test]
fn a_coin_in_is_read_with_what_stands_beside_it() {
    let text = r#"{"command":"coin_in","wagers":[{"seat":1,"amount":"1.00"},
        {"seat":3,"amount":"1","on":"dealer","player":"p-77"}],"dealt":[1,2,3],
        "at":"2026-11-21T12:00:00Z","by":"d-12"}"#;
    let sent = read(text).expect("a coin-in");
    assert_eq!(sent.by.expect("a badge").as_str(), "d-12");
    assert_eq!(sent.device_time, Some(Timestamp(1_795_262_400_000_000)));
    let wager = |seat, on, player: Option<&str>| Wager {
        seat: Seat(seat),
        on,
        amount: Money::DOLLAR,
        player: player.map(|text| text.parse().expect("a name")),
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
        command_of(r#"{"command":"count","chips":3}"#),
        TableCommand::Count { chips: 3 }
    );
    let fold = command_of(r#"{"command":"fold","seats":[2]}"#);
    assert_eq!(
        fold,
        TableCommand::Fold {
            seats: vec![Seat(2)]
        }
    );
    let hit =
        r#"{"command":"hit","seat":3,"hand":"royal-flush","cards":["As","Ks","Qs","Js","10s"]}"#;
    let TableCommand::Hit(hit) = command_of(hit) else {
        panic!("a hit")
    };
    assert_eq!(
        (hit.holder, hit.hand),
        (Holder::Seat(Seat(3)), Hand::RoyalFlush)
    );
    assert_eq!(hit.cards.map(|cards| cards.len()), Some(5));
    let dealer = command_of(r#"{"command":"hit","dealer":true,"hand":"straight-flush"}"#);
    let TableCommand::Hit(dealer) = dealer else {
        panic!("a hit")
    };
    assert_eq!((dealer.holder, dealer.cards), (Holder::Dealer, None));
    let envy = command_of(r#"{"command":"envy","seat":4,"hand":"four-aces"}"#);
    assert_eq!(
        envy,
        TableCommand::Envy {
            seat: Seat(4),
            hand: Hand::FourAces,
            cards: None
        }
    );
    let cancel = command_of(r#"{"command":"cancel_hit","hit":"C4P-07.4713"}"#);
    assert_eq!(
        cancel,
        TableCommand::CancelHit {
            hit: Sequence(4713),
            number: 0
        }
    );
    let cancel = command_of(r#"{"command":"cancel_hit","hit":"C4P-07.4713.2"}"#);
    assert_eq!(
        cancel,
        TableCommand::CancelHit {
            hit: Sequence(4713),
            number: 2
        }
    );
    assert_eq!(command_of(r#"{"command":"close"}"#), TableCommand::Close);
    for reason in VoidReason::ALL {
        let text = format!(r#"{{"command":"void","reason":"{reason}"}}"#);
        assert_eq!(command_of(&text), TableCommand::Void { reason: *reason });
    }
}

#[test]
fn a_bonus_and_a_settle_are_read() {
    let bonus = command_of(r#"{"command":"bonus","kind":"magic_card","seat":3,"cards":["As"]}"#);
    let expected = BonusCommand {
        kind: Bonus::MagicCard,
        holder: Holder::Seat(Seat(3)),
        cards: Some(vec!["As".parse().expect("a card")]),
    };
    assert_eq!(bonus, TableCommand::Bonus(expected));
    let dealer = command_of(r#"{"command":"bonus","kind":"lucky_bonus","dealer":true}"#);
    assert!(
        matches!(dealer, TableCommand::Bonus(it) if it.holder == Holder::Dealer && it.cards.is_none())
    );
    let settle = command_of(
        r#"{"command":"settle","dealer":["2c"],"community":[],"seats":[{"seat":1,"cards":["As","Ks"]}]}"#,
    );
    let cards = |texts: &[&str]| {
        texts
            .iter()
            .map(|text| text.parse().expect("a card"))
            .collect()
    };
    let expected = Settle {
        dealer: cards(&["2c"]),
        community: Vec::new(),
        seats: vec![(Seat(1), cards(&["As", "Ks"]))],
    };
    assert_eq!(settle, TableCommand::Settle(Box::new(expected)));
    let bare = command_of(r#"{"command":"settle","seats":[]}"#);
    assert!(
        matches!(bare, TableCommand::Settle(it) if it.dealer.is_empty() && it.seats.is_empty())
    );
}

#[test]
fn null_equals_a_missing_field() {
    let text = r#"{"command":"close","at":null,"by":null}"#;
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
fn commands_and_fields_of_other_releases_are_unknown() {
    refused(
        r#"{"command":"raise","seat":3}"#,
        "invalid_value",
        "command",
    );
    refused(
        r#"{"command":"bonus","kind":"magic_card","seat":3,"hand":"flush"}"#,
        "unknown_field",
        "hand",
    );
    refused(
        r#"{"command":"settle","seats":[],"folded":[]}"#,
        "unknown_field",
        "folded",
    );
    refused(
        r#"{"command":"settle","seats":[{"seat":1,"cards":[],"hand":"flush"}]}"#,
        "unknown_field",
        "hand",
    );
    refused(r#"{"command":"close","now":true}"#, "unknown_field", "now");
    refused(
        r#"{"command":"count","chips":1,"color":"red"}"#,
        "unknown_field",
        "color",
    );
    refused(
        r#"{"command":"fold","seats":[],"why":1}"#,
        "unknown_field",
        "why",
    );
    refused(
        r#"{"command":"hit","seat":1,"hand":"flush","level":"mega"}"#,
        "unknown_field",
        "level",
    );
    refused(
        r#"{"command":"envy","dealer":true}"#,
        "unknown_field",
        "dealer",
    );
    refused(
        r#"{"command":"cancel_hit","hit":"a.1","force":1}"#,
        "unknown_field",
        "force",
    );
    refused(
        r#"{"command":"void","reason":"misdeal","note":""}"#,
        "unknown_field",
        "note",
    );
    refused(
        &coin_in_with(r#"{"seat":2,"amount":"1.00","bet":1}"#),
        "unknown_field",
        "bet",
    );
    refused(
        r#"{"command":"coin_in","wagers":[],"dealt":[],"seats":[]}"#,
        "unknown_field",
        "seats",
    );
    let error = read(r#"{"command":"raise"}"#).expect_err("unknown");
    assert!(
        error
            .to_string()
            .contains("settle, cancel_hit, close, void"),
        "{error}"
    );
}

#[test]
fn another_shape_is_malformed() {
    for text in [
        r#"{"command":"coin_in","wagers":[[1,"1.00"]],"dealt":[1]}"#,
        "[null,null,{}]",
        r#"{"command":"close","command":"close"}"#,
        r#"{"command":"count","chips":1,"chips":2}"#,
        r#"{"command":"coin_in","wagers":[]}"#,
        r#"{"command":"coin_in","dealt":[]}"#,
        r#"{"command":"coin_in","wagers":{},"dealt":[]}"#,
        r#"{"command":"hit","seat":3}"#,
        r#"{"command":"hit","hand":"flush"}"#,
        r#"{"command":"hit","seat":3,"dealer":true,"hand":"flush"}"#,
        r#"{"command":"hit","dealer":false,"hand":"flush"}"#,
        r#"{"command":"hit","dealer":1,"hand":"flush"}"#,
        r#"{"command":"void"}"#,
        r#"{"command":"bonus","kind":"magic_card"}"#,
        r#"{"command":"bonus","kind":"magic_card","seat":3,"dealer":true}"#,
        r#"{"command":"bonus","seat":3}"#,
        r#"{"command":"settle"}"#,
        r#"{"command":"settle","seats":[[1,["As"]]]}"#,
        r#"{"command":"settle","seats":[{"seat":1}]}"#,
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(row(&error).code, "malformed_body", "{text}: {error}");
    }
}
