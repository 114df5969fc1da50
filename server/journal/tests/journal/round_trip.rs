//! Every event comes back from its row, and every accepted row from its event.

use meterhouse_domain::command::Holder;
use meterhouse_domain::event::{CoinInAccepted, Event, Origin, Recorded};
use meterhouse_domain::ids::{ActorId, Sequence, TableNo, Timestamp};
use meterhouse_domain::link::{Added, Book};
use meterhouse_domain::money::Money;
use meterhouse_domain::seat::Seat;
use meterhouse_journal::batch::EventRow;
use meterhouse_journal::codec::{DecodeError, Problem};
use meterhouse_journal::error::JournalError;
use meterhouse_journal::kind;
use meterhouse_journal::record::{RECORD_VERSION, from_row, to_row};
use proptest::prelude::*;

use crate::{chained, random, samples};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn an_event_comes_back(recorded in random::recorded()) {
        prop_assert_eq!(from_row(&to_row(&recorded)), Ok(recorded));
    }

    /// A changed column or byte is another event or an error, never the same event in another form. Only the version
    /// byte may name the older form; the hash chain covers it.
    #[test]
    fn an_accepted_row_comes_back(recorded in random::recorded()) {
        for changed in chained::changes(&to_row(&recorded)) {
            let version = changed.record.as_ref().and_then(|record| record.first());
            if version.is_some_and(|version| *version != RECORD_VERSION) {
                continue;
            }
            if let Ok(other) = from_row(&changed) {
                prop_assert_eq!(to_row(&other), changed);
                prop_assert_ne!(&other, &recorded);
            }
        }
    }
}

/// The number of every kind, by a sample of it.
const KINDS: [(&str, u8); 32] = [
    ("coin-in", 1),
    ("counted", 2),
    ("folded", 3),
    ("closed", 4),
    ("settled", 5),
    ("settled-with-wagers", 6),
    ("refused", 15),
    ("opened", 16),
    ("joined", 17),
    ("hit-recorded", 18),
    ("hit-cancelled", 19),
    ("hit-validated", 20),
    ("hit-rejected", 21),
    ("payout-paid", 22),
    ("voided", 23),
    ("closed-with-hits", 24),
    ("faulted", 25),
    ("settled-with-hits", 26),
    ("suspended", 27),
    ("resumed", 28),
    ("level-disabled", 29),
    ("level-enabled", 30),
    ("table-lost", 31),
    ("table-back", 32),
    ("proposed-correction", 33),
    ("approved-correction", 34),
    ("declined", 35),
    ("table-disabled", 36),
    ("table-enabled", 37),
    ("table-left", 38),
    ("values-accepted", 39),
    ("settled-with-wagers-and-hits", 40),
];

#[test]
fn every_kind_has_its_number() {
    for (name, number) in KINDS {
        assert_eq!(to_row(&samples::named(name)).kind, number, "{name}");
    }
    let known = |kind| KINDS.iter().any(|(_, number)| *number == kind);
    assert!(
        samples::all()
            .iter()
            .all(|(_, event)| known(to_row(event).kind))
    );
    assert!((kind::NOTABLE_MIN..=kind::ROUND_SETTLED_WITH_WAGERS_AND_HITS).all(known));
}

/// Every kind that the feed, the hits and the reports look for is notable; a table's routine is not.
#[test]
fn only_routine_kinds_are_below_notable_min() {
    for (name, recorded) in samples::all() {
        let routine = matches!(
            name,
            "coin-in"
                | "coin-in-with-record"
                | "coin-in-drawn"
                | "counted"
                | "folded"
                | "closed"
                | "settled"
                | "settled-with-wagers"
        );
        let routine = routine || name.starts_with("refused");
        assert_eq!(
            to_row(&recorded).kind < kind::NOTABLE_MIN,
            routine,
            "{name}"
        );
    }
}

#[test]
fn a_plain_coin_in_needs_no_record() {
    let row = to_row(&samples::named("coin-in"));
    let expected = EventRow {
        table: Some(7),
        sequence: Some(4_711),
        actor: 3,
        kind: kind::COIN_IN_ACCEPTED,
        own_seats: Some(0b1_0101),
        numbers: [Some(270_000), Some(210_000), Some(90_000), None],
        ..EventRow::default()
    };
    assert_eq!(row, expected);
}

