//! Several tables on one link: the order of commitment decides, also for undone hits (figures H, L, M).

use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::TableNo;
use meterhouse_domain::link::Account;

use super::paid;
use super::support::{Link, paytables};

/// All six seats.
const ALL: [u8; 6] = [1, 2, 3, 4, 5, 6];

/// Figure H: T1 and T3 locked with one wager each, the meter at 30,000.00, T2 idle.
fn figure_h_locked() -> (Link, [TableNo; 3]) {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let tables = [link.table(), link.table(), link.table()];
    link.coin_in(tables[0], &[1]);
    link.coin_in(tables[2], &[1]);
    link.set_meter("30,000.00");
    (link, tables)
}

#[test]
fn figure_h_the_order_of_linked_tables() {
    let (mut link, [one, two, three]) = figure_h_locked();
    let first = link.hit(one, 1, Hand::RoyalFlush);
    assert_eq!(first.paid(), paid(&[(1, "30000.00")]));
    assert_eq!(link.meter(), "10000.00");
    link.rounds(two, 5, &ALL);
    assert_eq!(link.meter(), "10006.30");
    let second = link.hit(three, 1, Hand::RoyalFlush);
    assert_eq!(second.paid(), paid(&[(1, "10006.30")]));
    assert_eq!(link.meter(), "10000.00");
    assert_eq!((first.recorded.order.0, second.recorded.order.0), (1, 2));
}

#[test]
fn figure_h_the_coin_in_came_first() {
    let (mut link, [one, two, three]) = figure_h_locked();
    link.rounds(two, 5, &ALL);
    let first = link.hit(one, 1, Hand::RoyalFlush);
    assert_eq!(first.paid(), paid(&[(1, "30006.30")]));
    let second = link.hit(three, 1, Hand::RoyalFlush);
    assert_eq!(second.paid(), paid(&[(1, "10000.00")]));
}

#[test]
fn figure_h_pressed_by_accident() {
    let (mut link, [one, two, _]) = figure_h_locked();
    let royal = link.hit(one, 1, Hand::RoyalFlush);
    link.rounds(two, 5, &ALL);
    assert_eq!(link.meter(), "10006.30");
    link.cancel(royal.id);
    assert_eq!(link.meter(), "30006.30");
    assert_eq!(link.of(Account::Pending), "0.00");
}

#[test]
fn figure_l_the_reserve_gives_back_and_the_house_pays() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let (one, two) = (link.table(), link.table());
    link.coin_in(two, &[3]);
    link.set_meter("0.00");
    link.set(0, Account::Reserve, "0.00");
    link.coin_in(one, &ALL);
    assert_eq!([link.meter(), link.of(Account::Reserve)], ["0.78", "0.48"]);
    let tenth = link.hit(two, 3, Hand::StraightFlush);
    assert_eq!(tenth.paid(), paid(&[(3, "0.07")]));
    assert_eq!(link.meter(), "0.71");
    let house = link.balance(0, Account::House);
    link.void(one);
    assert_eq!([link.meter(), link.of(Account::Reserve)], ["0.71", "0.00"]);
    let charged = house.minus(link.balance(0, Account::House));
    assert_eq!(
        charged.map(|amount| amount.to_string()),
        Ok("0.78".to_owned())
    );
}

#[test]
fn figure_l_a_tenth_was_taken_since() {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let (one, two) = (link.table(), link.table());
    link.coin_in(two, &[3]);
    link.set_meter("10,000.00");
    link.coin_in(one, &ALL);
    assert_eq!(link.meter(), "10001.26");
    let tenth = link.hit(two, 3, Hand::StraightFlush);
    assert_eq!(tenth.paid(), paid(&[(3, "1000.12")]));
    link.void(one);
    assert_eq!(link.meter(), "9001.14");
}

/// At $5, so that one round of six adds 6.30; the reseed is 2,000 for 1.
#[test]
fn figure_l_the_royal_is_cancelled_after_the_void() {
    let mut link = Link::open(paytables::five_card_a_seeded(2_000), "5.00");
    let (one, two) = (link.table(), link.table());
    link.coin_in(one, &[3]);
    link.set_meter("30,000.00");
    link.coin_in(two, &ALL);
    assert_eq!(link.meter(), "30006.30");
    let royal = link.hit(one, 3, Hand::RoyalFlush);
    let house = link.balance(0, Account::House);
    link.void(two);
    assert_eq!(link.meter(), "10000.00");
    let charged = house.minus(link.balance(0, Account::House));
    assert_eq!(
        charged.map(|amount| amount.to_string()),
        Ok("6.30".to_owned())
    );
    link.cancel(royal.id);
    assert_eq!(link.meter(), "30006.30");
}

/// A standing reset took the reserve since: the house gives back both parts. Cancelled, it gives none.
#[test]
fn figure_l_a_reset_took_the_reserve() {
    for (cancelled, after) in [
        (false, ["0.80", "0.00", "-1.26"]),
        (true, ["0.52", "0.32", "0.00"]),
    ] {
        let mut link = Link::open(paytables::hand_bonus(), "1.00");
        let (one, two) = (link.table(), link.table());
        link.coin_in(two, &[1, 2, 3, 4]);
        link.set_meter("0.52");
        link.set(0, Account::Reserve, "0.32");
        let house = link.balance(0, Account::House);
        link.coin_in(one, &ALL);
        let royal = link.hit(two, 3, Hand::RoyalFlush);
        assert_eq!(royal.paid(), paid(&[(3, "1.30")]));
        assert_eq!([link.meter(), link.of(Account::Reserve)], ["0.80", "0.00"]);
        if cancelled {
            link.cancel(royal.id);
        }
        link.void(one);
        let given = link.balance(0, Account::House).minus(house);
        let given = given.map(|amount| amount.to_string()).unwrap_or_default();
        assert_eq!([link.meter(), link.of(Account::Reserve), given], after);
    }
}

/// A void without a hit of the level since gives its wagers back from the meter.
#[test]
fn figure_l_no_hit_since() {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let (one, two) = (link.table(), link.table());
    link.coin_in(two, &[3]);
    link.hit(two, 3, Hand::StraightFlush);
    let before = link.state.balances.clone();
    link.coin_in(one, &ALL);
    link.void(one);
    assert_eq!(link.state.balances, before);
}

#[test]
fn figure_m_void_of_the_round_that_hit() {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let (one, two) = (link.table(), link.table());
    link.set_meter("30,000.00");
    link.coin_in(one, &ALL);
    let royal = link.hit(one, 2, Hand::RoyalFlush);
    assert_eq!(royal.paid(), paid(&[(2, "30001.26")]));
    link.rounds(two, 5, &ALL);
    assert_eq!(link.meter(), "10006.30");
    link.void(one);
    assert_eq!(link.meter(), "30006.30");
    assert_eq!(link.of(Account::Pending), "0.00");
}
