//! Paid amounts stay paid, and further amounts owed are paid by slip.

use meterhouse_domain::change::Change;
use meterhouse_domain::command::{TableCommand, WageredHand};
use meterhouse_domain::event::PayoutKind;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::TableNo;
use meterhouse_domain::link::Account;
use meterhouse_domain::paytable::HandedOver;
use meterhouse_domain::state::HitStatus;

use super::people::both;
use super::support::{Link, dollars, paytables};
use super::{level, line, linked, payouts};

/// The book of pays that touch no meter, on a link of one level.
const FIXED: usize = 1;

/// The withdrawn hit and its envy were paid at GAME OVER: the players keep both, the house bears them.
#[test]
fn a_paid_hit_of_a_closed_round_is_withdrawn_and_the_players_keep_it() {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let table = link.table();
    link.coin_in(table, &[1, 2, 3]);
    link.set_meter("20,000.00");
    let hit = link.hit(table, 2, Hand::RoyalFlush);
    assert_eq!(hit.envy().len(), 2);
    link.validate(hit.id);
    link.pay(hit.id, 1);
    link.play(table, &TableCommand::Close);
    let house = [0, FIXED].map(|book| link.balance(book, Account::House));

    both(&mut link, Change::Correct { hit: hit.id });
    assert_eq!(level(&link), ["20000.00", "0.00", "0.00"]);
    assert_eq!(link.of(Account::Paid), "20000.00");
    assert_eq!(link.balance(FIXED, Account::Paid), dollars("2000.00"));
    assert_eq!(link.balance(FIXED, Account::Pending), dollars("0.00"));
    let given = [0, FIXED].map(|book| link.balance(book, Account::House));
    // The house got its reseed of 10,000.00 back and gave the 20,000.00 that were paid.
    assert_eq!(house[0].minus(given[0]), Ok(dollars("10000.00")));
    assert_eq!(house[1], given[1]);
}

/// Unpaid envy goes back with the hit.
#[test]
fn pending_envy_is_reversed_with_a_validated_hit() {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let table = link.table();
    link.coin_in(table, &[1, 2, 3]);
    let hit = link.hit(table, 2, Hand::StraightFlush).id;
    link.validate(hit);
    assert_eq!(link.balance(FIXED, Account::Pending), dollars("600.00"));
    both(&mut link, Change::Correct { hit });
    assert_eq!(link.balance(FIXED, Account::Pending), dollars("0.00"));
    assert_eq!(link.balance(FIXED, Account::House), dollars("0.00"));
    link.play(table, &TableCommand::Close);
}

/// A part of the meter's money is paid and a part is not: in a split each payout is separate.
#[test]
fn a_split_that_is_paid_in_part_gets_supplements_in_part() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let (one, other) = (link.table(), link.table());
    link.coin_in(one, &[1]);
    let wagers = [1, 2].map(|seat| (seat, WageredHand::Dealer, None));
    link.coin_in_of(other, &wagers);
    link.set_meter("1,000.00");
    let first = link.hit(one, 1, Hand::StraightFlush).id;
    let split = link.dealer_hit(other, Hand::StraightFlush).id;
    link.validate(split);
    link.pay(split, 1);
    both(&mut link, Change::Correct { hit: first });
    let supplement = (PayoutKind::Supplement, "5.00".to_owned());
    assert_eq!(
        payouts(&link, split),
        [line("45.00"), line("50.00"), supplement]
    );
    assert_eq!(link.meter(), "900.00");
    assert_eq!(link.of(Account::Pending), "55.00");
    let state = link.hit_state(split);
    assert!(matches!(state.status, HitStatus::Validated { .. }));
    let last = state.payouts.last().map(|state| state.payout.clone());
    let last = last.map(|payout| (payout.seat.0, payout.handed_over));
    assert_eq!(last, Some((2, HandedOver::Slip)));
    link.pay(split, 2);
    link.pay(split, 3);
    link.play(other, &TableCommand::Close);
    assert_eq!(link.of(Account::Pending), "0.00");
}

