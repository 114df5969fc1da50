//! What is drawn for a round, before anything is sent.

use std::collections::BTreeMap;

use meterhouse_domain::hand::Hand;

use super::{Holder, Keyed, On, RoundScript, VoidWhen, next_round};
use crate::chances::generator;
use crate::deal::hand_of;
use crate::defaults::default_links;
use crate::plan::{FeltPlan, Plan};
use crate::seating::Seating;

fn plan(seed: u64, stages: &[&str]) -> Plan {
    Plan {
        base: String::new(),
        seed,
        rounds: 0,
        speed: 0,
        stages: stages
            .iter()
            .map(|it| it.parse().expect("a stage"))
            .collect(),
        links: default_links(),
    }
}

/// The first rounds of the first felt.
fn rounds(plan: &Plan, count: u64) -> Vec<RoundScript> {
    let felt: FeltPlan = plan.felts().swap_remove(0);
    let mut rng = generator(plan.seed, "felt C4P-01");
    let mut seating = Seating::new(&mut rng, 0, 6);
    let relief = ["sam".to_owned(), "kim".to_owned()];
    (1..=count)
        .map(|round| {
            let script = next_round(&mut rng, plan, &felt, &seating, plan.staged(round), &relief);
            seating.turn_over(&mut rng);
            script.expect("one deck is enough")
        })
        .collect()
}

/// A place in turn order, smaller first, as RULES §1.3 has it.
fn turn(keyed: &Keyed, dealer_turn: u8) -> (u8, bool) {
    match keyed.holder {
        Holder::Seat(seat) | Holder::Envy(seat) => (u8::MAX - seat, false),
        Holder::Dealer => (u8::MAX - dealer_turn, true),
    }
}

/// The same seed plays the same rounds, another seed others.
#[test]
fn a_run_is_reproducible() {
    assert_eq!(rounds(&plan(7, &[]), 100), rounds(&plan(7, &[]), 100));
    assert_ne!(rounds(&plan(7, &[]), 100), rounds(&plan(8, &[]), 100));
}

/// Hits are keyed in turn order, only by who may, and only with cards that make the hand.
#[test]
fn hits_are_keyed_in_turn_order() {
    let plan = plan(11, &[]);
    let (mut several, mut dealer) = (0, 0);
    for script in rounds(&plan, 20_000) {
        for (table, link) in script.tables.iter().zip(&plan.links) {
            let wagered = |seat, on| table.wagers.iter().any(|it| it.seat == seat && it.on == on);
            let on_dealer = table.wagers.iter().filter(|it| it.on == On::Dealer);
            let dealer_turn = on_dealer.map(|it| it.seat).max().unwrap_or_default();
            let turns: Vec<_> = table.keyed.iter().map(|it| turn(it, dealer_turn)).collect();
            assert!(turns.is_sorted(), "{table:?}");
            several += usize::from(turns.len() > 1);
            for keyed in &table.keyed {
                let cards = keyed.cards.expect("the dealer looks before he keys");
                assert_eq!(hand_of(link.ranking, cards), keyed.hand);
                assert!(link.line(keyed.hand).is_some());
                match keyed.holder {
                    Holder::Seat(seat) => assert!(wagered(seat, On::Own)),
                    Holder::Envy(seat) => assert!(!wagered(seat, On::Own)),
                    Holder::Dealer => {
                        dealer += 1;
                        assert!(dealer_turn > 0);
                    }
                }
            }
        }
    }
    assert!(several > 20 && dealer > 10, "{several} {dealer}");
}

/// Every accepted round has a wager, every accident is on a seat that could have won.
#[test]
fn wagers_folds_and_accidents_are_possible() {
    let mut accidents = 0;
    for script in rounds(&plan(5, &[]), 5_000) {
        assert!(script.folds.iter().all(|seat| script.dealt.contains(seat)));
        for table in &script.tables {
            assert!(!table.wagers.is_empty());
            assert!(
                table
                    .wagers
                    .iter()
                    .all(|it| script.dealt.contains(&it.seat))
            );
            if let Some(Keyed {
                holder: Holder::Seat(seat),
                cards: None,
                ..
            }) = table.accident
            {
                accidents += 1;
                assert!(
                    table
                        .wagers
                        .iter()
                        .any(|it| it.seat == seat && it.on == On::Own)
                );
                assert!(!script.folds.contains(&seat));
            }
        }
    }
    assert!(accidents > 20, "{accidents}");
}

/// A staged hand comes in its round, to a seat that wagered and doesn't fold, in a round that isn't void.
#[test]
fn staged_hands_come_when_they_should() {
    let stages = [
        "royal-flush@3",
        "four-of-a-kind@17",
        "straight@40",
        "three-of-a-kind@41",
    ];
    let found: BTreeMap<u64, Hand> = (0..40)
        .flat_map(|seed| (1..).zip(rounds(&plan(seed, &stages), 50)))
        .filter_map(|(round, script)| Some((round, script.staged?, script)))
        .map(|(round, staged, script)| {
            let table = &script.tables[0];
            let keyed = table
                .keyed
                .iter()
                .find(|it| it.holder == Holder::Seat(staged.seat));
            assert_eq!(
                keyed.map(|it| (it.hand, it.cards)),
                Some((staged.hand, Some(staged.cards)))
            );
            assert!(!script.folds.contains(&staged.seat));
            assert!(script.tables.iter().all(|it| it.void.is_none()));
            (round, staged.hand)
        })
        .collect();
    let asked = plan(0, &stages)
        .stages
        .into_iter()
        .map(|stage| (stage.round, stage.hand));
    assert_eq!(found, asked.collect());
}

/// In a long evening every kind of mishap happens.
#[test]
fn mishaps_happen() {
    let rounds = rounds(&plan(2, &[]), 20_000);
    let voids = |when: VoidWhen| {
        let tables = rounds.iter().flat_map(|it| &it.tables);
        tables
            .filter(|it| it.void.is_some_and(|(void, _)| void == when))
            .count()
    };
    for when in [VoidWhen::Counted, VoidWhen::Dealt, VoidWhen::FirstKeyed] {
        assert!(voids(when) > 0, "{when:?}");
    }
    assert!(rounds.iter().any(|it| it.by == "sam") && rounds.iter().any(|it| it.by == "d-1"));
}
