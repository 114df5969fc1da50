//! Ceilings: an amount that a level may not display goes to its overflow, and comes back at the next reset (figure
//! P).

use meterhouse_domain::decide::{Stop, open};
use meterhouse_domain::event::{CoinInAccepted, Event};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::TableNo;
use meterhouse_domain::link::{Account, Book, LinkSettings, LinkTerms};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::Paytable;
use meterhouse_domain::rate::{PPM, Rate};
use meterhouse_domain::refusal::{Refusal, RefusalCode};

#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;

use support::{Link, coin_in_of, dollars, is, paytables, terms};

const ALL: [u8; 6] = [1, 2, 3, 4, 5, 6];

/// Returns terms of one level with this ceiling.
fn limited(paytable: Paytable, wager: &str, ceiling: &str) -> LinkTerms {
    LinkTerms {
        settings: LinkSettings {
            ceilings: vec![Some(dollars(ceiling))],
            ..LinkSettings::default()
        },
        ..terms(paytable, wager)
    }
}

/// Returns a link of one level with this ceiling, and two tables.
fn link(paytable: Paytable, wager: &str, ceiling: &str) -> (Link, TableNo, TableNo) {
    let mut link = Link::open_with(limited(paytable, wager, ceiling));
    let (one, two) = (link.table(), link.table());
    (link, one, two)
}

/// Returns meter, reserve and overflow of the only level.
fn pools(link: &Link) -> [String; 3] {
    [Account::Meter, Account::Reserve, Account::Overflow].map(|account| link.of(account))
}

/// Returns the amount that the house has given to the only level since `before`.
fn given(link: &Link, before: Money) -> String {
    let given = before.minus(link.balance(0, Account::House));
    given.map(|amount| amount.to_string()).unwrap_or_default()
}

/// Returns the amounts above ceilings of a coin-in.
fn over_ceiling(link: &mut Link, table: TableNo, seats: &[u8]) -> Vec<(Book, Money)> {
    let command = coin_in_of(seats, link.state.terms.wager);
    match link.play(table, &command) {
        Event::CoinInAccepted(CoinInAccepted { over_ceiling, .. }) => over_ceiling,
        _ => Vec::new(),
    }
}

/// Figure P, first half, and CONFORMANCE 22: the meter stays at its ceiling, a partial pay brings nothing back, a win
/// brings all of it back. The whole wager goes to the meter here, so that two wagers are the figure's 10.00.
#[test]
fn figure_p_a_ceiling_of_25_000() {
    let mut paytable = paytables::five_card_a_seeded(2_000);
    paytable.content.levels[0].primary = Rate::from_ppm(PPM).unwrap_or_default();
    let (mut link, table, other) = link(paytable, "5.00", "25,000.00");
    link.set_meter("24,995.00");
    let over = over_ceiling(&mut link, table, &[1, 2]);
    assert_eq!(over, [(Book(0), dollars("5.00"))]);
    assert_eq!(pools(&link), ["25000.00", "0.00", "5.00"]);

    let tenth = link.hit(table, 2, Hand::StraightFlush);
    assert_eq!(tenth.paid(), [(2, "2500.00".to_owned())]);
    assert_eq!(pools(&link), ["22500.00", "0.00", "5.00"]);
    let royal = link.hit(table, 1, Hand::RoyalFlush);
    assert_eq!(royal.paid(), [(1, "22500.00".to_owned())]);
    assert_eq!(pools(&link), ["10005.00", "0.00", "0.00"]);
    assert_eq!(link.state.lifetime.books[0].overflow, dollars("5.00"));

    let over = over_ceiling(&mut link, other, &ALL);
    assert_eq!(over, [], "below its ceiling a level takes all");
    assert_eq!(pools(&link), ["10035.00", "0.00", "0.00"]);
}

/// Figure P, second half: the amount that a cancelled royal gives back stays below the ceiling too.
#[test]
fn figure_p_a_royal_cancelled_at_the_ceiling() {
    let (mut link, one, two) = link(paytables::five_card_a(), "1.00", "30,000.00");
    link.coin_in(one, &[3]);
    link.set_meter("30,000.00");
    let royal = link.hit(one, 3, Hand::RoyalFlush);
    assert_eq!(link.meter(), "10000.00");
    link.rounds(two, 5, &ALL);
    assert_eq!(link.meter(), "10006.30");
    link.cancel(royal.id);
    assert_eq!(pools(&link), ["30000.00", "0.00", "6.30"]);
}

