//! The proof that the deals of the property reach every case: rounds without a winner would prove nothing.

use std::collections::BTreeMap;

use meterhouse_domain::command::Holder;
use meterhouse_domain::event::{HitKind, HitRecorded, PayoutKind};
use meterhouse_domain::link::Account;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::same::{case, compare, config};

/// Checks if a hand shares more than one card with an earlier hand of another holder.
fn shares(hit: &HitRecorded, before: &[HitRecorded]) -> bool {
    let others = || before.iter().filter(|other| other.holder != hit.holder);
    let is_shared =
        |card| others().any(|other| other.cards.iter().flatten().any(|shown| shown == card));
    let cards = hit.cards.iter().flatten();
    cards.filter(|card| is_shared(*card)).count() > 1
}

/// Returns the number of payouts of this kind.
fn payouts(hit: &HitRecorded, kind: PayoutKind) -> usize {
    let payouts = hit.payouts.iter();
    payouts.filter(|payout| payout.kind == kind).count()
}

/// Checks if every payout of a hit is zero.
fn pays_nothing(hit: &HitRecorded) -> bool {
    let mut payouts = hit.payouts.iter();
    payouts.all(|payout| payout.amount.micros() == 0)
}

/// Returns the cases that occurred in one round.
fn seen(hits: &[HitRecorded]) -> Vec<&'static str> {
    let of_level = |level| {
        let taken = hits.iter().filter_map(|hit| hit.taken);
        taken.filter(move |taken| taken.level == level).count()
    };
    let any = |is: &dyn Fn(&HitRecorded) -> bool| hits.iter().any(is);
    let moved = |hit: &HitRecorded, from, to| {
        let level = hit.taken.map(|taken| taken.level);
        let mut moves = hit.moves.iter();
        moves.any(|entry| Some(entry.book.0) == level && (entry.from, entry.to) == (from, to))
    };
    let short = |hit: &HitRecorded| {
        hit.taken.is_some_and(|taken| taken.percent.is_none())
            && moved(hit, Account::House, Account::Pending)
    };
    let dealer = |hit: &HitRecorded| hit.holder == Holder::Dealer && hit.kind == HitKind::Line;
    let resets = |hit: &&HitRecorded| hit.taken.is_some_and(|taken| taken.reset.is_some());
    let all = [
        ("nobody won", hits.is_empty()),
        ("one level twice", (0..3).any(|level| of_level(level) > 1)),
        ("two resets", hits.iter().filter(resets).count() > 1),
        ("the dealer's hand", any(&dealer)),
        (
            "the dealer's hand of several",
            any(&|hit| dealer(hit) && payouts(hit, PayoutKind::Line) > 1),
        ),
        (
            "the dealer among players",
            hits.iter().position(dealer).is_some_and(|index| {
                let lines = |hits: &[HitRecorded]| hits.iter().any(|hit| hit.kind == HitKind::Line);
                lines(&hits[..index]) && lines(&hits[index + 1..])
            }),
        ),
        ("envy", any(&|hit| payouts(hit, PayoutKind::Envy) > 0)),
        ("envy alone", any(&|hit| hit.kind == HitKind::Envy)),
        ("magic card", any(&|hit| hit.kind == HitKind::MagicCard)),
        ("lucky bonus", any(&|hit| hit.kind == HitKind::LuckyBonus)),
        (
            "a card of two winners",
            hits.iter()
                .enumerate()
                .any(|(at, hit)| shares(hit, &hits[..at])),
        ),
        (
            "a fixed pay off the meter",
            any(&|hit| hit.taken.is_some_and(|taken| taken.percent.is_none())),
        ),
        ("a meter too small for it", any(&short)),
        (
            "a ceiling",
            any(&|hit| moved(hit, Account::Meter, Account::Overflow)),
        ),
        (
            "overflow comes back",
            any(&|hit| moved(hit, Account::Overflow, Account::Meter)),
        ),
        (
            "reserve comes back",
            any(&|hit| moved(hit, Account::Reserve, Account::Meter)),
        ),
        (
            "a percentage of nothing",
            any(&|hit| hit.taken.is_some() && pays_nothing(hit)),
        ),
    ];
    let happened = all.into_iter().filter(|(_, happened)| *happened);
    happened.map(|(what, _)| what).collect()
}

#[test]
fn the_random_deals_reach_every_case() {
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
