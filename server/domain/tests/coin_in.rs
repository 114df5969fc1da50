//! Coin-in: repeats, contradictions, unreasonable contributions, the count of the chips (CONFORMANCE 4 to 9).

use meterhouse_domain::command::{CoinIn, Command, Envelope, TableCommand, VoidReason, Wager};
use meterhouse_domain::decide::{Fence, Stop, decide, fence, open};
use meterhouse_domain::event::{CoinInAccepted, Event};
use meterhouse_domain::ids::{Sequence, TableNo, Timestamp};
use meterhouse_domain::link::{Account, LinkSettings, LinkTerms};
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::repeat::is_repeat;
use meterhouse_domain::seat::Seat;

#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;

use support::{
    CONTROLLER, Link, OPENED_AT, SUPERVISOR, coin_in_of, dollars, is, own, paytables, terms,
};

const DOLLAR: Money = Money::DOLLAR;
const SECOND: i64 = 1_000_000;

fn five_card_a() -> (Link, TableNo) {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let table = link.table();
    (link, table)
}

/// Returns terms with a limit of rounds a minute.
fn limited(rounds: u32) -> LinkTerms {
    LinkTerms {
        settings: LinkSettings {
            rounds_a_minute_max: Some(rounds),
            ..LinkSettings::default()
        },
        ..terms(paytables::five_card_a(), "1.00")
    }
}

/// CONFORMANCE 4, the rules' part: a used number, in the round and after GAME OVER, is behind the fence. The same
/// content in any order of its list is recognised as the same command.
#[test]
fn a_repeat_is_recognised() {
    let (mut link, table) = five_card_a();
    let command = coin_in_of(&[1, 2, 3], DOLLAR);
    let event = link.play(table, &command);
    let state = link.state.clone();
    for _ in 0..2 {
        let felt = link
            .state
            .table(table)
            .map(|table| fence(table, Sequence(1)));
        assert_eq!(felt, Some(Fence::Used));
        let terms = &link.state.terms;
        assert!(is_repeat(terms, &event, &command));
        assert!(is_repeat(terms, &event, &coin_in_of(&[3, 1, 2], DOLLAR)));
        link.play(table, &TableCommand::Close);
        link.coin_in(table, &[4]);
    }
    assert_eq!(state.last_order, link.state.last_order);
}

/// CONFORMANCE 5: the same number with other seats, another amount, other seats dealt in, or as another command is a
/// contradiction, not a repeat.
#[test]
fn a_contradictory_repeat_is_recognised() {
    let (mut link, table) = five_card_a();
    let event = link.play(table, &coin_in_of(&[1, 2, 3], DOLLAR));
    let fewer_dealt = TableCommand::CoinIn(CoinIn {
        wagers: [1, 2, 3].map(|seat| own(seat, DOLLAR)).to_vec(),
        dealt: [1, 2, 3].map(Seat).to_vec(),
    });
    for other in [
        coin_in_of(&[1, 2], DOLLAR),
        coin_in_of(&[1, 2, 4], DOLLAR),
        coin_in_of(&[1, 2, 3], dollars("2.00")),
        fewer_dealt,
        TableCommand::Close,
    ] {
        assert!(!is_repeat(&link.state.terms, &event, &other), "{other:?}");
    }
}

/// CONFORMANCE 6: amounts that are not the link's, zero and negative amounts, and seats that the layout doesn't have.
/// Nothing of such a round is counted ([`Link::refuse`] compares the whole state).
#[test]
fn an_unreasonable_contribution_is_refused() {
    let (mut link, table) = five_card_a();
    for amount in ["0.00", "0.99", "1.01", "5.00"].map(dollars) {
        let wagers = vec![own(1, DOLLAR), own(2, amount)];
        let dealt = [1, 2].map(Seat).to_vec();
        let refusal = link.refuse(table, &TableCommand::CoinIn(CoinIn { wagers, dealt }));
        assert_eq!(refusal.code, RefusalCode::WrongAmount);
    }
    let negative = Wager {
        amount: Money::from_micros(-DOLLAR.micros()),
        ..own(1, DOLLAR)
    };
    let refused = TableCommand::CoinIn(CoinIn {
        wagers: vec![negative],
        dealt: vec![Seat(1)],
    });
    let refusal = link.refuse(table, &refused);
    assert_eq!(refusal.code, RefusalCode::WrongAmount);
    for seats in [&[0, 1][..], &[7], &[1, 2, 3, 4, 5, 6, 7]] {
        let refusal = link.refuse(table, &coin_in_of(seats, DOLLAR));
        assert_eq!(refusal.code, RefusalCode::SeatNotOnLayout);
    }
    let refusal = link.refuse(table, &coin_in_of(&[1, 2, 1], DOLLAR));
    assert_eq!(refusal.code, RefusalCode::SeatTwice);
}