/// CONFORMANCE 22: further contributions at the ceiling go over it whole.
#[test]
fn at_the_ceiling_everything_goes_over() {
    let (mut link, table, _) = link(paytables::five_card_a(), "1.00", "12,000.00");
    link.set_meter("12,000.00");
    let over = over_ceiling(&mut link, table, &ALL);
    assert_eq!(over, [(Book(0), dollars("1.26"))]);
    assert_eq!(pools(&link), ["12000.00", "0.00", "1.26"]);
}

/// CONFORMANCE 22, its last sentence: reseed, reserve and overflow together are above the ceiling. The meter restarts
/// at the ceiling and the rest is overflow again. Cancelled, everything is as it was.
#[test]
fn a_reset_above_the_ceiling_goes_over_again() {
    let (mut link, table, _) = link(paytables::four_card_b(), "1.00", "2,000.00");
    link.coin_in(table, &[1]);
    link.set_meter("2,000.00");
    link.set(0, Account::Reserve, "1,500.00");
    link.set(0, Account::Overflow, "300.00");
    let before = link.state.balances.clone();
    let aces = link.hit(table, 1, Hand::FourAces);
    assert_eq!(aces.paid(), [(1, "2000.00".to_owned())]);
    assert_eq!(pools(&link), ["2000.00", "0.00", "800.00"]);
    let after = aces.recorded.taken.map(|taken| taken.after);
    assert_eq!(
        after,
        Some(dollars("2,000.00")),
        "what the hit says of the meter"
    );
    link.cancel(aces.id);
    assert_eq!(link.state.balances, before);
}

/// A level without a ceiling is unaffected by another level's: each keeps its own.
#[test]
fn each_level_has_its_own_ceiling() {
    let mut terms = terms(paytables::five_card_c(), "1.00");
    terms.settings.ceilings = vec![None, Some(dollars("1000.00")), Some(dollars("250.10"))];
    let mut link = Link::open_with(terms);
    let table = link.table();
    let over = over_ceiling(&mut link, table, &ALL);
    let expected = [(Book(1), dollars("0.42")), (Book(2), dollars("0.08"))];
    assert_eq!(over, expected);
    assert_eq!(link.meters(), ["10000.54", "1000.00", "250.10"]);
}

/// A void round takes its overflow part from the overflow, as if it had never been locked (RULES §6.2).
#[test]
fn a_void_takes_back_its_overflow() {
    let (mut link, one, two) = link(paytables::five_card_a(), "1.00", "12,000.00");
    link.coin_in(two, &[1]);
    link.set_meter("11,999.00");
    link.set(0, Account::Overflow, "7.00");
    let before = link.state.balances.clone();
    link.coin_in(one, &ALL);
    assert_eq!(pools(&link), ["12000.00", "0.00", "7.26"]);
    link.void(one);
    assert_eq!(link.state.balances, before);
}

/// If a tenth was paid since, the house gives back the meter part; the untouched overflow gives its own.
#[test]
fn a_void_after_a_partial_pay_is_covered_by_the_house() {
    let (mut link, one, two) = link(paytables::five_card_a(), "1.00", "12,000.00");
    link.coin_in(two, &[1]);
    link.set_meter("11,999.00");
    link.coin_in(one, &ALL);
    link.hit(two, 1, Hand::StraightFlush);
    assert_eq!(pools(&link), ["10800.00", "0.00", "0.26"]);
    let house = link.balance(0, Account::House);
    link.void(one);
    assert_eq!(pools(&link), ["10800.00", "0.00", "0.00"]);
    assert_eq!(given(&link, house), "1.00");
}

/// If a standing reset took the overflow, the house gives back both parts. Cancelled, it gives none.
#[test]
fn a_void_after_a_reset_is_covered_by_the_house() {
    for (cancelled, after, house_gave) in [
        (false, ["10000.26", "0.00", "0.00"], "1.26"),
        (true, ["11999.00", "0.00", "0.00"], "0.00"),
    ] {
        let (mut link, one, two) = link(paytables::five_card_a(), "1.00", "12,000.00");
        link.coin_in(two, &[1]);
        link.set_meter("11,999.00");
        link.coin_in(one, &ALL);
        let royal = link.hit(two, 1, Hand::RoyalFlush);
        assert_eq!(pools(&link), ["10000.26", "0.00", "0.00"]);
        if cancelled {
            link.cancel(royal.id);
            assert_eq!(pools(&link), ["12000.00", "0.00", "0.26"]);
        }
        let house = link.balance(0, Account::House);
        link.void(one);
        assert_eq!(pools(&link), after);
        assert_eq!(given(&link, house), house_gave);
    }
}

