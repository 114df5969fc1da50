//! Untrusted bytes: an error, never a panic, never much memory.

use meterhouse_domain::change::{Effect, Propose};
use meterhouse_domain::command::Command;
use meterhouse_domain::event::HitRecorded;
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::paytable::Paytable;
use meterhouse_domain::state::LinkState;
use meterhouse_journal::batch::EventRow;
use meterhouse_journal::codec::{ABSENT, Canonical, DecodeError, Problem, from_bytes, to_bytes};
use meterhouse_journal::kind;
use meterhouse_journal::record::{RECORD_VERSION, from_row, to_row};
use meterhouse_journal::snapshot::{SNAPSHOT_FORMAT, Snapshot};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use sha2::{Digest, Sha256};

use crate::{random_commands, random_state, random_terms};

/// Checks that an accepted value has these bytes as its only form.
fn accepts_only_the_canonical<T: Canonical>(bytes: &[u8]) {
    if let Ok(value) = from_bytes::<T>(bytes) {
        assert_eq!(to_bytes(&value), bytes);
    }
}

fn feed_all(bytes: &[u8]) {
    accepts_only_the_canonical::<LinkTerms>(bytes);
    accepts_only_the_canonical::<Paytable>(bytes);
    accepts_only_the_canonical::<Command>(bytes);
    accepts_only_the_canonical::<HitRecorded>(bytes);
    accepts_only_the_canonical::<Propose>(bytes);
    accepts_only_the_canonical::<Effect>(bytes);
    accepts_only_the_canonical::<LinkState>(bytes);
    accepts_only_the_canonical::<Vec<(String, String)>>(bytes);
    let _ = Snapshot::decode(bytes);
    for format in [&[][..], &SNAPSHOT_FORMAT.to_be_bytes()] {
        let mut sealed = [format, bytes].concat();
        let hash = Sha256::digest(&sealed);
        sealed.extend_from_slice(&hash);
        let _ = Snapshot::decode(&sealed);
    }
}

/// Mostly small bytes: they pass for codes, presences and lengths more often.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(prop_oneof![4 => 0_u8..4, 1 => any::<u8>()], 0..300)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn random_bytes(bytes in bytes()) {
        feed_all(&bytes);
    }

    #[test]
    fn random_rows(
        columns in any::<(Option<u32>, Option<u64>, i32, Option<u8>, Option<u16>, Option<u16>)>(),
        numbers in any::<[Option<i64>; 4]>(),
        kind in 0_u8..=kind::CHANGE_DECLINED + 1,
        record in of(bytes()),
    ) {
        let (table, sequence, actor, refusal, own_seats, dealer_seats) = columns;
        let record = record.map(|mut bytes| { bytes.insert(0, RECORD_VERSION); bytes });
        let row = EventRow {
            table, sequence, actor, kind, refusal, own_seats, dealer_seats, numbers, record,
        };
        if let Ok(recorded) = from_row(&row) {
            prop_assert_eq!(to_row(&recorded), row);
        }
    }

    #[test]
    fn truncated_and_altered_values(
        value in prop_oneof![
            random_commands::command().prop_map(|command| to_bytes(&command)),
            random_terms::paytable().prop_map(|paytable| to_bytes(&paytable)),
            random_state::state().prop_map(|state| to_bytes(&state)),
        ],
        index in any::<proptest::sample::Index>(),
        with in any::<[u8; 4]>(),
    ) {
        let index = index.index(value.len());
        feed_all(&value[..index]);
        let mut bent = value.clone();
        bent[index] ^= with[0] | 1;
        feed_all(&bent);
        let mut spliced = value;
        spliced.splice(index..index, with);
        feed_all(&spliced);
    }
}

fn refused<T: Canonical>(hexadecimal: &str) -> DecodeError {
    from_bytes::<T>(&hex::decode(hexadecimal).unwrap())
        .err()
        .unwrap()
}

#[test]
fn errors_name_offset_and_reason() {
    let at = |offset, problem| DecodeError { offset, problem };
    assert_eq!(refused::<u32>("000000"), at(0, Problem::EndsEarly));
    assert_eq!(refused::<u8>("0000"), at(1, Problem::Trailing { count: 1 }));
    assert_eq!(
        refused::<(u8, bool)>("0702"),
        at(1, Problem::NotZeroOrOne(2))
    );
    assert_eq!(
        refused::<Option<u8>>("0201"),
        at(0, Problem::NotZeroOrOne(2))
    );
    assert_eq!(refused::<String>("ffffffff"), at(0, Problem::Absent));
    assert_eq!(refused::<Vec<u8>>("ffffffff"), at(0, Problem::Absent));
    assert_eq!(refused::<String>("00000001ff"), at(0, Problem::NotUtf8));
    assert_eq!(
        refused::<(u8, String)>("0000000002ff"),
        at(1, Problem::EndsEarly)
    );
    let message = refused::<meterhouse_domain::card::Card>("34").to_string();
    assert_eq!(message, "at byte 0: no card has the code 52");
    let message = refused::<meterhouse_domain::seat::SeatSet>("8000").to_string();
    assert_eq!(message, "at byte 0: the value is no set of seats");
}

/// A count of four thousand million without items behind it costs no memory.
#[test]
fn a_huge_count_allocates_nothing() {
    let count = (ABSENT - 1).to_be_bytes();
    assert!(from_bytes::<Vec<u64>>(&count).is_err());
    assert!(from_bytes::<Vec<(String, String)>>(&count).is_err());
    assert!(from_bytes::<String>(&count).is_err());
}
