//! Messages are read as the domain's commands, and an error names the wrong field.

use meterhouse_domain::money::Money;
use meterhouse_edge::value::LIST_MAX;
use meterhouse_proto::round;
use meterhouse_proto::table::holder::Holder as SentHolder;

use super::*;

fn wager(seat: u32) -> proto::Wager {
    proto::Wager {
        seat,
        amount_micros: 1_000_000,
        ..Default::default()
    }
}

/// Reads a command of a table of Crazy 4 Poker.
fn command_of(sent: &Sent) -> Result<TableCommand, EdgeError> {
    let catalogue = Catalogue::compiled_in().expect("our own files");
    let game = "crazy-4-poker".parse().expect("a game");
    command(Some(sent), &game, &catalogue)
}

/// Returns a settle of no cards with these wagers.
fn with_wagers(wagers: proto::RoundWagers) -> Sent {
    let jurisdiction = "PA".to_owned();
    Sent::Settle(proto::Settle {
        wagers: Some(Box::new(proto::RoundWagers {
            jurisdiction,
            ..wagers
        })),
        ..Default::default()
    })
}

/// Returns the code of an error and the field that it names.
fn wrong(sent: &Sent) -> (EdgeCode, String) {
    let error = command_of(sent).expect_err("it is wrong");
    let (field, _) = error.fields.into_iter().next().expect("a field");
    (error.code, field)
}

#[test]
fn a_coin_in_message_is_read() {
    let mut on_dealer = wager(2);
    on_dealer.on_dealer = true;
    on_dealer.player = "p-7".to_owned();
    let sent = Sent::CoinIn(proto::CoinIn {
        wagers: vec![wager(1), on_dealer],
        dealt: vec![1, 2, 3],
    });
    let own = Wager {
        seat: Seat(1),
        on: WageredHand::Own,
        amount: Money::DOLLAR,
        player: None,
    };
    let on_dealer = Wager {
        seat: Seat(2),
        on: WageredHand::Dealer,
        amount: Money::DOLLAR,
        player: "p-7".parse().ok(),
    };
    let read = CoinIn {
        wagers: vec![own, on_dealer],
        dealt: vec![Seat(1), Seat(2), Seat(3)],
    };
    assert_eq!(command_of(&sent), Ok(TableCommand::CoinIn(read)));
}

#[test]
fn unknown_cards_differ_from_no_cards() {
    let hit = |cards: Option<&[&str]>| {
        let cards = cards.map(|cards| proto::Cards {
            cards: cards.iter().map(ToString::to_string).collect(),
        });
        let sent = Sent::Hit(proto::Hit {
            holder: Some(proto::Holder {
                holder: Some(SentHolder::Dealer(proto::Dealer {})),
            }),
            hand: "flush".to_owned(),
            cards,
        });
        match command_of(&sent) {
            Ok(TableCommand::Hit(hit)) => (hit.holder, hit.cards.map(|cards| cards.len())),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(hit(None), (Holder::Dealer, None));
    assert_eq!(hit(Some(&[])), (Holder::Dealer, Some(0)));
    assert_eq!(hit(Some(&["As", "10d"])), (Holder::Dealer, Some(2)));
}

#[test]
fn an_error_names_the_wrong_field() {
    let mut negative = wager(1);
    negative.amount_micros = -1;
    let coin_in = |wagers| {
        Sent::CoinIn(proto::CoinIn {
            wagers,
            dealt: vec![],
        })
    };
    for (sent, code, field) in [
        (
            coin_in(vec![wager(1), wager(256)]),
            EdgeCode::InvalidValue,
            "coin_in.wagers[1].seat",
        ),
        (
            coin_in(vec![negative]),
            EdgeCode::InvalidAmount,
            "coin_in.wagers[0].amount_micros",
        ),
        (
            coin_in(vec![wager(1); LIST_MAX + 1]),
            EdgeCode::InvalidValue,
            "coin_in.wagers",
        ),
        (
            Sent::Settle(proto::Settle {
                seats: vec![proto::SeatCards {
                    seat: 1,
                    cards: vec!["As".to_owned(), "1s".to_owned()],
                }],
                ..Default::default()
            }),
            EdgeCode::InvalidCard,
            "settle.seats[0].cards[1]",
        ),
        (
            Sent::Bonus(proto::Bonus {
                kind: "magic_card".to_owned(),
                ..Default::default()
            }),
            EdgeCode::MalformedBody,
            "field",
        ),
    ] {
        assert_eq!(wrong(&sent), (code, field.to_owned()));
    }
}

#[test]
fn an_error_names_the_wrong_field_of_fixed_wagers() {
    for (sent, code, field) in [
        (
            with_wagers(proto::RoundWagers {
                tables: vec!["a".to_owned(); 25],
                ..Default::default()
            }),
            EdgeCode::InvalidValue,
            "settle.wagers.tables",
        ),
        (
            with_wagers(proto::RoundWagers {
                seats: vec![proto::SeatWagers {
                    seat: 1,
                    wagers: vec![round::PlacedWager::default(); 17],
                    ..Default::default()
                }],
                ..Default::default()
            }),
            EdgeCode::InvalidValue,
            "settle.wagers.seats[0].wagers",
        ),
        (
            with_wagers(proto::RoundWagers {
                seats: vec![proto::SeatWagers {
                    seat: 1,
                    wagers: vec![round::PlacedWager::default()],
                    ..Default::default()
                }],
                ..Default::default()
            }),
            EdgeCode::InvalidValue,
            "settle.wagers.seats[0].wagers[0].wager",
        ),
        (
            with_wagers(proto::RoundWagers {
                terms: Some(round::TableTerms {
                    step_micros: -1,
                    ..Default::default()
                }),
                ..Default::default()
            }),
            EdgeCode::InvalidAmount,
            "settle.wagers.terms.step_micros",
        ),
    ] {
        assert_eq!(wrong(&sent), (code, field.to_owned()));
    }
}

#[test]
fn a_sequence_out_of_range_is_refused() {
    assert_eq!(sequence(1), Ok(Sequence(1)));
    assert_eq!(sequence(Sequence::MAX), Ok(Sequence(Sequence::MAX)));
    for number in [0, Sequence::MAX + 1] {
        let error = sequence(number).expect_err("no number");
        assert_eq!(error.code, EdgeCode::InvalidSequence);
    }
}
