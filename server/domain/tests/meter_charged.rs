//! Fixed lines that are charged to the meter: up to its displayed amount, the rest from the house, no reseed (RULES
//! §2.4, CONFORMANCE 19).

use meterhouse_domain::command::{TableCommand, WageredHand};
use meterhouse_domain::event::Taken;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::TableNo;
use meterhouse_domain::link::Account;
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{ChargedTo, HandedOver, Paytable};
use meterhouse_domain::refusal::RefusalCode;

#[path = "support/charged.rs"]
mod charged;
#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;

use support::{Keyed, Link, SEATS, cancel, dollars, pay};

/// The book of pays that touch no meter, on a link of one level.
const FIXED: usize = 1;

/// Returns a link whose one meter has this amount, one table with these seats locked in.
fn at(paytable: Paytable, meter: &str, seats: &[u8]) -> (Link, TableNo) {
    let mut link = Link::open(paytable, "1.00");
    let table = link.table();
    link.coin_in(table, seats);
    link.set_meter(meter);
    (link, table)
}

/// Returns the amount that the house has given since this balance.
fn given(link: &Link, house: Money) -> String {
    let given = house.minus(link.balance(0, Account::House));
    given.map_or_else(|error| error.to_string(), |amount| amount.to_string())
}

fn taken(keyed: &Keyed) -> Option<(Option<u8>, String, String, bool)> {
    let text = |Taken {
                    percent,
                    before,
                    after,
                    reset,
                    ..
                }| {
        (
            percent,
            before.to_string(),
            after.to_string(),
            reset.is_some(),
        )
    };
    keyed.recorded.taken.map(text)
}

/// CONFORMANCE 19, the figure of RULES §2.4: 5,000 due, meter 3,200.40 → house 1,799.60, meter 0.00.
#[test]
fn the_house_pays_what_a_small_meter_lacks() {
    let (mut link, table) = at(charged::on_own_hands(), "3,200.40", &[2]);
    let house = link.balance(0, Account::House);
    let four = link.hit(table, 2, Hand::FourOfAKind);
    assert_eq!(four.paid(), [(2, "5000.00".to_owned())]);
    assert_eq!(link.meter(), "0.00");
    assert_eq!(given(&link, house), "1799.60");
    assert_eq!(link.of(Account::Pending), "5000.00");
    assert_eq!(
        taken(&four),
        Some((None, "3200.40".to_owned(), "0.00".to_owned(), false))
    );
    let payout = &four.recorded.payouts[0];
    assert_eq!(
        (payout.charged_to, payout.handed_over),
        (ChargedTo::Meter, HandedOver::Rack)
    );
    assert_eq!(link.balance(FIXED, Account::Pending), Money::ZERO);
    assert_eq!(link.state.lifetime.books[0].resets, 0);
    assert!(link.state.resets[0].is_empty());
}

/// An amount that is not displayed is not paid: the fraction of a cent stays on the meter.
#[test]
fn the_fraction_of_a_cent_stays_on_the_meter() {
    let (mut link, table) = at(charged::on_own_hands(), "3,200.405", &[2]);
    let house = link.balance(0, Account::House);
    link.hit(table, 2, Hand::FourOfAKind);
    assert_eq!(link.meter(), "0.005");
    assert_eq!(given(&link, house), "1799.60");
}

/// A meter with enough pays all of it, an empty meter nothing.
#[test]
fn a_full_meter_pays_all_and_an_empty_one_nothing() {
    for (meter, after, house) in [
        ("5,000.00", "0.00", "0.00"),
        ("12,000.00", "7000.00", "0.00"),
        ("0.00", "0.00", "5000.00"),
        ("0.004", "0.004", "5000.00"),
    ] {
        let (mut link, table) = at(charged::on_own_hands(), meter, &[2]);
        let before = link.balance(0, Account::House);
        link.hit(table, 2, Hand::FourOfAKind);
        assert_eq!(link.meter(), after, "{meter}");
        assert_eq!(given(&link, before), house, "{meter}");
    }
}

/// The reserve is not displayed, and stays.
#[test]
fn the_reserve_is_not_used_for_a_fixed_pay() {
    let (mut link, table) = at(charged::on_both_hands(), "3,200.40", &[2]);
    link.set(0, Account::Reserve, "900.00");
    link.hit(table, 2, Hand::FourOfAKind);
    assert_eq!(
        [link.meter(), link.of(Account::Reserve)],
        ["0.00", "900.00"]
    );
}

/// Several lines in one round, in turn order: each finds the balances that the previous one left, a percentage
/// between them too.
#[test]
fn several_fixed_pays_of_one_round() {
    let (mut link, table) = at(charged::on_own_hands(), "5,150.00", &[1, 2, 3, 4, 5]);
    let house = link.balance(0, Account::House);
    for (seat, hand, due, meter) in [
        (5, Hand::FullHouse, "100.00", "5050.00"),
        (4, Hand::StraightFlush, "505.00", "4545.00"),
        (3, Hand::FourOfAKind, "5000.00", "0.00"),
        (2, Hand::FullHouse, "100.00", "0.00"),
    ] {
        let hit = link.hit(table, seat, hand);
        assert_eq!(hit.paid(), [(seat, due.to_owned())]);
        assert_eq!(link.meter(), meter);
    }
    assert_eq!(given(&link, house), "555.00");
    link.hit(table, 1, Hand::RoyalFlush);
    assert_eq!(link.meter(), "10000.00");
}