/// The overflow since the reset belongs to another round: it stays, and the house gives back the void round's.
#[test]
fn a_void_leaves_the_overflow_of_other_rounds() {
    let (mut link, one, two) = link(paytables::five_card_a(), "1.00", "12,000.00");
    link.coin_in(two, &[1]);
    link.set_meter("11,999.00");
    link.coin_in(one, &ALL);
    link.hit(two, 1, Hand::RoyalFlush);
    link.set_meter("12,000.00");
    let third = link.table();
    link.coin_in(third, &ALL);
    assert_eq!(pools(&link), ["12000.00", "0.00", "1.26"]);
    let house = link.balance(0, Account::House);
    link.void(one);
    assert_eq!(pools(&link), ["12000.00", "0.00", "1.26"]);
    assert_eq!(given(&link, house), "1.26");
}

/// The void round's own royal is reversed first, then its wagers; the ceiling is checked after both.
#[test]
fn a_void_of_the_winning_round_reverses_its_hit_first() {
    let (mut link, one, two) = link(paytables::five_card_a(), "1.00", "12,000.00");
    link.set_meter("11,999.00");
    link.coin_in(one, &ALL);
    link.hit(one, 4, Hand::RoyalFlush);
    link.rounds(two, 1, &ALL);
    assert_eq!(pools(&link), ["10001.52", "0.00", "0.00"]);
    link.void(one);
    assert_eq!(pools(&link), ["12000.00", "0.00", "0.26"]);
}

/// Two people took off the amount that a void round has to give back: the meter gives its balance and the house the
/// rest.
#[test]
fn a_void_never_takes_more_than_the_balance() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    link.coin_in(table, &ALL);
    link.set_meter("0.50");
    link.set(0, Account::Reserve, "0.40");
    let house = link.balance(0, Account::House);
    link.void(table);
    assert_eq!(pools(&link), ["0.00", "0.00", "0.00"]);
    // 0.78 and 0.48 went back to the players.
    assert_eq!(given(&link, house), "0.36");
}

/// A cancelled royal whose restart was taken off since: 8,000.00 still go back to the reserve.
#[test]
fn a_cancel_never_takes_more_than_the_balance() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    link.coin_in(table, &[1]);
    link.set_meter("0.00");
    link.set(0, Account::Reserve, "8,000.00");
    let royal = link.hit(table, 1, Hand::RoyalFlush);
    assert_eq!(pools(&link), ["8000.00", "0.00", "0.00"]);
    link.set_meter("1,000.00");
    let house = link.balance(0, Account::House);
    link.cancel(royal.id);
    assert_eq!(pools(&link), ["0.00", "8000.00", "0.00"]);
    assert_eq!(given(&link, house), "7000.00");
}

/// Returns the refusal of a link with these terms.
fn refused(terms: LinkTerms) -> Refusal {
    match open(terms) {
        Err(Stop::Refused(refusal)) => refusal,
        other => Refusal::new(RefusalCode::UnknownHit).with("opened", format!("{other:?}")),
    }
}

/// CONFORMANCE 37: a ceiling below a level's opening amount is refused, an equal one accepted.
#[test]
fn a_ceiling_below_the_opening_amount_is_refused() {
    let too_low = refused(limited(paytables::five_card_a(), "5.00", "49,999.99"));
    let fields = [
        ("level", "meter"),
        ("ceiling", "49999.99"),
        ("least", "50000.00"),
    ];
    is(&too_low, RefusalCode::CeilingTooLow, &fields);
    let equal = Link::open_with(limited(paytables::five_card_a(), "5.00", "50,000.00"));
    assert_eq!(equal.meter(), "50000.00");
    for (seed, reseed) in [(1_000, 2_000), (2_000, 1_000)] {
        let mut paytable = paytables::five_card_a_seeded(seed);
        paytable.content.levels[0].reseed = reseed;
        let refusal = refused(limited(paytable, "1.00", "1,999.99"));
        let fields = [
            ("level", "meter"),
            ("ceiling", "1999.99"),
            ("least", "2000.00"),
        ];
        is(&refusal, RefusalCode::CeilingTooLow, &fields);
    }
}

/// Signs show whole cents, and every level has its entry in the list.
#[test]
fn a_ceiling_is_of_whole_cents_and_of_each_level() {
    let fraction = refused(limited(paytables::five_card_a(), "1.00", "10000.005"));
    let fields = [
        ("level", "meter"),
        ("ceiling", "10000.005"),
        ("least", "10000.00"),
    ];
    is(&fraction, RefusalCode::OutOfRange, &fields);
    let one_of_three = refused(limited(paytables::five_card_c(), "1.00", "20000.00"));
    let fields = [("ceilings", "1"), ("levels", "3")];
    is(&one_of_three, RefusalCode::OutOfRange, &fields);
}
