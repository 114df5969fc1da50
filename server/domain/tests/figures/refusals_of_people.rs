//! Every refusal once, with its code and fields: validating, rejecting, paying; and commands that are done already.

use meterhouse_domain::command::{PersonCommand, TableCommand, VoidReason};
use meterhouse_domain::decide::Decision;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{ActorId, HitId, Sequence, TableNo};
use meterhouse_domain::paytable::HandedOver;
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::state::HitStatus;

use super::refusals::five_card_a;
use super::support::{
    CONTROLLER, Link, SUPERVISOR, cancel, cards, is, pay, paytables, reject, validate,
};

/// A second supervisor.
const OTHER: ActorId = ActorId(3);

/// Returns a pending hit on seat 1.
fn pending(hand: Hand) -> (Link, TableNo, HitId) {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1]);
    let id = link.hit(table, 1, hand).id;
    (link, table, id)
}

const MISDEAL: TableCommand = TableCommand::Void {
    reason: VoidReason::Misdeal,
};

/// A hit that a person validated can't be changed by the dealer; an undone hit is not validated or paid.
#[test]
fn hit_not_pending() {
    let (mut link, table, hit) = pending(Hand::RoyalFlush);
    let fields = |state| [("hit", "T1.2"), ("state", state)];
    let refusal = link.refuse_person(SUPERVISOR, pay(hit, 1, "JP-1"));
    is(&refusal, RefusalCode::HitNotPending, &fields("pending"));
    link.validate(hit);
    for command in [cancel(hit), MISDEAL] {
        let refusal = link.refuse(table, &command);
        is(&refusal, RefusalCode::HitNotPending, &fields("validated"));
    }
    for command in [reject(hit, false), validate(hit)] {
        let refusal = link.refuse_person(OTHER, command);
        is(&refusal, RefusalCode::HitNotPending, &fields("validated"));
    }

    let (mut link, table, hit) = pending(Hand::RoyalFlush);
    link.cancel(hit);
    for command in [reject(hit, false), validate(hit), pay(hit, 1, "JP-1")] {
        let refusal = link.refuse_person(SUPERVISOR, command);
        is(&refusal, RefusalCode::HitNotPending, &fields("cancelled"));
    }
    let refusal = link.refuse(table, &cancel(hit));
    is(&refusal, RefusalCode::HitNotPending, &fields("cancelled"));
}

/// A paid hit is for two people only, and so is its round.
#[test]
fn hit_paid() {
    let (mut link, table, hit) = pending(Hand::RoyalFlush);
    link.validate(hit);
    link.person(SUPERVISOR, pay(hit, 1, "JP-1"));
    let fields = [("hit", "T1.2"), ("state", "validated")];
    for command in [cancel(hit), MISDEAL] {
        is(&link.refuse(table, &command), RefusalCode::HitPaid, &fields);
    }
    let refusal = link.refuse_person(OTHER, reject(hit, false));
    is(&refusal, RefusalCode::HitPaid, &fields);
    let refusal = link.refuse_person(SUPERVISOR, pay(hit, 1, "JP-2"));
    is(&refusal, RefusalCode::HitPaid, &[("document", "JP-1")]);
}

/// A fixed pay by slip without validation is paid in the same way: the button can't take it back.
#[test]
fn hit_paid_of_a_hit_validated_by_rule() {
    let mut paytable = paytables::hand_bonus();
    paytable.content.settlement.for_one.handed_over = HandedOver::Slip;
    let mut link = Link::open(paytable, "1.00");
    let table = link.table();
    link.coin_in(table, &[1]);
    let hit = link.hit(table, 1, Hand::Flush).id;
    assert_eq!(link.hit_state(hit).status, HitStatus::ValidatedByRule);
    link.pay(hit, 1);
    for command in [cancel(hit), MISDEAL] {
        assert_eq!(link.refuse(table, &command).code, RefusalCode::HitPaid);
    }
    let refusal = link.refuse_person(OTHER, reject(hit, false));
    assert_eq!(refusal.code, RefusalCode::HitPaid);
    link.play(table, &TableCommand::Close);
}

#[test]
fn keyed_by_validator() {
    let (mut link, _, hit) = pending(Hand::RoyalFlush);
    let refusal = link.refuse_person(CONTROLLER, validate(hit));
    is(&refusal, RefusalCode::KeyedByValidator, &[("hit", "T1.2")]);
}

/// The cards that a supervisor saw must also make the hand.
#[test]
fn wrong_hand_seen_by_the_supervisor() {
    let (mut link, _, hit) = pending(Hand::RoyalFlush);
    let seen = |text| PersonCommand::ValidateHit {
        hit,
        cards: Some(cards(text)),
        note: None,
    };
    let refusal = link.refuse_person(SUPERVISOR, seen("Ks Qs Js Ts 9s"));
    let fields = [("hand", "royal-flush"), ("found", "straight-flush")];
    is(&refusal, RefusalCode::WrongHand, &fields);
    link.person(SUPERVISOR, seen("As Ks Qs Js Ts"));
}

#[test]
fn not_paid_by_slip() {
    let (mut link, _, hit) = pending(Hand::Flush);
    link.validate(hit);
    let refusal = link.refuse_person(SUPERVISOR, pay(hit, 1, "JP-1"));
    is(
        &refusal,
        RefusalCode::NotPaidBySlip,
        &[("handed_over", "rack")],
    );
}

#[test]
fn no_such_payout() {
    let (mut link, _, hit) = pending(Hand::RoyalFlush);
    link.validate(hit);
    for number in [0, 2] {
        let refusal = link.refuse_person(SUPERVISOR, pay(hit, number, "JP-1"));
        let number = number.to_string();
        let fields = [("payout", number.as_str()), ("payouts", "1")];
        is(&refusal, RefusalCode::NoSuchPayout, &fields);
    }
}

/// A number that is no hit, and a hit whose round is void: no part of it is kept.
#[test]
fn unknown_hit() {
    let (mut link, table, hit) = pending(Hand::Flush);
    let other = HitId {
        sequence: Sequence(9),
        ..hit
    };
    let refusal = link.refuse_person(SUPERVISOR, validate(other));
    is(&refusal, RefusalCode::UnknownHit, &[("hit", "T1.9")]);
    link.void(table);
    for command in [validate(hit), reject(hit, false), pay(hit, 1, "JP-1")] {
        let refusal = link.refuse_person(SUPERVISOR, command);
        is(&refusal, RefusalCode::UnknownHit, &[("hit", "T1.2")]);
    }
}

/// The same person again, in the same way: nothing happens and nothing is refused.
#[test]
fn the_same_command_again_is_already_done() {
    let (mut link, _, hit) = pending(Hand::RoyalFlush);
    link.validate(hit);
    assert_eq!(
        link.person(SUPERVISOR, validate(hit)),
        Decision::AlreadyDone
    );
    link.pay(hit, 1);
    assert_eq!(
        link.person(OTHER, pay(hit, 1, "JP-000001")),
        Decision::AlreadyDone
    );
    let (mut link, _, hit) = pending(Hand::RoyalFlush);
    link.person(SUPERVISOR, reject(hit, false));
    assert_eq!(
        link.person(SUPERVISOR, reject(hit, false)),
        Decision::AlreadyDone
    );
    let refusal = link.refuse_person(OTHER, reject(hit, false));
    let fields = [("hit", "T1.2"), ("state", "rejected")];
    is(&refusal, RefusalCode::HitNotPending, &fields);
}
