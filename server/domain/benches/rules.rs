//! The speed of the rules: `cargo bench -p meterhouse-domain`.
//!
//! A link of 512 tables on five-card C, as busy houses have; the evaluation of every hand of five and of six cards; a full
//! table of Cajun Stud settled; the exact counts behind the holds of fixed wagers.

#![expect(clippy::unwrap_used, reason = "a measurement that fails says where")]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use meterhouse_domain::apply::apply;
use meterhouse_domain::card::Card;
use meterhouse_domain::command::TableCommand;
use meterhouse_domain::event::{Origin, Recorded};
use meterhouse_domain::fixed::cajun_stud::cajun_stud;
use meterhouse_domain::fixed::field::{Goal, Team};
use meterhouse_domain::fixed::frequencies::{of_cards, of_field};
use meterhouse_domain::fixed::seen::Look;
use meterhouse_domain::fixed::settle::settle;
use meterhouse_domain::fixed::table::FixedTable;
use meterhouse_domain::hand::{Hand, Ranking, evaluate};
use meterhouse_domain::ids::TableNo;

#[expect(dead_code, unused_imports, reason = "the tests need more of them")]
#[path = "../tests/support/mod.rs"]
mod support;

#[path = "../tests/hands/every.rs"]
mod every;

#[expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a text that can't be read stops the measurement"
)]
#[path = "../tests/settled_rounds/story.rs"]
mod story;

#[expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a text that can't be read stops the measurement"
)]
#[path = "../tests/settled_rounds/tables.rs"]
mod tables;

use every::for_every_hand;
use support::{CONTROLLER, Link, OPENED_AT, coin_in_of, hit_of, paytables};

/// Tables of the link.
const TABLES: u32 = 512;
/// Hands of five cards of one deck.
const FIVE: u64 = 2_598_960;
/// Hands of six cards of one deck.
const SIX: u64 = 20_358_520;

/// Returns a link of many tables.
fn house() -> Link {
    let mut link = Link::open(paytables::five_card_c(), "1.00");
    for _ in 0..TABLES {
        link.table();
    }
    link
}

/// Measures deciding and applying one command of a table.
fn command(criterion: &mut Criterion, name: &str, link: &Link, command: &TableCommand) {
    let table = TableNo(1);
    let mut group = criterion.benchmark_group(name);
    group.bench_function("decide", |bencher| {
        bencher.iter(|| link.ask(table, black_box(command)).unwrap());
    });
    let recorded = Recorded {
        origin: Origin::Table {
            table,
            sequence: link.next(table),
        },
        actor: CONTROLLER,
        by: None,
        device_time: None,
        event: link.ask(table, command).unwrap(),
    };
    // As in a batch: the draft is a clone that shares its tables.
    group.bench_function("apply", |bencher| {
        bencher.iter_batched_ref(
            || link.state.clone(),
            |state| apply(state, black_box(&recorded), OPENED_AT),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

fn rules(criterion: &mut Criterion) {
    let mut link = house();
    let wager = link.state.terms.wager;
    command(
        criterion,
        "coin-in of six",
        &link,
        &coin_in_of(&[1, 2, 3, 4, 5, 6], wager),
    );
    link.coin_in(TableNo(1), &[1, 2, 3, 4, 5, 6]);
    command(
        criterion,
        "royal flush",
        &link,
        &hit_of(3, Hand::RoyalFlush),
    );
    command(criterion, "close", &link, &TableCommand::Close);
    criterion.bench_function("clone of a state with 512 tables", |bencher| {
        bencher.iter(|| black_box(&link.state).clone());
    });
}

fn hands(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("every hand of five cards");
    group.sample_size(10).throughput(Throughput::Elements(FIVE));
    group.bench_function("five-card", |bencher| {
        bencher.iter(|| assert_eq!(every_hand::<5>(Ranking::FiveCard), FIVE));
    });
    group.bench_function("best four", |bencher| {
        bencher.iter(|| assert_eq!(every_hand::<5>(Ranking::FourCard), FIVE));
    });
    group.finish();
    let mut group = criterion.benchmark_group("every hand of six cards");
    group.sample_size(10).throughput(Throughput::Elements(SIX));
    group.bench_function("best five", |bencher| {
        bencher.iter(|| assert_eq!(every_hand::<6>(Ranking::FiveCard), SIX));
    });
    group.bench_function("best four", |bencher| {
        bencher.iter(|| assert_eq!(every_hand::<6>(Ranking::FourCard), SIX));
    });
    group.finish();
}

/// Evaluates every hand of `N` cards; returns their number.
fn every_hand<const N: usize>(ranking: Ranking) -> u64 {
    let mut hands = 0;
    for_every_hand(|cards: [Card; N]| {
        black_box(evaluate(ranking, &cards));
        hands += 1;
    });
    hands
}

/// Measures the settlement of six seats with all eight wagers of Cajun Stud each.
fn settlement(criterion: &mut Criterion) {
    let story = story::named("six players with every wager");
    let tables: Vec<&FixedTable> = story.tables.iter().collect();
    assert!(settle(&story.round, &tables).is_ok());
    criterion.bench_function("settlement of six seats with eight wagers", |bencher| {
        bencher.iter(|| settle(black_box(&story.round), black_box(&tables)));
    });
}

/// Measures the exact counts behind the holds of fixed wagers.
fn counts(criterion: &mut Criterion) {
    let ante = tables::tables(&["pa-683a-ante-raise-a"]);
    let ante = ante.first().unwrap();
    let mut group = criterion.benchmark_group("count");
    group.sample_size(10);
    let looks = [
        ("best four of five cards", Look::Hand(Ranking::FourCard), 5),
        ("best five of six cards", Look::SixCards, 6),
        ("best five of seven cards", Look::Hand(Ranking::FiveCard), 7),
        ("low hands of five cards", Look::Low, 5),
    ];
    for (name, look, dealt) in looks {
        group.bench_function(name, |bencher| bencher.iter(|| of_cards(look, dealt)));
    }
    group.bench_function("four spins of Touchdown Roulette", |bencher| {
        bencher.iter(|| of_field(Team::Red, Goal::PlaysOn));
    });
    group.bench_function("best play of Cajun Stud", |bencher| {
        bencher.iter(|| cajun_stud(|seen| ante.result(&seen)));
    });
    group.finish();
}

criterion_group!(benches, rules, hands, settlement, counts);
criterion_main!(benches);