/// CONFORMANCE 6: more rounds a minute than the link allows. The minute begins with its first round; another table
/// has its own. A void round counts, because it was locked.
#[test]
fn too_many_rounds_a_minute_are_refused() {
    let mut link = Link::open_with(limited(2));
    let (table, other) = (link.table(), link.table());
    link.rounds(table, 1, &[1]);
    link.at = Timestamp(OPENED_AT.0 + 59 * SECOND);
    link.coin_in(table, &[1]);
    link.void(table);
    let again = coin_in_of(&[1], DOLLAR);
    let refusal = link.refuse(table, &again);
    let fields = [("rounds_a_minute_max", "2")];
    is(&refusal, RefusalCode::UnreasonableRate, &fields);
    link.rounds(other, 2, &[1]);
    link.at = Timestamp(OPENED_AT.0 + 60 * SECOND - 1);
    link.refuse(table, &again);
    link.at = Timestamp(OPENED_AT.0 + 60 * SECOND);
    link.rounds(table, 2, &[1]);
    link.refuse(table, &again);
}

/// A clock that is set back neither stops a table nor makes one minute last for ever (CONFORMANCE 49: time orders
/// nothing).
#[test]
fn the_rate_limit_survives_a_clock_set_back() {
    let mut link = Link::open_with(limited(1));
    let table = link.table();
    link.rounds(table, 1, &[1]);
    link.at = Timestamp(OPENED_AT.0 - 3_600 * SECOND);
    link.rounds(table, 1, &[1]);
    let refusal = link.refuse(table, &coin_in_of(&[1], DOLLAR));
    assert_eq!(refusal.code, RefusalCode::UnreasonableRate);
}

/// A link without the setting keeps no minute.
#[test]
fn a_link_without_a_rate_limit_counts_no_rounds() {
    let (mut link, table) = five_card_a();
    link.rounds(table, 1_000, &[1]);
    let minute = link.state.table(table).map(|table| table.minute);
    assert_eq!(minute, Some(meterhouse_domain::state::Minute::default()));
}

/// Settings without meaning are refused when the link opens.
#[test]
fn settings_out_of_range_are_refused() {
    let silence = |seconds| LinkSettings {
        silence_seconds_max: Some(seconds),
        ..LinkSettings::default()
    };
    let most = u32::MAX.to_string();
    for (settings, field, value, most) in [
        (
            limited(0).settings,
            "rounds_a_minute_max",
            "0",
            most.as_str(),
        ),
        (silence(0), "silence_seconds_max", "0", "3600"),
        (silence(3_601), "silence_seconds_max", "3601", "3600"),
    ] {
        let terms = LinkTerms {
            settings,
            ..limited(1)
        };
        let Err(Stop::Refused(refusal)) = open(terms) else {
            unreachable!("{field} {value} is out of its range");
        };
        let fields = [(field, value), ("least", "1"), ("most", most)];
        is(&refusal, RefusalCode::OutOfRange, &fields);
    }
    for settings in [silence(1), silence(3_600)] {
        Link::open_with(LinkTerms {
            settings,
            ..limited(1)
        });
    }
}

/// CONFORMANCE 7: a table that never joined is unknown to the rules, and a name joins once.
#[test]
fn a_coin_in_of_an_unknown_table_is_refused() {
    let (link, _) = five_card_a();
    let envelope = Envelope {
        actor: CONTROLLER,
        by: None,
        device_time: None,
        command: Command::Table {
            table: TableNo(2),
            sequence: Sequence(1),
            command: coin_in_of(&[1], DOLLAR),
        },
    };
    let answer = decide(&link.state, &envelope, &link.inputs());
    assert!(matches!(answer, Err(Stop::Broken(_))));

    let (mut link, _) = five_card_a();
    let mut twin = link.join("T1");
    twin.seats = 5;
    let join = meterhouse_domain::command::PersonCommand::JoinTable(Box::new(twin));
    let refusal = link.refuse_person(SUPERVISOR, join);
    is(&refusal, RefusalCode::TableDiffers, &[("table", "T1")]);
}

/// CONFORMANCE 8: the count is compared with the accepted wagers; a mismatch takes the round back.
#[test]
fn a_count_mismatch_takes_the_round_back() {
    let (mut link, table) = five_card_a();
    let before = link.state.balances.clone();
    link.coin_in(table, &[1, 2, 3]);
    for chips in [3, 4] {
        let counted = link.play(table, &TableCommand::Count { chips });
        assert_eq!(counted, Event::ChipsCounted { chips, accepted: 3 });
    }
    let reason = VoidReason::CountMismatch;
    link.play(table, &TableCommand::Void { reason });
    assert_eq!(link.state.balances, before);
    assert_eq!(link.state.lifetime.wagers_voided, 3);
}

/// CONFORMANCE 9: once the bets are locked no seat is added, for any command.
#[test]
fn no_seat_is_added_after_the_lock() {
    let (mut link, table) = five_card_a();
    let event = link.play(table, &coin_in_of(&[1, 2], DOLLAR));
    let Event::CoinInAccepted(CoinInAccepted { own: lit, .. }) = event else {
        unreachable!("a coin-in is accepted");
    };
    let refusal = link.refuse(table, &coin_in_of(&[3], DOLLAR));
    is(&refusal, RefusalCode::RoundOpen, &[("round", "1")]);
    let round = link
        .state
        .table(table)
        .and_then(|table| table.round.as_ref());
    assert_eq!(round.map(|round| round.own), Some(lit));
    let players = link.balance(0, Account::Players);
    assert_eq!(players.to_string(), "-0.42");
}
