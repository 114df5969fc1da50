//! Withdrawing a hit with dependent later hits: a supervisor's reject with `resettle`, and corrections by two people
//! (RULES §5.9, figure N). [`paid`]: paid amounts stay paid. [`refusals`]: reasons against a correction. [`path`]:
//! random hits on one level against the same play without one of them.

use meterhouse_domain::change::{AdjustedAccount, Change, Effect};
use meterhouse_domain::command::{TableCommand, WageredHand};
use meterhouse_domain::event::PayoutKind;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{HitId, TableNo};
use meterhouse_domain::link::{Account, LinkSettings, LinkTerms};
use meterhouse_domain::paytable::Paytable;
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::state::HitStatus;

#[expect(dead_code, reason = "every file of tests uses its part of it")]
#[path = "support/charged.rs"]
mod charged;
#[path = "corrections/paid.rs"]
mod paid;
#[path = "corrections/path.rs"]
mod path;
#[expect(dead_code, reason = "every file of tests uses its part of it")]
#[path = "support/people.rs"]
mod people;
#[path = "corrections/refusals.rs"]
mod refusals;
#[expect(
    dead_code,
    unused_imports,
    reason = "every file of tests uses its part of it"
)]
mod support;

use people::{adjust, both};
use support::{Link, SUPERVISOR, dollars, paytables, reject, terms};

/// Returns two tables of a link, the first with an open round, whose one meter has this amount.
fn linked(paytable: Paytable, meter: &str) -> (Link, TableNo, TableNo) {
    let mut link = Link::open(paytable, "1.00");
    let (one, other) = (link.table(), link.table());
    link.coin_in(one, &[1]);
    link.coin_in(other, &[1]);
    link.set_meter(meter);
    (link, one, other)
}

/// Figure H: royal at T1, coin-in of $30 at T2, royal at T3.
fn figure_h() -> (Link, HitId, HitId) {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let (t1, t2, t3) = (link.table(), link.table(), link.table());
    link.coin_in(t1, &[1]);
    link.coin_in(t3, &[1]);
    link.set_meter("30,000.00");
    let first = link.hit(t1, 1, Hand::RoyalFlush).id;
    link.rounds(t2, 5, &[1, 2, 3, 4, 5, 6]);
    assert_eq!(link.meter(), "10006.30");
    let second = link.hit(t3, 1, Hand::RoyalFlush);
    assert_eq!(second.paid(), [(1, "10006.30".to_owned())]);
    assert_eq!(link.meter(), "10000.00");
    (link, first, second.id)
}

/// Returns kind and amount of every payout of a hit.
fn payouts(link: &Link, hit: HitId) -> Vec<(PayoutKind, String)> {
    let payouts = link.hit_state(hit).payouts.iter();
    let text = payouts.map(|state| (state.payout.kind, state.payout.amount.to_string()));
    text.collect()
}

fn line(amount: &str) -> (PayoutKind, String) {
    (PayoutKind::Line, amount.to_owned())
}

/// Returns meter, reserve and overflow of the first level.
fn level(link: &Link) -> [String; 3] {
    [Account::Meter, Account::Reserve, Account::Overflow].map(|account| link.of(account))
}

/// Figure N, first part, and CONFORMANCE 26: the withdrawn hit leaves no trace in the amounts, the other tables'
/// coin-in stays.
#[test]
fn figure_n_a_later_pending_hit_gets_its_amount_without_the_first() {
    let (mut link, first, second) = figure_h();
    let house = link.balance(0, Account::House);
    link.person(SUPERVISOR, reject(first, true));
    assert_eq!(payouts(&link, second)[0], line("30006.30"));
    assert_eq!(link.meter(), "10000.00");
    assert_eq!(link.of(Account::Pending), "30006.30");
    let back = link.balance(0, Account::House).minus(house);
    assert_eq!(back, Ok(dollars("10000.00")));
    let taken = link
        .hit_state(second)
        .taken
        .map(|taken| (taken.before, taken.after));
    assert_eq!(taken, Some((dollars("30006.30"), dollars("10000.00"))));
    assert_eq!(link.hit_state(second).status, HitStatus::Pending);
    link.validate(second);
    link.pay(second, 1);
    assert_eq!(link.of(Account::Pending), "0.00");
    assert_eq!(link.of(Account::Paid), "30006.30");
}

