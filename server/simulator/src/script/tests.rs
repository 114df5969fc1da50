//! Tests of the scripts of rounds.

use std::collections::BTreeMap;

use meterhouse_domain::hand::Hand;

use super::{Holder, KeyedHand, RoundScript, VoidWhen, WagerTarget, next_round};
use crate::deal::hand_of;
use crate::defaults::default_links;
use crate::plan::{PhysicalTablePlan, Plan};
use crate::probabilities::generator;
use crate::seating::Seating;

fn plan(seed: u64, stages: &[&str]) -> Plan {
    Plan {
        base: String::new(),
        seed,
        rounds: 0,
        speed: 0,
        stages: stages
            .iter()
            .map(|stage| stage.parse().expect("a stage"))
            .collect(),
        links: default_links(),
    }
}

/// Returns the first rounds of the first physical table.
fn rounds(plan: &Plan, count: u64) -> Vec<RoundScript> {
    let physical_table: PhysicalTablePlan = plan.physical_tables().swap_remove(0);
    let mut rng = generator(plan.seed, "felt C4P-01");
    let mut seating = Seating::new(&mut rng, 0, 6);
    let supervisors = ["sam".to_owned(), "kim".to_owned()];
    (1..=count)
        .map(|round| {
            let staged = plan.staged(round);
            let script = next_round(
                &mut rng,
                plan,
                &physical_table,
                &seating,
                staged,
                &supervisors,
            );
            seating.replace_players(&mut rng);
            script.expect("one deck is enough")
        })
        .collect()
}

/// Returns the sort key of a holder's turn (RULES §1.3).
fn turn(keyed: &KeyedHand, dealer_turn: u8) -> (u8, bool) {
    match keyed.holder {
        Holder::Seat(seat) | Holder::Envy(seat) => (u8::MAX - seat, false),
        Holder::Dealer => (u8::MAX - dealer_turn, true),
    }
}

/// The same seed gives the same rounds. Another seed gives others.
#[test]
fn scripts_are_reproducible() {
    assert_eq!(rounds(&plan(7, &[]), 100), rounds(&plan(7, &[]), 100));
    assert_ne!(rounds(&plan(7, &[]), 100), rounds(&plan(8, &[]), 100));
}

/// Hits are keyed in turn order, only for holders who may win, and with cards that form the hand.
#[test]
fn hits_are_keyed_in_turn_order() {
    let plan = plan(11, &[]);
    let (mut several, mut of_dealer) = (0, 0);
    for script in rounds(&plan, 20_000) {
        for (table, link) in script.tables.iter().zip(&plan.links) {
            let has_wager = |seat, on| {
                let mut wagers = table.wagers.iter();
                wagers.any(|wager| wager.seat == seat && wager.on == on)
            };
            let wagers = table.wagers.iter();
            let side_wagers = wagers.filter(|wager| wager.on == WagerTarget::DealerHand);
            let dealer_turn = side_wagers
                .map(|wager| wager.seat)
                .max()
                .unwrap_or_default();
            let keyed_hands = table.winning_hands.iter();
            let turns: Vec<_> = keyed_hands.map(|keyed| turn(keyed, dealer_turn)).collect();
            assert!(turns.is_sorted(), "{table:?}");
            several += usize::from(turns.len() > 1);
            for keyed in &table.winning_hands {
                let cards = keyed.cards.expect("a winning hand has cards");
                assert_eq!(hand_of(link.ranking, cards), keyed.hand);
                assert!(link.line(keyed.hand).is_some());
                match keyed.holder {
                    Holder::Seat(seat) => assert!(has_wager(seat, WagerTarget::OwnHand)),
                    Holder::Envy(seat) => assert!(!has_wager(seat, WagerTarget::OwnHand)),
                    Holder::Dealer => {
                        of_dealer += 1;
                        assert!(dealer_turn > 0);
                    }
                }
            }
        }
    }
    assert!(several > 20 && of_dealer > 10, "{several} {of_dealer}");
}

/// Every table has a wager on a dealt seat, and every mistaken hit is on a seat that may win.
#[test]
fn wagers_folds_and_mistakes_are_valid() {
    let mut mistakes = 0;
    for script in rounds(&plan(5, &[]), 5_000) {
        assert!(script.folds.iter().all(|seat| script.dealt.contains(seat)));
        for table in &script.tables {
            assert!(!table.wagers.is_empty());
            assert!(
                table
                    .wagers
                    .iter()
                    .all(|wager| script.dealt.contains(&wager.seat))
            );
            if let Some(KeyedHand {
                holder: Holder::Seat(seat),
                cards: None,
                ..
            }) = table.mistaken_key
            {
                mistakes += 1;
                assert!(
                    table
                        .wagers
                        .iter()
                        .any(|wager| wager.seat == seat && wager.on == WagerTarget::OwnHand)
                );
                assert!(!script.folds.contains(&seat));
            }
        }
    }
    assert!(mistakes > 20, "{mistakes}");
}

/// A staged hand is dealt in its round, to a seat that wagered and doesn't fold, and the round isn't void.
#[test]
fn staged_hands_are_dealt_in_their_rounds() {
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
            let mut hands = table.winning_hands.iter();
            let keyed = hands.find(|keyed| keyed.holder == Holder::Seat(staged.seat));
            assert_eq!(
                keyed.map(|keyed| (keyed.hand, keyed.cards)),
                Some((staged.hand, Some(staged.cards)))
            );
            assert!(!script.folds.contains(&staged.seat));
            assert!(script.tables.iter().all(|table| table.void.is_none()));
            (round, staged.hand)
        })
        .collect();
    let expected = plan(0, &stages)
        .stages
        .into_iter()
        .map(|stage| (stage.round, stage.hand));
    assert_eq!(found, expected.collect());
}

/// Every kind of void and both kinds of dealers occur in many rounds.
#[test]
fn voids_and_dealing_supervisors_occur() {
    let rounds = rounds(&plan(2, &[]), 20_000);
    let voids = |when: VoidWhen| {
        let tables = rounds.iter().flat_map(|round| &round.tables);
        tables
            .filter(|table| table.void.is_some_and(|(void, _)| void == when))
            .count()
    };
    for when in [VoidWhen::Counted, VoidWhen::Dealt, VoidWhen::FirstKeyed] {
        assert!(voids(when) > 0, "{when:?}");
    }
    let has_dealer = |badge| rounds.iter().any(|round| round.by == badge);
    assert!(has_dealer("sam") && has_dealer("d-1"));
}
