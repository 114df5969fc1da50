//! Lifetime meters (CONFORMANCE 10 and 61; § 605a.7(a)(2) to (4)).

use meterhouse_domain::change::{AdjustedAccount, Change};
use meterhouse_domain::command::TableCommand;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::lifetime::{BookCounts, LineCounts};
use meterhouse_domain::link::{Account, LinkSettings, LinkTerms};
use meterhouse_domain::money::Money;

#[expect(dead_code, reason = "every file of tests uses its part of it")]
#[path = "support/people.rs"]
mod people;
#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;

use people::{adjust, both};
use support::{Link, SUPERVISOR, dollars, paytables, reject, terms};

/// Returns a link of Five-Card Paytable A with a ceiling, whose meter two people brought to this amount.
fn with_ceiling(meter: &str) -> Link {
    let mut link = Link::open_with(LinkTerms {
        settings: LinkSettings {
            ceilings: vec![Some(dollars("30,001.00"))],
            ..LinkSettings::default()
        },
        ..terms(paytables::five_card_a(), "1.00")
    });
    let amount = dollars(meter).minus(dollars("10,000.00"));
    let amount = amount.map(|amount| amount.to_string()).unwrap_or_default();
    both(&mut link, adjust(AdjustedAccount::Meter, &amount));
    link
}

fn book(link: &Link) -> BookCounts {
    link.state
        .lifetime
        .books
        .first()
        .copied()
        .unwrap_or_default()
}

/// Returns hits and wins of the line of this hand.
fn counted(link: &Link, hand: Hand) -> (u64, String) {
    let lines = &link.state.terms.content().lines;
    let index = lines.iter().position(|line| line.hand == hand);
    let counts = index.and_then(|index| link.state.lifetime.lines.get(index));
    let LineCounts { hits, due } = counts.copied().unwrap_or_default();
    (hits, due.to_string())
}

/// Checks CONFORMANCE 61 from the lifetime meters alone: in every book, all income equals all outgo and the balances.
fn balances(link: &Link) {
    let lifetime = &link.state.lifetime;
    for (index, counts) in lifetime.books.iter().enumerate() {
        let mut came = counts.house_funded.micros() + counts.adjusted_up.micros();
        came -= counts.adjusted_down.micros();
        let voided = lifetime.contributions_voided.amounts();
        let shares = link.state.shares.iter().enumerate();
        for (share_index, _) in shares.filter(|(_, share)| share.book.index() == index) {
            let of =
                |amounts: &[Money]| amounts.get(share_index).map_or(0, |amount| amount.micros());
            came += of(lifetime.contributions.amounts()) - of(voided);
        }
        let there = [
            Account::Meter,
            Account::Reserve,
            Account::Overflow,
            Account::Pending,
        ];
        let there = there.map(|account| link.balance(index, account).micros());
        let went = there.iter().sum::<i64>() + counts.attendant_paid.micros();
        assert_eq!(came, went, "book {index}");
    }
}

/// CONFORMANCE 10: hits +1, wins and attendant-paid +30,000.00; the machine itself pays nothing.
#[test]
fn number_10_a_win_is_counted_and_paid_by_an_attendant() {
    let mut link = with_ceiling("30,000.00");
    let table = link.table();
    link.coin_in(table, &[1]);
    both(&mut link, adjust(AdjustedAccount::Meter, "-0.21"));
    let funded = book(&link).house_funded;
    assert_eq!(funded, dollars("10,000.00"));
    let hit = link.hit(table, 1, Hand::RoyalFlush).id;
    assert_eq!(counted(&link, Hand::RoyalFlush), (1, "30000.00".to_owned()));
    assert_eq!(book(&link).attendant_paid, Money::ZERO);
    assert_eq!(book(&link).resets, 1);
    assert_eq!(link.meter(), "10000.00");
    balances(&link);
    link.validate(hit);
    link.pay(hit, 1);
    link.play(table, &TableCommand::Close);
    assert_eq!(book(&link).attendant_paid, dollars("30,000.00"));
    assert_eq!(book(&link).house_funded, dollars("20,000.00"));
    assert_eq!(counted(&link, Hand::RoyalFlush), (1, "30000.00".to_owned()));
    balances(&link);
}

