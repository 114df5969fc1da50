//! The hits as people see them, from keying to payment or undoing.

use meterhouse_domain::command::VoidReason;
use meterhouse_domain::event::{Event, Recorded};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::Timestamp;
use meterhouse_journal::hit::{HitBook, HitRow, HitState, ProjectError, project};

use crate::samples;

const KEYED: Timestamp = Timestamp(100);
const LATER: Timestamp = Timestamp(200);

fn keyed() -> HitBook {
    let mut book = HitBook::default();
    book.apply(KEYED, &samples::named("hit-recorded")).unwrap();
    book
}

fn after(events: &[&str]) -> HitRow {
    let mut book = keyed();
    for name in events {
        book.apply(LATER, &samples::named(name)).unwrap();
    }
    book.rows()[&samples::hit_id()].clone()
}

#[test]
fn a_keyed_hit_is_pending() {
    let row = after(&[]);
    assert_eq!(
        (row.table, row.sequence, row.hit_order, row.round),
        (7, 4_713, 12, 4_711)
    );
    assert_eq!(row.state, HitState::Pending);
    assert_eq!(
        (row.seat, row.level, row.percent),
        (Some(5), Some(0), Some(100))
    );
    assert_eq!(
        (row.before, row.after),
        (Some(10_000_267_500), Some(10_000_037_500))
    );
    assert_eq!(
        (row.reserve_before, row.overflow_before),
        (Some(30_000), Some(500))
    );
    assert_eq!((row.number, row.hand), (0, Some(Hand::RoyalFlush.code())));
    assert_eq!(row.due, 10_100_260_000);
    assert_eq!(row.cards.as_deref(), Some("As Ks Qs Js Ts"));
    assert_eq!(
        (row.keyed_by_actor, row.keyed_by.as_deref()),
        (3, Some("D-204"))
    );
    assert_eq!((row.keyed_at, row.decided_at), (100, None));
    let payouts: Vec<_> = row
        .payouts
        .iter()
        .map(|payout| (payout.number, payout.seat, payout.amount))
        .collect();
    assert_eq!(payouts, [(1, 5, 10_000_260_000), (2, 3, 100_000_000)]);
    assert_eq!(row.payouts[0].player.as_deref(), Some("p-77"));
    assert!(row.payouts.iter().all(|payout| payout.paid_at.is_none()));
}

#[test]
fn a_hit_without_validation_is_validated_by_rule() {
    let mut recorded = samples::named("hit-recorded");
    let Event::HitRecorded(hit) = &mut recorded.event else {
        unreachable!()
    };
    hit.needs_validation = false;
    let rows = project(KEYED, &recorded, &mut |_| None).unwrap();
    assert_eq!(rows[0].state, HitState::ValidatedByRule);
}

#[test]
fn a_hit_is_validated_paid_by_document_and_closed() {
    let row = after(&["hit-validated"]);
    assert_eq!(row.state, HitState::Validated);
    assert_eq!(
        (row.decided_by_actor, row.decided_by.as_deref()),
        (Some(1), Some("D-204"))
    );
    assert_eq!(row.decided_at, Some(200));
    assert_eq!(row.note.as_deref(), Some("seen with the shift manager"));
    assert_eq!(row.validated_cards.as_deref(), Some("As Ks Qs Js Ts"));

    let row = after(&["hit-validated", "payout-paid"]);
    assert_eq!(row.state, HitState::Validated);
    assert_eq!(row.payouts[0].document.as_deref(), Some("JP-2024/00017"));
    assert_eq!(
        (row.payouts[0].paid_at, row.payouts[1].paid_at),
        (Some(200), None)
    );

    let row = after(&["hit-validated", "payout-paid", "closed-with-hits"]);
    assert_eq!(row.state, HitState::Paid);
    assert_eq!(
        (row.payouts[0].paid_by_actor, row.payouts[1].paid_by_actor),
        (Some(1), Some(3))
    );
    assert_eq!(row.payouts[0].document.as_deref(), Some("JP-2024/00017"));
    assert_eq!(row.payouts[1].document, None);
}