/// Figure N, second part, and CONFORMANCE 26 and 27: once the later hit is paid, only two people withdraw the first,
/// validated or not.
#[test]
fn figure_n_a_paid_later_hit_gets_a_supplement() {
    for validated in [false, true] {
        let (mut link, first, second) = figure_h();
        if validated {
            link.validate(first);
        }
        link.validate(second);
        link.pay(second, 1);
        let refusal = link.refuse_person(SUPERVISOR, reject(first, true));
        let code = if validated {
            RefusalCode::HitNotPending
        } else {
            RefusalCode::HitPaid
        };
        assert_eq!(refusal.code, code);

        both(&mut link, Change::Correct { hit: first });
        let supplement = (PayoutKind::Supplement, "20000.00".to_owned());
        let paid_once = [line("10006.30")];
        assert_eq!(payouts(&link, second)[..1], paid_once);
        assert_eq!(payouts(&link, second).last(), Some(&supplement));
        assert_eq!(link.meter(), "10000.00");
        assert_eq!(link.of(Account::Pending), "20000.00");
        assert_eq!(link.hit_state(first).status, HitStatus::Withdrawn);

        let number = u32::try_from(payouts(&link, second).len()).unwrap_or(0);
        link.pay(second, number);
        assert_eq!(link.of(Account::Pending), "0.00");
        assert_eq!(link.of(Account::Paid), "30006.30");
        link.play(second.table, &TableCommand::Close);
    }
}

/// Figure N, third part: both hits in one round.
#[test]
fn figure_n_a_second_straight_flush_of_one_round() {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let table = link.table();
    link.coin_in(table, &[1, 4]);
    link.set_meter("12,345.67");
    let first = link.hit(table, 4, Hand::StraightFlush).id;
    let second = link.hit(table, 1, Hand::StraightFlush).id;
    assert_eq!(payouts(&link, second)[0], line("1111.11"));
    link.person(SUPERVISOR, reject(first, true));
    assert_eq!(payouts(&link, second)[0], line("1234.56"));
    assert_eq!(link.meter(), "11111.11");
}

/// Figure N, fourth part: the later winner was overpaid and keeps the money.
#[test]
fn figure_n_an_overpaid_winner_keeps_the_money() {
    let (mut link, one, other) = linked(paytables::hand_bonus(), "100.00");
    link.set(0, Account::Reserve, "8,000.00");
    let first = link.hit(one, 1, Hand::RoyalFlush).id;
    assert_eq!(level(&link), ["8000.00", "0.00", "0.00"]);
    let second = link.hit(other, 1, Hand::StraightFlush).id;
    link.validate(second);
    link.pay(second, 1);
    assert_eq!(link.meter(), "7200.00");
    let house = link.balance(0, Account::House);

    both(&mut link, Change::Correct { hit: first });
    assert_eq!(payouts(&link, second), [line("800.00")]);
    assert_eq!(level(&link), ["90.00", "8000.00", "0.00"]);
    let given = house.minus(link.balance(0, Account::House));
    assert_eq!(given, Ok(dollars("790.00")));
    assert_eq!(link.of(Account::Pending), "0.00");

    // The second hit is withdrawn too: the meter gets its part back, the winner keeps 800.00.
    both(&mut link, Change::Correct { hit: second });
    assert_eq!(level(&link), ["100.00", "8000.00", "0.00"]);
    assert_eq!(link.of(Account::Paid), "800.00");
}

/// A validated hit that gets another amount waits for a floorperson again (RULES §5.9).
#[test]
fn a_later_validated_hit_goes_back_to_pending() {
    let (mut link, first, second) = figure_h();
    link.validate(second);
    link.person(SUPERVISOR, reject(first, true));
    assert_eq!(link.hit_state(second).status, HitStatus::Pending);
    let refusal = link.refuse(second.table, &TableCommand::Close);
    assert_eq!(refusal.code, RefusalCode::HitUnsettled);
    link.validate(second);
    link.pay(second, 1);
    link.play(second.table, &TableCommand::Close);
}

/// Each later hit shifts by all earlier changes, the differences of resettled hits included.
#[test]
fn every_later_hit_follows_the_new_path() {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let tables: Vec<TableNo> = (0..4).map(|_| link.table()).collect();
    for table in &tables {
        link.coin_in(*table, &[1]);
    }
    link.set_meter("20,000.00");
    let hands = [
        Hand::StraightFlush,
        Hand::StraightFlush,
        Hand::RoyalFlush,
        Hand::StraightFlush,
    ];
    let hits: Vec<HitId> = tables
        .iter()
        .zip(hands)
        .map(|(table, hand)| link.hit(*table, 1, hand).id)
        .collect();
    assert_eq!(payouts(&link, hits[2])[0], line("16200.00"));
    link.person(SUPERVISOR, reject(hits[0], true));
    assert_eq!(payouts(&link, hits[1])[0], line("2000.00"));
    assert_eq!(payouts(&link, hits[2])[0], line("18000.00"));
    assert_eq!(payouts(&link, hits[3])[0], line("1000.00"));
    assert_eq!(link.meter(), "9000.00");
}