/// Coin-in, wagers and contributions are counted; a void round has its own counter.
#[test]
fn coin_in_and_void_rounds_are_counted_separately() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    link.rounds(table, 3, &[1, 2]);
    link.coin_in(table, &[4]);
    link.void(table);
    let lifetime = &link.state.lifetime;
    assert_eq!((lifetime.rounds, lifetime.wagers), (4, 7));
    assert_eq!(lifetime.wagers_voided, 1);
    let of = |amounts: &[Money]| amounts.iter().map(Money::to_string).collect::<Vec<_>>();
    assert_eq!(of(lifetime.contributions.amounts()), ["0.91", "0.56"]);
    assert_eq!(
        of(lifetime.contributions_voided.amounts()),
        ["0.13", "0.08"]
    );
    balances(&link);
}

/// A void round's money was already paid out: the house gives it back, which is counted (figure L).
#[test]
fn cover_by_the_house_is_counted() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let (one, other) = (link.table(), link.table());
    link.coin_in(other, &[1]);
    link.coin_in(one, &[1, 2, 3, 4, 5, 6]);
    link.hit(other, 1, Hand::StraightFlush);
    link.void(one);
    assert_eq!(book(&link).house_funded, dollars("10,000.78"));
    balances(&link);
}

/// An amount that a ceiling kept out stays counted when it comes back at a reset, and is counted once when the reset
/// is undone.
#[test]
fn overflow_is_counted_once() {
    let mut link = with_ceiling("30,000.00");
    let (one, other) = (link.table(), link.table());
    link.coin_in(one, &[1]);
    link.rounds(other, 1, &[1, 2, 3, 4, 5, 6]);
    assert_eq!(link.of(Account::Overflow), "0.47");
    assert_eq!(book(&link).overflow, dollars("0.47"));
    let hit = link.hit(one, 1, Hand::RoyalFlush).id;
    assert_eq!(link.of(Account::Overflow), "0.00");
    assert_eq!(book(&link).overflow, dollars("0.47"));
    balances(&link);
    link.cancel(hit);
    assert_eq!(link.of(Account::Overflow), "0.47");
    assert_eq!(book(&link).overflow, dollars("0.47"));
    balances(&link);
}

/// Undone hits count no longer, and resettled hits count with their new amounts.
#[test]
fn resettled_hits_are_counted_with_their_new_amounts() {
    let mut link = with_ceiling("20,000.00");
    let (one, other) = (link.table(), link.table());
    link.coin_in(one, &[1]);
    link.coin_in(other, &[1]);
    let first = link.hit(one, 1, Hand::StraightFlush).id;
    let second = link.hit(other, 1, Hand::StraightFlush).id;
    assert_eq!(
        counted(&link, Hand::StraightFlush),
        (2, "3800.07".to_owned())
    );
    link.person(SUPERVISOR, reject(first, true));
    assert_eq!(
        counted(&link, Hand::StraightFlush),
        (1, "2000.04".to_owned())
    );
    balances(&link);
    link.validate(second);
    link.pay(second, 1);
    both(&mut link, Change::Correct { hit: second });
    assert_eq!(counted(&link, Hand::StraightFlush), (0, "0.00".to_owned()));
    // The paid amount stays paid, and the house bears it.
    assert_eq!(book(&link).attendant_paid, dollars("2,000.04"));
    assert_eq!(book(&link).house_funded, dollars("12,000.04"));
    balances(&link);
}

/// Two-person adjustments up and down are counted separately from house funding, the part over a ceiling too.
#[test]
fn adjustments_are_counted_separately() {
    let mut link = with_ceiling("30,000.00");
    both(&mut link, adjust(AdjustedAccount::Meter, "2.50"));
    both(&mut link, adjust(AdjustedAccount::Meter, "-100.00"));
    both(&mut link, adjust(AdjustedAccount::Reserve, "7.00"));
    both(&mut link, adjust(AdjustedAccount::Reserve, "-7.00"));
    let counts = book(&link);
    assert_eq!(counts.adjusted_up, dollars("20,009.50"));
    assert_eq!(counts.adjusted_down, dollars("107.00"));
    assert_eq!(counts.house_funded, dollars("10,000.00"));
    assert_eq!(counts.overflow, dollars("1.50"));
    balances(&link);
}
