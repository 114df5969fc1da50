//! The hits as people see them: those of a settled round, after corrections, and late hits.

use meterhouse_domain::change::Effect;
use meterhouse_domain::event::{Event, HitKind, PayoutKind, Recorded};
use meterhouse_domain::ids::{HitId, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_journal::hit::{HitBook, HitRow, HitState, ProjectError};

use crate::sample_changes::late_hit_id;
use crate::samples::{self, hit_id, settled_hit};

const KEYED: Timestamp = Timestamp(100);
const LATER: Timestamp = Timestamp(200);
const LAST: Timestamp = Timestamp(300);

/// Returns the sample hit, followed by the three of the settled round.
fn book() -> HitBook {
    let mut book = HitBook::default();
    for name in ["hit-recorded", "settled-with-hits"] {
        book.apply(KEYED, &samples::named(name)).unwrap();
    }
    book
}

fn row(book: &HitBook, hit: HitId) -> &HitRow {
    &book.rows()[&hit]
}

/// Returns the sample with another hit in place of the one that it validates or pays.
fn about(name: &str, other: HitId) -> Recorded {
    let mut recorded = samples::named(name);
    match &mut recorded.event {
        Event::HitValidated { hit, .. } | Event::PayoutPaid { hit, .. } => *hit = other,
        Event::RoundClosed { hits, .. } => *hits = vec![other],
        _ => unreachable!(),
    }
    recorded
}

#[test]
fn the_hits_of_a_settled_round_are_numbered() {
    let book = book();
    assert_eq!(book.rows().len(), 4);
    let [percent, fixed, bonus] = [1, 2, 3].map(|number| row(&book, settled_hit(number)));
    for (number, row) in (1..).zip([percent, fixed, bonus]) {
        assert_eq!((row.sequence, row.number), (4_715, number));
        assert_eq!((row.keyed_by_actor, row.keyed_at), (3, 100));
    }
    assert_eq!((percent.seat, percent.state), (None, HitState::Pending));
    // A fixed pay that comes off the level has no percentage, a bonus of the draw has no hand.
    assert_eq!((fixed.level, fixed.percent), (Some(0), None));
    assert_eq!(
        (fixed.before, fixed.after, fixed.due),
        (Some(9_000_000_000), Some(8_950_000_000), 50_000_000)
    );
    assert_eq!(fixed.state, HitState::ValidatedByRule);
    assert_eq!((bonus.kind, bonus.hand), (HitKind::LuckyBonus.code(), None));
    assert_eq!((bonus.level, bonus.reserve_before), (None, None));
}

#[test]
fn game_over_pays_what_no_document_has_paid() {
    let mut book = book();
    let bonus = settled_hit(3);
    book.apply(LATER, &about("closed-with-hits", bonus))
        .unwrap();
    let row = row(&book, bonus);
    assert_eq!(row.state, HitState::Paid);
    assert_eq!(
        (row.payouts[0].paid_at, row.payouts[0].document.as_deref()),
        (Some(200), None)
    );
}

/// Figure N: a validated hit waits again, with the amounts that it has without the rejected hit.
#[test]
fn a_rejected_hit_sends_later_hits_back_to_pending() {
    let mut book = book();
    let later = settled_hit(1);
    book.apply(LATER, &about("hit-validated", later)).unwrap();
    assert_eq!(row(&book, later).state, HitState::Validated);
    book.apply(LAST, &samples::named("hit-rejected-resettling"))
        .unwrap();
    assert_eq!(row(&book, hit_id()).state, HitState::Rejected);
    let row = row(&book, later);
    assert_eq!(row.state, HitState::Pending);
    assert_eq!(
        (row.due, row.before, row.after),
        (1_050_000_000, Some(10_500_000_000), Some(9_450_000_000))
    );
    assert_eq!(row.payouts.len(), 1);
    assert_eq!(row.payouts[0].amount, 1_050_000_000);
    // The validator of the old amounts has not validated the new ones.
    assert_eq!((row.decided_by_actor, row.decided_at), (None, None));
    assert_eq!((row.decided_by.as_ref(), row.note.as_ref()), (None, None));
    assert_eq!(row.validated_cards, None);
    // The values that the table keyed stay.
    assert_eq!(
        (row.keyed_at, row.cards.as_deref()),
        (100, Some("As Ks Qs Js Ts"))
    );
}

/// Figure N: an underpaid player gets a supplement; the hit is not paid until the supplement is.
#[test]
fn a_withdrawn_hit_leaves_supplements_to_later_hits() {
    let mut book = book();
    let later = settled_hit(1);
    for name in ["hit-validated", "payout-paid"] {
        book.apply(LATER, &about(name, later)).unwrap();
    }
    assert_eq!(row(&book, later).state, HitState::Paid);
    book.apply(LAST, &samples::named("approved-correction"))
        .unwrap();

    let withdrawn = row(&book, hit_id());
    assert_eq!(withdrawn.state, HitState::Withdrawn);
    assert_eq!(
        (withdrawn.decided_by_actor, withdrawn.decided_at),
        (Some(1), Some(300))
    );
    let corrected = row(&book, later);
    assert_eq!(
        (corrected.state, corrected.due),
        (HitState::Validated, 1_050_000_000)
    );
    let [paid, supplement] = &corrected.payouts[..] else {
        panic!("two payouts");
    };
    assert_eq!((paid.amount, paid.paid_at), (1_000_000_000, Some(200)));
    assert_eq!(paid.document.as_deref(), Some("JP-2024/00017"));
    assert_eq!(
        (supplement.number, supplement.amount, supplement.paid_at),
        (2, 50_000_000, None)
    );
    assert_eq!(supplement.kind, PayoutKind::Supplement.code());

    let mut paying = about("payout-paid", later);
    if let Event::PayoutPaid { number, .. } = &mut paying.event {
        *number = 2;
    }
    book.apply(LAST, &paying).unwrap();
    assert_eq!(row(&book, later).state, HitState::Paid);
}

/// A second correction may remove an unpaid supplement: then everything owed is paid.
#[test]
fn an_unpaid_supplement_is_removed_by_a_later_correction() {
    let mut book = book();
    let later = settled_hit(1);
    for name in ["hit-validated", "payout-paid"] {
        book.apply(LATER, &about(name, later)).unwrap();
    }
    let correction = samples::named("approved-correction");
    book.apply(LAST, &correction).unwrap();
    let mut second = correction;
    if let Event::ChangeApproved { effect, .. } = &mut second.event
        && let Effect::Corrected { resettled, .. } = effect.as_mut()
    {
        resettled[0].payouts.truncate(1);
    }
    book.apply(LAST, &second).unwrap();
    let row = row(&book, later);
    assert_eq!((row.payouts.len(), row.due), (1, 1_000_000_000));
    assert_eq!(row.state, HitState::Paid);
}

/// A hit validated by rule is paid at GAME OVER and then gets a supplement: it is validated by rule again.
#[test]
fn a_supplement_reopens_a_hit_validated_by_rule() {
    let mut book = book();
    let fixed = settled_hit(2);
    book.apply(LATER, &about("closed-with-hits", fixed))
        .unwrap();
    let mut correction = samples::named("approved-correction");
    if let Event::ChangeApproved { effect, .. } = &mut correction.event
        && let Effect::Corrected { resettled, .. } = effect.as_mut()
    {
        resettled[0].hit = fixed;
    }
    book.apply(LAST, &correction).unwrap();
    assert_eq!(row(&book, fixed).state, HitState::ValidatedByRule);
}

/// Figure R: the second person's approval validates a late hit.
#[test]
fn a_late_hit_is_recorded_as_validated() {
    let mut book = book();
    book.apply(LAST, &samples::named("approved-late-hit"))
        .unwrap();
    let row = row(&book, late_hit_id());
    assert_eq!((row.sequence, row.number, row.round), (4_711, 1, 4_711));
    assert_eq!((row.hit_order, row.state), (16, HitState::Validated));
    assert_eq!(
        (row.keyed_by_actor, row.decided_by_actor, row.decided_at),
        (1, Some(1), Some(300))
    );
    assert_eq!((row.due, row.level), (50_000_000, None));
    assert_eq!(row.payouts[0].paid_at, None);
}

#[test]
fn a_later_hit_that_was_never_recorded_changes_nothing() {
    for name in ["hit-rejected-resettling", "approved-correction"] {
        let mut book = HitBook::default();
        book.apply(KEYED, &samples::named("hit-recorded")).unwrap();
        let before = book.clone();
        let refused = book.apply(LATER, &samples::named(name));
        let unknown = ProjectError::UnknownHit(settled_hit(1));
        assert_eq!(refused, Err(unknown), "{name}");
        assert_eq!(unknown.to_string(), "no hit 4715.1 of table 7 is recorded");
        assert_eq!(book, before);
    }
}

#[test]
fn sums_out_of_range_are_refused() {
    let mut book = book();
    let mut correction = samples::named("approved-correction");
    if let Event::ChangeApproved { effect, .. } = &mut correction.event
        && let Effect::Corrected { resettled, .. } = effect.as_mut()
    {
        let payouts = resettled[0].payouts.iter_mut();
        payouts.for_each(|payout| payout.amount = Money::from_micros(i64::MAX));
    }
    let refused = ProjectError::DueOutOfRange(settled_hit(1));
    assert_eq!(book.apply(LATER, &correction), Err(refused));
}
