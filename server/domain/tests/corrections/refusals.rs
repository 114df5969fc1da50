//! Reasons against a reject or a correction.

use meterhouse_domain::change::Change;
use meterhouse_domain::command::TableCommand;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{HitId, Sequence};
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::state::CLOSED_HITS_KEPT;

use super::people::{both, refused};
use super::support::{Link, SUPERVISOR, is, paytables, reject};
use super::{figure_h, linked};

/// CONFORMANCE 26: refused or escalated, never silently recomputed.
#[test]
fn without_resettle_later_hits_are_named() {
    let (mut link, first, _) = figure_h();
    let refusal = link.refuse_person(SUPERVISOR, reject(first, false));
    assert_eq!(refusal.code, RefusalCode::LaterHits);
    assert_eq!(refusal.fields, [("hits".to_owned(), "T3.2".to_owned())]);
    let refusal = link.refuse(first.table, &super::support::cancel(first));
    assert_eq!(refusal.code, RefusalCode::LaterHits);
}

#[test]
fn with_resettle_paid_later_hits_are_named() {
    let (mut link, first, second) = figure_h();
    link.validate(second);
    link.pay(second, 1);
    let refusal = link.refuse_person(SUPERVISOR, reject(first, true));
    assert_eq!(refusal.code, RefusalCode::HitPaid);
    assert_eq!(refusal.fields, [("hits".to_owned(), "T3.2".to_owned())]);
}

/// A hit that one supervisor can reject needs no two people; an undone hit is not undone again.
#[test]
fn a_hit_that_can_be_rejected_needs_no_two_people() {
    let (mut link, one, _) = linked(paytables::five_card_a(), "20,000.00");
    let hit = link.hit(one, 1, Hand::StraightFlush).id;
    let correct = || Change::Correct { hit };
    assert_eq!(refused(&mut link, correct()), RefusalCode::NotValidated);
    link.cancel(hit);
    assert_eq!(refused(&mut link, correct()), RefusalCode::HitNotPending);

    let hit = link.hit(one, 1, Hand::RoyalFlush).id;
    link.validate(hit);
    both(&mut link, Change::Correct { hit });
    let again = Change::Correct { hit };
    assert_eq!(refused(&mut link, again), RefusalCode::HitNotPending);
}

/// The last hits of each level are kept; older ones are for an adjustment.
#[test]
fn a_hit_that_is_no_longer_kept_is_too_old() {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let table = link.table();
    let mut hits = Vec::new();
    for _ in 0..=CLOSED_HITS_KEPT {
        link.coin_in(table, &[1]);
        let hit = link.hit(table, 1, Hand::StraightFlush).id;
        link.validate(hit);
        link.pay(hit, 1);
        link.play(table, &TableCommand::Close);
        hits.push(hit);
    }
    let oldest = Change::Correct { hit: hits[0] };
    assert_eq!(refused(&mut link, oldest), RefusalCode::TooOld);
    let next = Change::Correct { hit: hits[1] };
    both(&mut link, next);
    assert_eq!(link.state.closed.len(), CLOSED_HITS_KEPT);

    let never = HitId {
        sequence: Sequence(9_999),
        ..hits[0]
    };
    let never = Change::Correct { hit: never };
    assert_eq!(refused(&mut link, never), RefusalCode::UnknownHit);
}

/// More paid hits depend on an open round's hit than are kept. Neither a supervisor nor two people can then find the
/// source of their pays.
#[test]
fn a_pending_hit_before_forgotten_ones_is_too_old() {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let (waiting, playing) = (link.table(), link.table());
    link.coin_in(waiting, &[1]);
    let first = link.hit(waiting, 1, Hand::StraightFlush).id;
    for _ in 0..=CLOSED_HITS_KEPT {
        link.coin_in(playing, &[1]);
        let hit = link.hit(playing, 1, Hand::StraightFlush).id;
        link.validate(hit);
        link.pay(hit, 1);
        link.play(playing, &TableCommand::Close);
    }
    let change = Change::Correct { hit: first };
    assert_eq!(refused(&mut link, change), RefusalCode::TooOld);
    for resettle in [true, false] {
        let refusal = link.refuse_person(SUPERVISOR, reject(first, resettle));
        is(&refusal, RefusalCode::TooOld, &[("hit", "T1.2")]);
    }
}