/// A fixed pay that is charged to the meter keeps its amount; only its payer changes (RULES §2.4).
#[test]
fn a_later_fixed_pay_keeps_its_amount_and_changes_its_payer() {
    let (mut link, one, other) = linked(charged::on_own_hands(), "6,000.00");
    let first = link.hit(one, 1, Hand::FourOfAKind).id;
    assert_eq!(link.meter(), "1000.00");
    let second = link.hit(other, 1, Hand::FourOfAKind).id;
    assert_eq!(link.meter(), "0.00");
    let house = link.balance(0, Account::House);
    link.person(SUPERVISOR, reject(first, true));
    assert_eq!(payouts(&link, second), [line("5000.00")]);
    assert_eq!(link.meter(), "1000.00");
    let back = link.balance(0, Account::House).minus(house);
    assert_eq!(back, Ok(dollars("4000.00")));
    assert_eq!(link.of(Account::Pending), "5000.00");
}

/// The dealer's hand: every player's share is truncated from the new amount.
#[test]
fn a_split_is_split_again() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let (one, other) = (link.table(), link.table());
    link.coin_in(one, &[1]);
    let wagers = [1, 2, 3].map(|seat| (seat, WageredHand::Dealer, None));
    link.coin_in_of(other, &wagers);
    link.set_meter("1,000.00");
    let first = link.hit(one, 1, Hand::StraightFlush).id;
    let split = link.dealer_hit(other, Hand::StraightFlush).id;
    assert_eq!(
        payouts(&link, split),
        [line("30.00"), line("30.00"), line("30.00")]
    );
    link.person(SUPERVISOR, reject(first, true));
    assert_eq!(
        payouts(&link, split),
        [line("33.33"), line("33.33"), line("33.33")]
    );
    assert_eq!(link.meter(), "900.01");
}

/// An amount that a ceiling kept out stays out if the new path reaches the ceiling, and more of it if the path
/// reaches the ceiling earlier.
#[test]
fn a_ceiling_limits_the_balance_that_a_later_hit_finds() {
    let mut link = Link::open_with(LinkTerms {
        settings: LinkSettings {
            ceilings: vec![Some(dollars("25,000.00"))],
            ..LinkSettings::default()
        },
        ..terms(paytables::five_card_a(), "1.00")
    });
    let (one, other, third) = (link.table(), link.table(), link.table());
    link.coin_in(one, &[1]);
    link.coin_in(other, &[1]);
    link.set_meter("25,000.00");
    let first = link.hit(one, 1, Hand::StraightFlush).id;
    link.rounds(third, 10, &[1, 2, 3, 4, 5, 6]);
    assert_eq!(level(&link), ["22512.60", "0.00", "0.00"]);
    let second = link.hit(other, 1, Hand::StraightFlush).id;
    assert_eq!(payouts(&link, second)[0], line("2251.26"));
    link.person(SUPERVISOR, reject(first, true));
    assert_eq!(payouts(&link, second)[0], line("2500.00"));
    assert_eq!(level(&link), ["22500.00", "0.00", "12.60"]);
}

/// A void round got its part of the overflow back; without the withdrawn reset that part had stayed in the meter. The
/// hit since its coin-in makes it the house's there (figure L).
#[test]
fn the_house_covers_a_missing_overflow() {
    let mut link = Link::open_with(LinkTerms {
        settings: LinkSettings {
            ceilings: vec![Some(dollars("10.60"))],
            ..LinkSettings::default()
        },
        ..terms(paytables::five_card_a_seeded(10), "1.00")
    });
    let (one, other, third) = (link.table(), link.table(), link.table());
    link.coin_in(one, &[1]);
    link.coin_in(other, &[1]);
    link.set_meter("5.00");
    let first = link.hit(one, 1, Hand::RoyalFlush).id;
    link.coin_in(third, &[1, 2, 3, 4, 5, 6]);
    assert_eq!(level(&link), ["10.60", "0.00", "0.66"]);
    let second = link.hit(other, 1, Hand::StraightFlush).id;
    link.void(third);
    assert_eq!(level(&link), ["9.54", "0.00", "0.00"]);
    link.person(SUPERVISOR, reject(first, true));
    assert_eq!(payouts(&link, second)[0], line("0.62"));
    assert_eq!(level(&link), ["5.64", "0.00", "0.00"]);
}

