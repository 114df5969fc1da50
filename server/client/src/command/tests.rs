//! Commands as messages of the wire.

use std::time::{Duration, UNIX_EPOCH};

use meterhouse_proto::table::command::Command as WireCommand;
use meterhouse_proto::table::{self as wire, holder};

use super::{CancelHit, Close, CoinIn, Command, Hit, Holder, LIST_MAX, Wager};
use crate::money::Money;
use crate::values::{Hand, HitName, Seat};

fn message(command: impl Into<Command>) -> wire::Command {
    let now = UNIX_EPOCH + Duration::from_micros(7);
    command.into().message(now).unwrap()
}

/// Each wager has its amount, hand and player.
#[test]
fn a_coin_in_has_its_wagers_and_the_seats_dealt_in() {
    let dollar = Money::dollars(1);
    let wagers = vec![
        Wager::own(Seat(1), dollar),
        Wager::on_dealer(Seat(3), dollar).of("p-77".parse().unwrap()),
    ];
    let dealt = vec![Seat(1), Seat(2), Seat(3)];
    let sent = message(CoinIn { wagers, dealt });
    let Some(WireCommand::CoinIn(coin_in)) = sent.command else {
        panic!("another command");
    };
    let wager = |seat, on_dealer, player: &str| wire::Wager {
        seat,
        amount_micros: 1_000_000,
        on_dealer,
        player: player.to_owned(),
    };
    assert_eq!(
        coin_in.wagers,
        [wager(1, false, ""), wager(3, true, "p-77")]
    );
    assert_eq!(coin_in.dealt, [1, 2, 3]);
}

/// Without a time of the controller, the command has the time of sending.
#[test]
fn a_command_has_its_badge_and_the_time_of_sending() {
    let plain = message(Close);
    assert_eq!(
        (plain.device_time_micros, plain.badge.as_str()),
        (Some(7), "")
    );
    let hit = Hit {
        holder: Holder::Dealer,
        hand: Hand::RoyalFlush,
        cards: Some("As Ks".parse().unwrap()),
    };
    let at = UNIX_EPOCH + Duration::from_secs(1);
    let sent = message(hit.by("d-12".parse().unwrap()).at(at));
    assert_eq!(
        (sent.device_time_micros, sent.badge.as_str()),
        (Some(1_000_000), "d-12")
    );
    let expected = wire::Hit {
        holder: Some(wire::Holder {
            holder: Some(holder::Holder::Dealer(wire::Dealer {})),
        }),
        hand: "royal-flush".to_owned(),
        cards: Some(wire::Cards {
            cards: vec!["As".to_owned(), "Ks".to_owned()],
        }),
    };
    assert_eq!(sent.command, Some(WireCommand::Hit(expected)));
}

#[test]
fn a_time_that_the_server_would_refuse_is_left_out() {
    let sent = |at| message(Command::from(Close).at(at)).device_time_micros;
    let last = UNIX_EPOCH + Duration::from_micros(253_402_300_799_999_999);
    assert_eq!(sent(last), Some(253_402_300_799_999_999));
    assert_eq!(sent(last + Duration::from_micros(1)), None);
    assert_eq!(sent(UNIX_EPOCH), Some(0));
    let before = UNIX_EPOCH.checked_sub(Duration::from_micros(1));
    assert_eq!(sent(before.unwrap()), None);
}

#[test]
fn a_hit_is_cancelled_by_name_at_its_own_table_only() {
    let hit: HitName = "C4P-07.4713.2".parse().unwrap();
    let cancel = |own: &str| CancelHit::named(&hit, &own.parse().unwrap());
    let expected = wire::CancelHit {
        sequence: 4713,
        number: 2,
    };
    let sent = message(cancel("C4P-07").unwrap());
    assert_eq!(sent.command, Some(WireCommand::CancelHit(expected)));
    assert_eq!(cancel("C4P-08"), None);
}

#[test]
fn a_list_that_is_too_long_is_refused() {
    let coin_in = |count| {
        let command = CoinIn {
            wagers: vec![Wager::own(Seat(1), Money::dollars(1)); count],
            dealt: Vec::new(),
        };
        Command::from(command).message(UNIX_EPOCH)
    };
    assert!(coin_in(LIST_MAX).is_ok());
    let error = coin_in(LIST_MAX + 1).unwrap_err().to_string();
    assert_eq!(error, "65 wagers in one command; the maximum is 64");
}

/// A round whose wagers the server could not read is not stored.
#[test]
fn a_list_of_wagers_that_is_too_long_is_refused() {
    let settle = |tables, wagers| {
        let id: crate::PaytableId = "pa-657a-ante-play".parse().unwrap();
        let ten = Money::dollars(10);
        let command = crate::Settle {
            wagers: Some(crate::RoundWagers {
                jurisdiction: crate::Jurisdiction::Pennsylvania,
                terms: crate::TableTerms::new(ten, ten),
                tables: vec![id; tables],
                bonus: "".parse().unwrap(),
                seats: vec![crate::SeatWagers {
                    seat: Seat(1),
                    player: None,
                    end: crate::SeatEnd::Stayed,
                    wagers: vec![(crate::FixedWager::Ante, ten); wagers],
                }],
            }),
            ..crate::Settle::default()
        };
        let stored = Command::from(command).message(UNIX_EPOCH);
        stored.map_err(|error| error.to_string())
    };
    assert!(settle(24, 16).is_ok());
    let error = settle(25, 16).unwrap_err();
    assert_eq!(
        error,
        "25 tables of wagers in one command; the maximum is 24"
    );
    let error = settle(24, 17).unwrap_err();
    assert_eq!(
        error,
        "17 wagers of a seat in one command; the maximum is 16"
    );
}
