//! That the deals of the property reach what it is about: a property of rounds in which nobody wins holds of anything.

use std::collections::BTreeMap;

use meterhouse_domain::command::Holder;
use meterhouse_domain::event::{HitKind, HitRecorded, PayoutKind};
use meterhouse_domain::link::Account;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::same::{case, compare, config};

/// Whether a hand has more than one card that a hand of another holder before it has.
fn shares(hit: &HitRecorded, before: &[HitRecorded]) -> bool {
    let others = || before.iter().filter(|it| it.holder != hit.holder);
    let is_shared = |card| others().any(|it| it.cards.iter().flatten().any(|it| it == card));
    let cards = hit.cards.iter().flatten();
    cards.filter(|card| is_shared(*card)).count() > 1
}

/// What happened in one round.
fn seen(hits: &[HitRecorded]) -> Vec<&'static str> {
    let of_level = |level| {
        let taken = hits.iter().filter_map(|it| it.taken);
        taken.filter(move |it| it.level == level).count()
    };
    let any = |is: &dyn Fn(&HitRecorded) -> bool| hits.iter().any(is);
    let payouts = |hit: &HitRecorded, kind| hit.payouts.iter().filter(|it| it.kind == kind).count();
    let moved = |hit: &HitRecorded, from, to| {
        let level = hit.taken.map(|it| it.level);
        let mut moves = hit.moves.iter();
        moves.any(|it| Some(it.book.0) == level && (it.from, it.to) == (from, to))
    };
    let short = |hit: &HitRecorded| {
        hit.taken.is_some_and(|it| it.percent.is_none())
            && moved(hit, Account::House, Account::Pending)
    };
    let dealer = |hit: &HitRecorded| hit.holder == Holder::Dealer && hit.kind == HitKind::Line;
    let resets = |hit: &&HitRecorded| hit.taken.is_some_and(|it| it.reset.is_some());
    let all = [
        ("nobody won", hits.is_empty()),
        ("one level twice", (0..3).any(|level| of_level(level) > 1)),
        ("two resets", hits.iter().filter(resets).count() > 1),
        ("the dealer's hand", any(&dealer)),
        (
            "the dealer's hand of several",
            any(&|it| dealer(it) && payouts(it, PayoutKind::Line) > 1),
        ),
        (
            "the dealer among players",
            hits.iter().position(dealer).is_some_and(|it| {
                let lines = |hits: &[HitRecorded]| hits.iter().any(|it| it.kind == HitKind::Line);
                lines(&hits[..it]) && lines(&hits[it + 1..])
            }),
        ),
        ("envy", any(&|it| payouts(it, PayoutKind::Envy) > 0)),
        ("envy alone", any(&|it| it.kind == HitKind::Envy)),
        ("magic card", any(&|it| it.kind == HitKind::MagicCard)),
        ("lucky bonus", any(&|it| it.kind == HitKind::LuckyBonus)),
        (
            "a card of two winners",
            hits.iter()
                .enumerate()
                .any(|(at, hit)| shares(hit, &hits[..at])),
        ),
        (
            "a fixed pay off the meter",
            any(&|it| it.taken.is_some_and(|it| it.percent.is_none())),
        ),
        ("a meter too small for it", any(&short)),
        (
            "a ceiling",
            any(&|it| moved(it, Account::Meter, Account::Overflow)),
        ),
        (
            "overflow comes back",
            any(&|it| moved(it, Account::Overflow, Account::Meter)),
        ),
        (
            "reserve comes back",
            any(&|it| moved(it, Account::Reserve, Account::Meter)),
        ),
        (
            "a percentage of nothing",
            any(&|it| it.taken.is_some() && it.payouts.iter().all(|it| it.amount.micros() == 0)),
        ),
    ];
    let happened = all.into_iter().filter(|(_, happened)| *happened);
    happened.map(|(what, _)| what).collect()
}

#[test]
fn the_deals_of_the_property_reach_everything() {
    let mut runner = TestRunner::new(config());
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..config().cases {
        let case = case().new_tree(&mut runner).unwrap().current();
        for what in seen(&compare(&case).unwrap()) {
            *counts.entry(what).or_default() += 1;
        }
    }
    assert_eq!(counts.len(), 17, "never seen: {counts:?}");
    for (what, count) in &counts {
        assert!(*count >= 15, "hardly ever seen: {what}: {counts:?}");
    }
}
