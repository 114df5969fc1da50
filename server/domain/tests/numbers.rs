//! Amounts of CONFORMANCE without a worked figure: each test is named after its row there.

#![expect(
    clippy::expect_used,
    reason = "a rate or an amount of these tests that is wrong fails them"
)]

use std::collections::BTreeSet;

use meterhouse_domain::command::{PersonCommand, TableCommand, WageredHand};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{GameName, TableNo};
use meterhouse_domain::link::Account;
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{Game, Paytable};
use meterhouse_domain::rate::{PPM_PER_PERCENT, Rate};
use meterhouse_domain::refusal::RefusalCode;

#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;

use support::{Link, SUPERVISOR, dollars, paytables};

/// Returns the paytable with these rates of the levels in parts per million; everything else stays.
fn with_rates(mut paytable: Paytable, rates: &[u32]) -> Paytable {
    for (level, rate) in paytable.content.levels.iter_mut().zip(rates) {
        level.primary = Rate::from_ppm(*rate).expect("a rate");
    }
    paytable
}

/// Returns so many times this amount, as text.
fn times(count: u64, amount: &str) -> String {
    let product = dollars(amount).times(count);
    product.expect("an amount").to_string()
}

/// CONFORMANCE 1 (§ 657a.12(e)(3), § 605a.7): five-card paytable D at $5, six seats.
#[test]
fn number_1_a_wager_feeds_every_level() {
    let rates = [10, 8, 3].map(|percent| percent * PPM_PER_PERCENT);
    let mut link = Link::open(with_rates(paytables::five_card_c(), &rates), "5.00");
    assert_eq!(link.meters(), ["50000.00", "5000.00", "1250.00"]);
    let table = link.table();
    link.coin_in(table, &[1, 2, 3, 4, 5, 6]);
    assert_eq!(link.meters(), ["50003.00", "5002.40", "1250.90"]);
}

/// CONFORMANCE 3: 0.125% of a dollar is kept exactly, displayed once it makes a cent, and independent of the way the
/// wagers come.
#[test]
fn number_3_no_fraction_is_lost() {
    let paytable = || with_rates(paytables::five_card_a(), &[1_250]);
    let mut link = Link::open(paytable(), "1.00");
    let table = link.table();
    link.rounds(table, 1, &[1, 2, 3, 4, 5, 6]);
    link.rounds(table, 1, &[1]);
    assert_eq!(link.meter(), "10000.00875");
    assert_eq!(
        link.balance(0, Account::Meter).displayed(),
        dollars("10,000.00")
    );
    link.rounds(table, 1, &[1]);
    assert_eq!(link.meter(), "10000.01");

    let mut at_once = Link::open(paytable(), "5.00");
    let table = at_once.table();
    at_once.rounds(table, 1, &[1, 2, 3, 4, 5, 6]);
    let mut one_by_one = Link::open(paytable(), "5.00");
    let table = one_by_one.table();
    for seat in 1..=6 {
        one_by_one.rounds(table, 1, &[seat]);
    }
    assert_eq!(at_once.state.balances, one_by_one.state.balances);
}

/// Plays rounds of ten wagers: five players on their own and on the dealer's hand.
fn rounds_of_ten(link: &mut Link, table: TableNo, rounds: u32) {
    let both = |seat| {
        [
            (seat, WageredHand::Own, None),
            (seat, WageredHand::Dealer, None),
        ]
    };
    let wagers: Vec<_> = (1..=5).flat_map(both).collect();
    for round in 0..rounds {
        if round > 0 {
            link.play(table, &TableCommand::Close);
        }
        link.coin_in_of(table, &wagers);
    }
}

