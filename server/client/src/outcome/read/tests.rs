//! Outcomes as they are read from the wire.

use std::collections::{BTreeMap, HashMap};

use meterhouse_proto::table::outcome::Outcome as WireEffect;
use meterhouse_proto::table::{self as wire, holder};

use crate::command::Holder;
use crate::error::Unreadable;
use crate::money::Money;
use crate::outcome::{ChargedTo, Effect, HandedOver, HitKind, HitState, Outcome, PayoutKind};
use crate::values::Seat;

fn wire_outcome(outcome: Option<WireEffect>) -> wire::Outcome {
    wire::Outcome {
        handle: 1,
        sequence: 2,
        replayed: true,
        at_micros: 1_000_000,
        batch: 5,
        position: 3,
        displayed_micros: vec![10_000_000_000, 1_000_210_000],
        standing: None,
        outcome,
    }
}

fn hit_done() -> wire::HitDone {
    wire::HitDone {
        hit: "C4P-07.2".to_owned(),
        round: 1,
        order: 1,
        kind: "line".to_owned(),
        holder: Some(wire::Holder {
            holder: Some(holder::Holder::Seat(3)),
        }),
        hand: "royal-flush".to_owned(),
        state: "pending".to_owned(),
        taken: Some(wire::Taken {
            level: "mega".to_owned(),
            percent: Some(100),
            before_micros: 10_000_270_000,
            after_micros: 10_000_000_000,
        }),
        due_micros: 10_000_270_000,
        envy_due_micros: 0,
        payouts: vec![wire::Payout {
            kind: "line".to_owned(),
            seat: 3,
            player: String::new(),
            amount_micros: 10_000_270_000,
            charged_to: "meter".to_owned(),
            handed_over: "slip".to_owned(),
        }],
    }
}

#[test]
fn a_refusal_has_code_detail_and_fields() {
    let fields = HashMap::from([("expected".to_owned(), "1.00".to_owned())]);
    let refused = wire::Refused {
        code: "wrong_amount".to_owned(),
        detail: "every wager".to_owned(),
        fields: fields.clone(),
    };
    let outcome = Outcome::try_from(wire_outcome(Some(WireEffect::Refused(refused)))).unwrap();
    assert!(!outcome.is_accepted() && outcome.is_replayed);
    let expected = Effect::Refused {
        code: "wrong_amount".to_owned(),
        detail: "every wager".to_owned(),
        fields: BTreeMap::from_iter(fields),
    };
    assert_eq!(outcome.effect, expected);
}

#[test]
fn a_hit_has_amounts_and_payouts() {
    let outcome = Outcome::try_from(wire_outcome(Some(WireEffect::Hit(hit_done())))).unwrap();
    assert!(outcome.is_accepted());
    let displayed: Vec<String> = outcome.displayed.iter().map(ToString::to_string).collect();
    assert_eq!(displayed, ["10000.00", "1000.21"]);
    let Effect::Hit(hit) = outcome.effect else {
        panic!("another effect");
    };
    assert_eq!(hit.hit.to_string(), "C4P-07.2");
    assert_eq!(hit.holder, Holder::Seat(Seat(3)));
    assert_eq!((hit.kind, hit.state), (HitKind::Line, HitState::Pending));
    assert_eq!(hit.taken.unwrap().after, Money::dollars(10_000));
    let payout = &hit.payouts[0];
    assert_eq!(payout.amount, hit.due);
    assert_eq!(payout.player, None);
    assert_eq!(
        (&payout.kind, &payout.charged_to, &payout.handed_over),
        (&PayoutKind::Line, &ChargedTo::Meter, &HandedOver::Slip)
    );
}

/// A word of a later release is kept as text.
#[test]
fn an_unknown_word_is_kept() {
    let hit = wire::HitDone {
        kind: "mystery".to_owned(),
        ..hit_done()
    };
    let outcome = Outcome::try_from(wire_outcome(Some(WireEffect::Bonus(hit)))).unwrap();
    let Effect::Bonus(hit) = outcome.effect else {
        panic!("another effect");
    };
    assert_eq!(hit.kind, HitKind::Other("mystery".to_owned()));
}

/// No value is guessed: not for a missing effect, a missing holder or a negative amount.
#[test]
fn an_incomplete_outcome_is_an_error() {
    let read = |outcome| Outcome::try_from(wire_outcome(outcome)).unwrap_err();
    assert_eq!(read(None), Unreadable("the effect of the command"));
    let no_holder = wire::HitDone {
        holder: None,
        ..hit_done()
    };
    assert_eq!(
        read(Some(WireEffect::Hit(no_holder))),
        Unreadable("the holder of the hand")
    );
    let negative = wire::HitDone {
        due_micros: -1,
        ..hit_done()
    };
    assert_eq!(
        read(Some(WireEffect::Hit(negative))),
        Unreadable("an amount")
    );
}