/// Fields that most rounds lack cost those rounds nothing; a field that a round has is in its record.
#[test]
fn optional_fields_of_a_round_need_a_record() {
    let plain = samples::named("coin-in");
    let with = |change: &dyn Fn(&mut CoinInAccepted)| {
        let mut recorded = plain.clone();
        let Event::CoinInAccepted(coin_in) = &mut recorded.event else {
            unreachable!()
        };
        change(coin_in);
        recorded
    };
    for recorded in [
        with(&|coin_in| coin_in.over_ceiling = vec![(Book(0), Money::DOLLAR)]),
        with(&|coin_in| coin_in.draws.magic_card = Some("7d".parse().unwrap())),
        with(&|coin_in| coin_in.draws.lucky_position = Some(Holder::Dealer)),
        with(&|coin_in| coin_in.players = vec![(Seat(1), "p-1".parse().unwrap())]),
        with(&|coin_in| {
            coin_in.dealt.insert(Seat(2));
        }),
    ] {
        let row = to_row(&recorded);
        assert!(row.record.is_some(), "{recorded:?}");
        let columns = EventRow {
            record: None,
            ..row.clone()
        };
        assert_eq!(columns, to_row(&plain));
        assert_eq!(from_row(&row), Ok(recorded));
    }
}

#[test]
fn a_badge_needs_a_record() {
    let mut recorded = samples::named("coin-in");
    recorded.by = Some("D-204".parse().unwrap());
    let row = to_row(&recorded);
    assert!(row.record.is_some());
    assert_eq!(from_row(&row), Ok(recorded));
}

#[test]
fn an_empty_record_is_refused() {
    let mut recorded = samples::named("closed");
    recorded.device_time = Some(Timestamp(0));
    let mut row = to_row(&recorded);
    // The record of the same event without the device's time: there should be no record at all.
    row.record = Some(hex::decode("02ffffffff0000000000").unwrap());
    let refused = JournalError::ColumnDiffers {
        kind: kind::ROUND_CLOSED,
        column: "record",
    };
    assert_eq!(from_row(&row), Err(refused));
}

/// A version that was never released is refused, and a future version as well.
#[test]
fn a_record_of_another_version_is_refused() {
    for version in [0, 1, RECORD_VERSION + 1] {
        let mut row = to_row(&samples::named("resumed"));
        row.record.as_mut().unwrap()[0] = version;
        let problem = Problem::UnknownCode {
            what: "version of records",
            code: version,
        };
        let refused = JournalError::Record {
            kind: kind::LINK_RESUMED,
            source: DecodeError { offset: 0, problem },
        };
        assert_eq!(from_row(&row), Err(refused));
    }
}

/// A round settled without hits is routine, one with hits is not: the kinds differ, and one can't pass for the other.
#[test]
fn a_settled_round_without_hits_is_another_kind() {
    let mut row = to_row(&samples::named("settled"));
    row.kind = kind::ROUND_SETTLED_WITH_HITS;
    row.record.as_mut().unwrap().extend([0; 4]);
    let refused = JournalError::ColumnDiffers {
        kind: kind::ROUND_SETTLED_WITH_HITS,
        column: "kind",
    };
    assert_eq!(from_row(&row), Err(refused));
}

#[test]
fn summed_numbers_must_agree() {
    let mut row = to_row(&samples::named("hit-recorded"));
    assert_eq!(row.numbers[0], Some(12));
    assert_eq!(row.numbers[1], Some(10_100_260_000));
    row.numbers[1] = Some(10_100_260_001);
    let refused = JournalError::ColumnDiffers {
        kind: kind::HIT_RECORDED,
        column: "numbers",
    };
    assert_eq!(from_row(&row), Err(refused));
}

#[test]
fn columns_that_no_event_writes_are_refused() {
    let plain = to_row(&samples::named("closed"));
    let refused = |row: EventRow| from_row(&row).unwrap_err();
    for kind in (0..=255_u8).filter(|kind| {
        !(1..=6).contains(kind) && !(15..=kind::ROUND_SETTLED_WITH_WAGERS_AND_HITS).contains(kind)
    }) {
        assert_eq!(
            refused(EventRow {
                kind,
                ..plain.clone()
            }),
            JournalError::UnknownKind(kind)
        );
    }
    let (kind, column) = (kind::ROUND_CLOSED, "refusal");
    let with_refusal = EventRow {
        refusal: Some(1),
        ..plain.clone()
    };
    assert_eq!(
        refused(with_refusal),
        JournalError::ColumnDiffers { kind, column }
    );
    let without_table = EventRow {
        table: None,
        ..plain
    };
    let column = "sequence";
    assert_eq!(
        refused(without_table),
        JournalError::ColumnDiffers { kind, column }
    );
}

#[test]
fn more_shares_than_columns_go_into_the_record() {
    let Event::CoinInAccepted(mut coin_in) = samples::named("coin-in").event else {
        unreachable!()
    };
    let amounts: Vec<_> = (1..=8).map(Money::from_micros).collect();
    coin_in.added = Added::new(&amounts).unwrap();
    let origin = Origin::Table {
        table: TableNo(1),
        sequence: Sequence(1),
    };
    let event = Event::CoinInAccepted(coin_in);
    let recorded = Recorded {
        origin,
        actor: ActorId(1),
        by: None,
        device_time: None,
        event,
    };
    let row = to_row(&recorded);
    assert_eq!(row.numbers, [Some(1), Some(2), Some(3), Some(4)]);
    assert_eq!(from_row(&row), Ok(recorded));
}