#[test]
fn a_hit_is_paid_with_its_last_payout() {
    let mut book = keyed();
    for number in [2, 1] {
        let mut recorded = samples::named("payout-paid");
        let Event::PayoutPaid {
            number: recorded_number,
            ..
        } = &mut recorded.event
        else {
            unreachable!()
        };
        *recorded_number = number;
        book.apply(LATER, &recorded).unwrap();
        let state = book.rows()[&samples::hit_id()].state;
        assert_eq!(
            state,
            if number == 1 {
                HitState::Paid
            } else {
                HitState::Pending
            }
        );
    }
}

#[test]
fn a_hit_is_cancelled_rejected_or_voided() {
    for (name, state) in [
        ("hit-cancelled", HitState::Cancelled),
        ("hit-rejected", HitState::Rejected),
    ] {
        let row = after(&[name]);
        assert_eq!((row.state, row.decided_at), (state, Some(200)), "{name}");
    }
    let mut voided = samples::named("voided");
    voided.event = Event::RoundVoided {
        reason: VoidReason::Misdeal,
        hits: vec![samples::hit_id()],
        moves: Vec::new(),
    };
    let mut book = keyed();
    book.apply(LATER, &voided).unwrap();
    assert_eq!(book.rows()[&samples::hit_id()].state, HitState::Void);
}

#[test]
fn an_event_about_an_unrecorded_hit_is_an_error() {
    let unknown = ProjectError::UnknownHit(samples::hit_id());
    for name in [
        "hit-cancelled",
        "hit-validated",
        "hit-rejected",
        "payout-paid",
        "closed-with-hits",
        "approved-correction",
    ] {
        let mut book = HitBook::default();
        assert_eq!(
            book.apply(LATER, &samples::named(name)),
            Err(unknown),
            "{name}"
        );
        assert!(book.rows().is_empty());
    }
    let mut book = keyed();
    let before = book.clone();
    // The book holds the round's second hit, but not its first.
    let hit = samples::settled_hit(1);
    let refused = book.apply(LATER, &samples::named("voided"));
    assert_eq!(refused, Err(ProjectError::UnknownHit(hit)));
    assert_eq!(book, before);

    let mut recorded = samples::named("payout-paid");
    let Event::PayoutPaid { number, .. } = &mut recorded.event else {
        unreachable!()
    };
    *number = 3;
    let refused = ProjectError::UnknownPayout {
        hit: samples::hit_id(),
        number: 3,
    };
    assert_eq!(book.apply(LATER, &recorded), Err(refused));

    let origin = meterhouse_domain::event::Origin::Person;
    let nobodys = Recorded {
        origin,
        ..samples::named("hit-recorded")
    };
    assert_eq!(book.apply(LATER, &nobodys), Err(ProjectError::NoTable));
}

#[test]
fn other_events_change_no_hit_row() {
    for name in [
        "coin-in",
        "counted",
        "folded",
        "settled",
        "closed",
        "refused",
        "opened",
        "joined",
        "suspended",
        "resumed",
        "level-disabled",
        "level-enabled",
        "table-lost",
        "table-back",
        "table-disabled",
        "table-enabled",
        "table-left",
        "proposed-correction",
        "proposed-late-hit",
        "approved-adjustment",
        "approved-clearing",
        "declined",
        "faulted",
    ] {
        let rows = project(LATER, &samples::named(name), &mut |_| unreachable!()).unwrap();
        assert!(rows.is_empty(), "{name}");
    }
}

#[test]
fn states_keep_their_words_and_codes() {
    let words: Vec<_> = HitState::ALL
        .iter()
        .map(|state| (state.code(), state.name()))
        .collect();
    let expected = [
        (1, "pending"),
        (2, "validated_by_rule"),
        (3, "validated"),
        (4, "paid"),
        (5, "cancelled"),
        (6, "rejected"),
        (7, "void"),
        (8, "withdrawn"),
    ];
    assert_eq!(words, expected);
    for state in HitState::ALL {
        assert_eq!(HitState::from_code(state.code()), Some(*state));
        assert_eq!(HitState::from_name(state.name()), Some(*state));
    }
    assert_eq!(HitState::from_code(0), None);
}