/// Once the new path has joined the old one at a reset, nothing changes any more. This holds for amounts over the
/// ceiling since and for a void round since.
#[test]
fn hits_after_an_equal_reset_do_not_change() {
    let mut link = Link::open_with(LinkTerms {
        settings: LinkSettings {
            ceilings: vec![Some(dollars("10.60"))],
            ..LinkSettings::default()
        },
        ..terms(paytables::five_card_a_seeded(10), "1.00")
    });
    let tables: Vec<TableNo> = (0..5).map(|_| link.table()).collect();
    for table in &tables[..3] {
        link.coin_in(*table, &[1]);
    }
    let first = link.hit(tables[0], 1, Hand::StraightFlush).id;
    let royal = link.hit(tables[1], 1, Hand::RoyalFlush).id;
    assert_eq!(level(&link), ["10.03", "0.00", "0.00"]);
    link.coin_in(tables[3], &[1]);
    link.coin_in(tables[4], &[1, 2, 3, 4, 5, 6]);
    link.void(tables[3]);
    assert_eq!(level(&link), ["10.39", "0.00", "0.90"]);
    let last = link.hit(tables[2], 1, Hand::StraightFlush).id;
    assert_eq!(level(&link), ["9.36", "0.00", "0.90"]);
    link.person(SUPERVISOR, reject(first, true));
    assert_eq!(payouts(&link, royal)[0], line("10.60"));
    assert_eq!(payouts(&link, last)[0], line("1.03"));
    assert_eq!(level(&link), ["9.36", "0.00", "0.90"]);
}

/// If two people took off the amount that the withdrawn reset had brought, the house pays: nothing falls below zero.
#[test]
fn the_house_covers_money_that_was_adjusted_away() {
    let (mut link, one, other) = linked(paytables::hand_bonus(), "100.00");
    link.set(0, Account::Reserve, "8,000.00");
    let first = link.hit(one, 1, Hand::RoyalFlush).id;
    both(&mut link, adjust(AdjustedAccount::Meter, "-5,000.00"));
    let second = link.hit(other, 1, Hand::StraightFlush).id;
    assert_eq!(link.meter(), "2700.00");
    link.person(SUPERVISOR, reject(first, true));
    assert_eq!(payouts(&link, second), [line("0.00")]);
    assert_eq!(level(&link), ["0.00", "8000.00", "0.00"]);
}

/// A reset that takes from the reserve only on the new path is kept as such, so that a void round gets its reserve
/// part from the house (figure L).
#[test]
fn a_resettled_reset_keeps_the_accounts_it_takes_from_now() {
    let (mut link, one, other) = linked(paytables::hand_bonus(), "100.00");
    let third = link.table();
    link.coin_in(third, &[1]);
    let first = link.hit(one, 1, Hand::RoyalFlush).id;
    let second = link.hit(other, 1, Hand::RoyalFlush).id;
    assert_eq!(level(&link), ["0.00", "0.00", "0.00"]);
    let Some(taken) = link.hit_state(second).taken else {
        return assert_eq!(link.meter(), "taken");
    };
    assert_eq!(
        taken.reset.map(|reset| reset.from_reserve),
        Some(dollars("0.00"))
    );
    link.person(SUPERVISOR, reject(first, true));
    assert_eq!(level(&link), ["0.24", "0.00", "0.00"]);
    link.void(third);
    assert_eq!(level(&link), ["0.24", "0.00", "0.00"]);
}

/// Two people withdraw a hit that a person validated (CONFORMANCE 27), and the round can then be void (CONFORMANCE
/// 28).
#[test]
fn after_validation_two_people_withdraw_it_and_the_round_can_be_void() {
    let (mut link, one, _) = linked(paytables::five_card_a(), "20,000.00");
    let hit = link.hit(one, 1, Hand::RoyalFlush).id;
    link.validate(hit);
    let refusal = link.refuse(one, &support::cancel(hit));
    assert_eq!(refusal.code, RefusalCode::HitNotPending);
    let refusal = link.refuse_person(SUPERVISOR, reject(hit, true));
    assert_eq!(refusal.code, RefusalCode::HitNotPending);
    let effect = both(&mut link, Change::Correct { hit });
    let resettled = Vec::new();
    assert_eq!(effect, Effect::Corrected { hit, resettled });
    assert_eq!(link.meter(), "20000.00");
    link.void(one);
    assert_eq!(link.meter(), "19999.79");
}