/// CONFORMANCE 2, 14 and 17: reserve with reseed 0, and all contributions are either paid or still there. At $5 every
/// amount is five times as much.
#[test]
fn number_14_a_reserve_starts_the_next_jackpot() {
    for (wager, count) in [("1.00", 1), ("5.00", 5)] {
        let mut link = Link::open(paytables::hand_bonus(), wager);
        let table = link.table();
        let stands = |link: &Link, meter, reserve| {
            assert_eq!(link.meter(), times(count, meter));
            assert_eq!(link.of(Account::Reserve), times(count, reserve));
        };
        rounds_of_ten(&mut link, table, 10_000);
        stands(&link, "23,000.00", "8,000.00");
        let royal = link.hit(table, 5, Hand::RoyalFlush);
        assert_eq!(royal.paid(), [(5, times(count, "23,000.00"))]);
        stands(&link, "8,000.00", "0.00");
        link.validate(royal.id);
        link.pay(royal.id, 1);
        link.play(table, &TableCommand::Close);
        rounds_of_ten(&mut link, table, 5_000);
        stands(&link, "14,500.00", "4,000.00");
        let tenth = link.hit(table, 4, Hand::StraightFlush);
        assert_eq!(tenth.paid(), [(4, times(count, "1,450.00"))]);
        stands(&link, "13,050.00", "4,000.00");
        link.validate(tenth.id);
        link.pay(tenth.id, 1);

        let of = |account| link.balance(0, account);
        assert_eq!(link.of(Account::Paid), times(count, "24,450.00"));
        assert_eq!(
            link.of(Account::House),
            format!("-{}", times(count, "10,000.00"))
        );
        assert_eq!(
            link.of(Account::Players),
            format!("-{}", times(count, "31,500.00"))
        );
        let there = [Account::Paid, Account::Meter, Account::Reserve].map(of);
        let there = there
            .iter()
            .try_fold(Money::ZERO, |sum, amount| sum.plus(*amount));
        assert_eq!(
            there.map(|amount| amount.to_string()),
            Ok(times(count, "41,500.00"))
        );
    }
}

/// CONFORMANCE 56: displayed amounts are truncated, never rounded up, and exceed 99,999,999.99.
#[test]
fn number_56_amounts_are_cut_and_do_not_roll_over() {
    for (exact, shown) in [
        ("99,999,999.999999", "99999999.99"),
        ("100,000,000.00", "100000000.00"),
        ("0.009999", "0.00"),
    ] {
        assert_eq!(dollars(exact).displayed().to_string(), shown);
    }
}

/// CONFORMANCE 29 (Massachusetts s.13(h), § 639a.12(d)(3)): tables of two games share no paytable that is for one game.
#[test]
fn number_29_a_paytable_that_is_not_linkable() {
    let mut paytable = paytables::five_card_c();
    paytable.linkable = false;
    let other: GameName = "four-card-frenzy".parse().expect("a name");
    paytable.games.push(Game {
        name: other.clone(),
        seats_max: 6,
    });
    let mut link = Link::open(paytable, "1.00");
    link.table();
    link.table();
    let mut join = link.join("T3");
    join.game = other;
    let command = PersonCommand::JoinTable(Box::new(join));
    let refusal = link.refuse_person(SUPERVISOR, command.clone());
    assert_eq!(refusal.code, RefusalCode::TableDiffers);

    let mut linkable = paytables::five_card_c();
    linkable.games = link.state.terms.paytable.games.clone();
    let mut link = Link::open(linkable.clone(), "1.00");
    link.table();
    // Equal content, but for tables of one game: its meters are not shared with another game.
    let refusal = link.refuse_person(SUPERVISOR, command.clone());
    assert_eq!(refusal.code, RefusalCode::TableDiffers);
    let both = ("linkable".to_owned(), "link true, table false".to_owned());
    assert_eq!(refusal.fields, [both]);
    let PersonCommand::JoinTable(mut join) = command else {
        unreachable!("it is a join")
    };
    join.paytable = linkable;
    link.person(SUPERVISOR, PersonCommand::JoinTable(join));
    assert_eq!(link.state.tables.len(), 2);
}

/// Every refusal names its remedy: each code has a sentence of its own.
#[test]
fn every_refusal_has_its_sentence() {
    let sentences: BTreeSet<&str> = RefusalCode::ALL
        .iter()
        .map(|code| code.sentence())
        .collect();
    assert_eq!(sentences.len(), RefusalCode::ALL.len());
    assert!(!sentences.contains("the rules refuse this"));
}