/// Several wagers on the dealer's hand are payouts of one hit from one sum, each of them whole.
#[test]
fn several_wagers_on_the_dealers_hand_are_one_hit() {
    let mut link = Link::open(charged::on_both_hands(), "1.00");
    let table = link.table();
    let on_dealer = |seat, player| (seat, WageredHand::Dealer, player);
    link.coin_in_of(
        table,
        &[
            on_dealer(2, None),
            on_dealer(3, Some("p-77")),
            on_dealer(4, Some("p-77")),
        ],
    );
    link.set_meter("3,200.40");
    let house = link.balance(0, Account::House);
    let four = link.dealer_hit(table, Hand::FourOfAKind);
    let each = [4, 3, 2].map(|seat| (seat, "5000.00".to_owned()));
    assert_eq!(four.paid(), each);
    assert_eq!(link.meter(), "0.00");
    assert_eq!(given(&link, house), "11799.60");
    assert!(four.recorded.needs_validation);
}

/// The dealer's button pressed again: meter and house get back the amounts that each gave, the others' coin-in is
/// kept.
#[test]
fn a_cancelled_fixed_pay_goes_back_to_meter_and_house() {
    let (mut link, table) = at(charged::on_own_hands(), "3,200.40", &[2]);
    let other = link.table();
    let before = link.state.balances.clone();
    let four = link.hit(table, 2, Hand::FourOfAKind);
    link.cancel(four.id);
    assert_eq!(link.state.balances, before);
    let again = link.hit(table, 2, Hand::FourOfAKind);
    link.rounds(other, 1, &[1, 2, 3, 4, 5, SEATS]);
    assert_eq!(link.meter(), "1.26");
    link.cancel(again.id);
    assert_eq!(link.meter(), "3201.66");
    assert_eq!(link.of(Account::Pending), "0.00");
}

/// A later hit of the level depends on the amount: the refusal names it.
#[test]
fn a_later_hit_of_the_level_prevents_a_cancel() {
    let (mut link, table) = at(charged::on_own_hands(), "3,200.40", &[1, 2, 3]);
    let first = link.hit(table, 3, Hand::FullHouse);
    link.hit(table, 2, Hand::StraightFlush);
    let refusal = link.refuse(table, &cancel(first.id));
    assert_eq!(refusal.code, RefusalCode::LaterHits);
    assert_eq!(refusal.fields, [("hits".to_owned(), "T1.3".to_owned())]);
}

/// Validated as any hit of this wager, paid from the rack at GAME OVER; all of it in the level's book.
#[test]
fn a_fixed_pay_is_paid_at_game_over() {
    let (mut link, table) = at(charged::on_own_hands(), "3,200.40", &[2, 4]);
    let four = link.hit(table, 2, Hand::FourOfAKind);
    let refusal = link.refuse(table, &TableCommand::Close);
    assert_eq!(refusal.code, RefusalCode::HitUnsettled);
    link.validate(four.id);
    let slip = pay(four.id, 1, "JP-000001");
    let refusal = link.refuse_person(support::SUPERVISOR, slip);
    assert_eq!(refusal.code, RefusalCode::NotPaidBySlip);
    link.play(table, &TableCommand::Close);
    assert_eq!(link.of(Account::Pending), "0.00");
    assert_eq!(link.of(Account::Paid), "5000.00");
    assert_eq!(link.balance(FIXED, Account::Paid), Money::ZERO);
}

/// The line comes off the meter, its envy from the house.
#[test]
fn the_house_pays_the_envy_of_a_charged_line() {
    let mut paytable = charged::on_own_hands();
    for line in &mut paytable.content.lines {
        if line.hand == Hand::FourOfAKind {
            line.envy = Some(300);
        }
    }
    let (mut link, table) = at(paytable, "3,200.40", &[2, 4]);
    let four = link.hit(table, 2, Hand::FourOfAKind);
    assert_eq!(four.envy(), [(4, "300.00".to_owned())]);
    assert_eq!(
        link.balance(FIXED, Account::House),
        dollars("0").minus(dollars("300")).unwrap_or_default()
    );
    link.validate(four.id);
    link.play(table, &TableCommand::Close);
    assert_eq!(link.of(Account::Paid), "5000.00");
    assert_eq!(link.balance(FIXED, Account::Paid), dollars("300"));
}

/// A void takes the round's own hit back first, and then its contributions.
#[test]
fn a_void_round_takes_a_fixed_pay_back() {
    let mut link = Link::open(charged::on_own_hands(), "1.00");
    let table = link.table();
    link.set_meter("3,200.40");
    let before = link.state.balances.clone();
    link.coin_in(table, &[2, 4]);
    link.hit(table, 2, Hand::FourOfAKind);
    link.void(table);
    assert_eq!(link.state.balances, before);
}
