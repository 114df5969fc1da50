//! The worked figures of RULES §3, to the micro-dollar; each test is named after its figure.
//!
//! This file: one link and the pay of a hit (A to F, J, O). [`dealer`]: the dealer's hand (G, K). [`envy`]: the envy
//! bonus (I). [`linked`]: several tables (H, L, M). [`refusals`], [`refusals_of_hits`], [`refusals_of_people`]: every
//! refusal.

use meterhouse_domain::command::{TableCommand, WageredHand};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::TableNo;
use meterhouse_domain::link::{Account, LinkTerms, ReservePolicy};
use meterhouse_domain::paytable::{Pays, Paytable};

mod support;

#[path = "figures/dealer.rs"]
mod dealer;
#[path = "figures/differences.rs"]
mod differences;
#[path = "figures/envy.rs"]
mod envy;
#[path = "figures/linked.rs"]
mod linked;
#[path = "figures/refusals.rs"]
mod refusals;
#[path = "figures/refusals_of_hits.rs"]
mod refusals_of_hits;
#[path = "figures/refusals_of_people.rs"]
mod refusals_of_people;

use support::{Link, paytables, terms};

/// Returns seat and amount in the form of [`support::Keyed::paid`].
fn paid(payouts: &[(u8, &str)]) -> Vec<(u8, String)> {
    let owned = |(seat, amount): &(u8, &str)| (*seat, (*amount).to_owned());
    payouts.iter().map(owned).collect()
}

/// Returns a link whose one meter has this amount, one table with these seats locked in.
fn at(paytable: Paytable, meter: &str, seats: &[u8]) -> (Link, TableNo) {
    let mut link = Link::open(paytable, "1.00");
    let table = link.table();
    link.coin_in(table, seats);
    link.set_meter(meter);
    (link, table)
}

#[test]
fn figure_a_a_coin_in_of_three_seats() {
    let mut link = Link::open(paytables::five_card_c(), "1.00");
    assert_eq!(link.meters(), ["10000.00", "1000.00", "250.00"]);
    let table = link.table();
    link.coin_in(table, &[1, 3, 5]);
    assert_eq!(link.meters(), ["10000.27", "1000.21", "250.09"]);
    for (level, seed, added) in [
        (0, "-10000.00", "-0.27"),
        (1, "-1000.00", "-0.21"),
        (2, "-250.00", "-0.09"),
    ] {
        assert_eq!(link.balance(level, Account::House).to_string(), seed);
        assert_eq!(link.balance(level, Account::Players).to_string(), added);
    }
}

#[test]
fn figure_b_a_coin_in_at_five_dollars() {
    let mut link = Link::open(paytables::five_card_c(), "5.00");
    assert_eq!(link.meters(), ["50000.00", "5000.00", "1250.00"]);
    let table = link.table();
    link.coin_in(table, &[1]);
    assert_eq!(link.meters(), ["50000.45", "5000.35", "1250.15"]);
}

/// Ten wagers a round, own and dealer's hands, the last round left open.
#[test]
fn figure_c_a_reserve_and_no_reseed() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    assert_eq!(
        [link.meter(), link.of(Account::Reserve)],
        ["10000.00", "0.00"]
    );
    let table = link.table();
    let wagers: Vec<(u8, WageredHand, Option<&str>)> = (1..=5)
        .flat_map(|seat| {
            [
                (seat, WageredHand::Own, None),
                (seat, WageredHand::Dealer, None),
            ]
        })
        .collect();
    for round in 0..10_000 {
        if round > 0 {
            link.play(table, &TableCommand::Close);
        }
        link.coin_in_of(table, &wagers);
    }
    assert_eq!(
        [link.meter(), link.of(Account::Reserve)],
        ["23000.00", "8000.00"]
    );

    let first = link.hit(table, 5, Hand::RoyalFlush);
    assert_eq!(first.paid(), paid(&[(5, "23000.00")]));
    assert_eq!(
        [link.meter(), link.of(Account::Reserve)],
        ["8000.00", "0.00"]
    );
    let second = link.hit(table, 4, Hand::RoyalFlush);
    assert_eq!(second.paid(), paid(&[(4, "8000.00")]));
    assert_eq!(link.meter(), "0.00");
    let third = link.hit(table, 3, Hand::RoyalFlush);
    assert_eq!(third.paid(), paid(&[(3, "0.00")]));
    assert_eq!([link.meter(), link.of(Account::Reserve)], ["0.00", "0.00"]);
    assert_eq!(link.of(Account::House), "-10000.00");
    assert_eq!(link.of(Account::Pending), "31000.00");
}

