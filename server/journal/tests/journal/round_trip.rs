//! Every event comes back from its row, and every accepted row from its event.

use meterhouse_domain::event::{Event, Origin, Recorded};
use meterhouse_domain::name::{ActorId, TableNo, Timestamp};
use meterhouse_journal::batch::EventRow;
use meterhouse_journal::error::JournalError;
use meterhouse_journal::kind;
use meterhouse_journal::record::{from_row, to_row};
use proptest::prelude::*;

use crate::{chained, random, samples};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn an_event_comes_back(recorded in random::recorded()) {
        prop_assert_eq!(from_row(&to_row(&recorded)), Ok(recorded));
    }

    /// A changed column or byte is another event or an error, never the same event in another form.
    #[test]
    fn an_accepted_row_comes_back(recorded in random::recorded()) {
        for changed in chained::changes(&to_row(&recorded)) {
            if let Ok(other) = from_row(&changed) {
                prop_assert_eq!(to_row(&other), changed);
                prop_assert_ne!(&other, &recorded);
            }
        }
    }
}

#[test]
fn every_kind_has_its_number() {
    let kinds: Vec<u8> = samples::all()
        .iter()
        .map(|(_, it)| to_row(it).kind)
        .collect();
    for expected in (1..=4).chain(15..=25) {
        assert!(kinds.contains(&expected), "no sample of kind {expected}");
    }
    assert!((kind::NOTABLE_MIN..=kind::LINK_FAULTED).all(|it| kinds.contains(&it)));
}

#[test]
fn a_plain_coin_in_is_columns_alone() {
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

#[test]
fn a_badge_needs_a_record() {
    let mut recorded = samples::named("coin-in");
    recorded.by = Some("D-204".parse().unwrap());
    let row = to_row(&recorded);
    assert!(row.record.is_some());
    assert_eq!(from_row(&row), Ok(recorded));
}

#[test]
fn a_record_that_says_nothing_is_refused() {
    let mut recorded = samples::named("closed");
    recorded.device_time = Some(Timestamp(0));
    let mut row = to_row(&recorded);
    // The record of the same event without the device's time: there should be none at all.
    row.record = Some(hex::decode("01ffffffff0000000000").unwrap());
    let refused = JournalError::ColumnDiffers {
        kind: kind::ROUND_CLOSED,
        column: "record",
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
    for kind in (0..=255_u8).filter(|it| !(1..=4).contains(it) && !(15..=25).contains(it)) {
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
    let Event::CoinInAccepted(mut it) = samples::named("coin-in").event else {
        unreachable!()
    };
    let amounts: Vec<_> = (1..=8)
        .map(meterhouse_domain::money::Money::from_micros)
        .collect();
    it.added = meterhouse_domain::link::Added::new(&amounts).unwrap();
    let origin = Origin::Table {
        table: TableNo(1),
        sequence: meterhouse_domain::name::Sequence(1),
    };
    let event = Event::CoinInAccepted(it);
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