/// Corrected twice: an unpaid supplement follows, a supplement no longer owed goes, and paid amounts are included.
#[test]
fn a_second_correction_counts_what_the_first_one_paid() {
    for paid in [false, true] {
        let mut link = Link::open(paytables::five_card_a(), "1.00");
        let tables: Vec<TableNo> = (0..3).map(|_| link.table()).collect();
        for table in &tables {
            link.coin_in(*table, &[1]);
        }
        link.set_meter("1,000.00");
        let hits: Vec<_> = tables
            .iter()
            .zip([Hand::StraightFlush, Hand::RoyalFlush, Hand::StraightFlush])
            .map(|(table, hand)| link.hit(*table, 1, hand).id)
            .collect();
        let [first, royal, last] = hits[..] else {
            return assert_eq!(hits.len(), 3);
        };
        // The royal brought the meter from 900.00 to 10,000.00: the last hit was paid 1,000.00.
        for hit in [first, royal, last] {
            link.validate(hit);
        }
        link.pay(last, 1);
        both(&mut link, Change::Correct { hit: royal });
        assert_eq!(payouts(&link, last), [line("1000.00")]);
        assert_eq!(link.meter(), "810.00");
        both(&mut link, Change::Correct { hit: first });
        assert_eq!(payouts(&link, last), [line("1000.00")]);
        assert_eq!(link.meter(), "900.00");
        if paid {
            both(&mut link, Change::Correct { hit: last });
            assert_eq!(link.meter(), "1000.00");
            assert_eq!(link.of(Account::Paid), "1000.00");
        }
    }
}

/// An unpaid supplement is taken back by a later correction.
#[test]
fn an_unpaid_supplement_is_removed_by_a_later_correction() {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let tables: Vec<TableNo> = (0..3).map(|_| link.table()).collect();
    for table in &tables {
        link.coin_in(*table, &[1]);
    }
    link.set_meter("1,000.00");
    let hands = [Hand::RoyalFlush, Hand::StraightFlush, Hand::StraightFlush];
    let hits = tables.iter().zip(hands);
    let hits: Vec<_> = hits
        .map(|(table, hand)| link.hit(*table, 1, hand).id)
        .collect();
    let [royal, lesser, last] = hits[..] else {
        return assert_eq!(hits.len(), 3);
    };
    for hit in [royal, lesser, last] {
        link.validate(hit);
    }
    link.pay(last, 1);
    both(&mut link, Change::Correct { hit: lesser });
    let supplement = (PayoutKind::Supplement, "100.00".to_owned());
    assert_eq!(payouts(&link, last), [line("900.00"), supplement]);
    both(&mut link, Change::Correct { hit: royal });
    assert_eq!(payouts(&link, last), [line("900.00")]);
    assert_eq!(link.meter(), "900.00");
    assert_eq!(link.of(Account::Pending), "0.00");
}

/// Two people correct hits of closed rounds, and the later winner's supplement is paid long after GAME OVER.
#[test]
fn a_supplement_of_a_closed_round_is_paid_by_slip() {
    let (mut link, one, other) = linked(paytables::five_card_a(), "20,000.00");
    let first = link.hit(one, 1, Hand::StraightFlush).id;
    let second = link.hit(other, 1, Hand::StraightFlush).id;
    for hit in [first, second] {
        link.validate(hit);
        link.pay(hit, 1);
        link.play(hit.table, &TableCommand::Close);
    }
    both(&mut link, Change::Correct { hit: first });
    assert_eq!(link.meter(), "18000.00");
    assert_eq!(link.of(Account::Pending), "200.00");
    link.pay(second, 2);
    assert_eq!(link.of(Account::Pending), "0.00");
    assert_eq!(link.of(Account::Paid), "4000.00");
}