/// Figure D under one policy: returns meter and reserve after four aces, and the amount that the house gave.
fn after_four_aces(reserve_policy: ReservePolicy) -> [String; 3] {
    let mut link = Link::open_with(LinkTerms {
        reserve_policy,
        ..terms(paytables::four_card_b(), "1.00")
    });
    let table = link.table();
    link.rounds(table, 7_999, &[1, 2, 3, 4, 5]);
    link.coin_in(table, &[1, 2, 3, 4, 5]);
    assert_eq!(
        [link.meter(), link.of(Account::Reserve)],
        ["11000.00", "2000.00"]
    );
    assert_eq!(link.of(Account::House), "-1000.00");
    let hit = link.hit(table, 3, Hand::FourAces);
    assert_eq!(hit.paid(), paid(&[(3, "11000.00")]));
    [
        link.meter(),
        link.of(Account::Reserve),
        link.of(Account::House),
    ]
}

#[test]
fn figure_d_reserve_policy_add() {
    assert_eq!(
        after_four_aces(ReservePolicy::Add),
        ["3000.00", "0.00", "-2000.00"]
    );
}

#[test]
fn figure_d_reserve_policy_greater_of() {
    let after = after_four_aces(ReservePolicy::GreaterOf);
    assert_eq!(after, ["2000.00", "0.00", "-1000.00"]);
}

#[test]
fn figure_d_reserve_policy_fund_keep() {
    let after = after_four_aces(ReservePolicy::FundKeep);
    assert_eq!(after, ["1000.00", "1000.00", "-1000.00"]);
}

/// A reserve below the reseed: both policies take it all and the house gives the rest.
#[test]
fn figure_d_with_a_reserve_below_the_reseed() {
    for (reserve_policy, meter, house) in [
        (ReservePolicy::Add, "1400.00", "-2000.00"),
        (ReservePolicy::GreaterOf, "1000.00", "-1600.00"),
        (ReservePolicy::FundKeep, "1000.00", "-1600.00"),
    ] {
        let mut link = Link::open_with(LinkTerms {
            reserve_policy,
            ..terms(paytables::four_card_b(), "1.00")
        });
        let table = link.table();
        link.rounds(table, 1_599, &[1, 2, 3, 4, 5]);
        link.coin_in(table, &[1, 2, 3, 4, 5]);
        assert_eq!(link.of(Account::Reserve), "400.00");
        link.hit(table, 5, Hand::FourAces);
        assert_eq!(link.meter(), meter, "{reserve_policy}");
        assert_eq!(link.of(Account::Reserve), "0.00", "{reserve_policy}");
        assert_eq!(link.of(Account::House), house, "{reserve_policy}");
    }
}

#[test]
fn figure_e_two_partial_pays() {
    let (mut link, table) = at(paytables::five_card_a(), "12,345.67", &[1, 4]);
    let first = link.hit(table, 4, Hand::StraightFlush);
    assert_eq!(first.paid(), paid(&[(4, "1234.56")]));
    assert_eq!(link.meter(), "11111.11");
    let second = link.hit(table, 1, Hand::StraightFlush);
    assert_eq!(second.paid(), paid(&[(1, "1111.11")]));
    assert_eq!(link.meter(), "10000.00");
}

#[test]
fn figure_e_a_partial_pay_below_the_seed_does_not_reseed() {
    let (mut link, table) = at(paytables::five_card_a(), "10,000.00", &[1]);
    let house = link.of(Account::House);
    let hit = link.hit(table, 1, Hand::StraightFlush);
    assert_eq!(hit.paid(), paid(&[(1, "1000.00")]));
    assert_eq!(
        [link.meter(), link.of(Account::House)],
        ["9000.00".to_owned(), house]
    );
}

/// 65% of 1.019 displayed as 1.01 is 0.65; of the exact amount it would be 0.66.
#[test]
fn figure_e_a_percentage_is_of_the_displayed_amount() {
    let mut paytable = paytables::five_card_a();
    for line in &mut paytable.content.lines {
        if line.hand == Hand::StraightFlush {
            line.pays = Pays::Percent {
                percent: 65,
                level: 0,
            };
        }
    }
    let (mut link, table) = at(paytable, "1.019", &[1]);
    let hit = link.hit(table, 1, Hand::StraightFlush);
    assert_eq!(hit.paid(), paid(&[(1, "0.65")]));
    assert_eq!(link.meter(), "0.369");
}

#[test]
fn figure_f_the_royal_in_the_middle() {
    let (mut link, table) = at(paytables::five_card_a(), "20,000.00", &[1, 3, 5]);
    let first = link.hit(table, 5, Hand::StraightFlush);
    assert_eq!(first.paid(), paid(&[(5, "2000.00")]));
    let royal = link.hit(table, 3, Hand::RoyalFlush);
    assert_eq!(royal.paid(), paid(&[(3, "18000.00")]));
    let last = link.hit(table, 1, Hand::StraightFlush);
    assert_eq!(last.paid(), paid(&[(1, "1000.00")]));
    assert_eq!(link.meter(), "9000.00");
}

#[test]
fn figure_f_the_royal_on_the_highest_seat() {
    let (mut link, table) = at(paytables::five_card_a(), "20,000.00", &[1, 3, 5]);
    let royal = link.hit(table, 5, Hand::RoyalFlush);
    assert_eq!(royal.paid(), paid(&[(5, "20000.00")]));
    let second = link.hit(table, 3, Hand::StraightFlush);
    assert_eq!(second.paid(), paid(&[(3, "1000.00")]));
    let third = link.hit(table, 1, Hand::StraightFlush);
    assert_eq!(third.paid(), paid(&[(1, "900.00")]));
    assert_eq!(link.meter(), "8100.00");
}

/// Every level of Paytable B restarts alone: the other keeps its balance.
#[test]
fn figure_f_a_level_restarts_alone() {
    let mut link = Link::open(paytables::five_card_b(), "1.00");
    let table = link.table();
    link.coin_in(table, &[2, 4]);
    assert_eq!(link.meters(), ["10000.22", "1000.20"]);
    let major = link.hit(table, 4, Hand::StraightFlush);
    assert_eq!(major.paid(), paid(&[(4, "1000.20")]));
    assert_eq!(link.meters(), ["10000.22", "1000.00"]);
    let mega = link.hit(table, 2, Hand::RoyalFlush);
    assert_eq!(mega.paid(), paid(&[(2, "10000.22")]));
    assert_eq!(link.meters(), ["10000.00", "1000.00"]);
}

#[test]
fn figure_j_a_bettor_on_both_hands_is_paid_for_both() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    link.coin_in_of(
        table,
        &[(3, WageredHand::Own, None), (3, WageredHand::Dealer, None)],
    );
    link.set_meter("1,000.00");
    let own = link.hit(table, 3, Hand::StraightFlush);
    assert_eq!(own.paid(), paid(&[(3, "100.00")]));
    let dealer = link.dealer_hit(table, Hand::FullHouse);
    assert_eq!(dealer.paid(), paid(&[(3, "100.00")]));
    assert_eq!(link.meter(), "900.00");
}

#[test]
fn figure_o_a_tenth_of_nine_cents_and_of_ten() {
    let (mut link, table) = at(paytables::five_card_a(), "0.09", &[1, 2]);
    assert_eq!(
        link.hit(table, 2, Hand::StraightFlush).paid(),
        paid(&[(2, "0.00")])
    );
    assert_eq!(link.meter(), "0.09");
    link.set_meter("0.10");
    assert_eq!(
        link.hit(table, 1, Hand::StraightFlush).paid(),
        paid(&[(1, "0.01")])
    );
    assert_eq!(link.meter(), "0.09");
}

#[test]
fn figure_o_what_is_cut_is_carried_forward() {
    let mut link = Link::open_with(LinkTerms {
        wager: support::dollars("2.50"),
        ..terms(without_envy(paytables::four_card_a()), "2.50")
    });
    let table = link.table();
    link.coin_in(table, &[6]);
    assert_eq!(link.meter(), "12500.725");
    link.set_meter("10,000.725");
    let hit = link.hit(table, 6, Hand::FourAces);
    assert_eq!(hit.paid(), paid(&[(6, "10000.72")]));
    assert_eq!(link.meter(), "12500.005");
}

/// The amounts of the figure itself, with a reseed of 10,000.
#[test]
fn figure_o_restarts_at_the_reseed_and_half_a_cent() {
    let (mut link, table) = at(paytables::five_card_a(), "10,000.725", &[6]);
    let hit = link.hit(table, 6, Hand::RoyalFlush);
    assert_eq!(hit.paid(), paid(&[(6, "10000.72")]));
    assert_eq!(link.meter(), "10000.005");
}

/// A hit of zero waits for its validation, and 100% of zero resets.
#[test]
fn figure_o_a_hit_of_nothing_is_a_hit() {
    let (mut link, table) = at(paytables::five_card_a(), "0.00", &[4, 6]);
    let tenth = link.hit(table, 6, Hand::StraightFlush);
    assert_eq!(tenth.paid(), paid(&[(6, "0.00")]));
    assert!(tenth.recorded.needs_validation);
    let all = link.hit(table, 4, Hand::RoyalFlush);
    assert_eq!(all.paid(), paid(&[(4, "0.00")]));
    assert_eq!(link.meter(), "10000.00");
    assert_eq!((tenth.recorded.order.0, all.recorded.order.0), (1, 2));
    for hit in [tenth.id, all.id] {
        link.validate(hit);
        link.pay(hit, 1);
    }
    link.play(table, &TableCommand::Close);
    assert_eq!(link.of(Account::Paid), "0.00");
}

/// Returns the paytable for a wager without a printed envy schedule.
fn without_envy(mut paytable: Paytable) -> Paytable {
    for line in &mut paytable.content.lines {
        line.envy = None;
    }
    paytable
}
