//! The dealer's hand: one hit, at the turn of the first seat that wagered on it, a percentage divided by
//! players and a fixed pay per wager (figures G and K).

use meterhouse_domain::command::WageredHand::{Dealer, Own};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::TableNo;
use meterhouse_domain::link::Account;
use meterhouse_domain::refusal::RefusalCode;

use super::paid;
use super::support::{Link, hit_of, paytables};

/// Returns three wagers on the dealer's hand by nameless players, with the meter and reserve of figure G.
fn three_on_the_dealer() -> (Link, TableNo) {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    link.coin_in_of(
        table,
        &[(1, Dealer, None), (3, Dealer, None), (4, Dealer, None)],
    );
    link.set_meter("10,000.01");
    link.set(0, Account::Reserve, "500.00");
    (link, table)
}

#[test]
fn figure_g_the_dealers_hand_is_divided_by_players() {
    let (mut link, table) = three_on_the_dealer();
    let royal = link.dealer_hit(table, Hand::RoyalFlush);
    let each = paid(&[(4, "3333.33"), (3, "3333.33"), (1, "3333.33")]);
    assert_eq!(royal.paid(), each);
    assert_eq!(link.meter(), "500.02");
    assert_eq!(link.of(Account::Reserve), "0.00");
    assert_eq!(link.of(Account::Pending), "9999.99");
}

#[test]
fn figure_g_one_of_the_three_has_folded() {
    let (mut link, table) = three_on_the_dealer();
    link.fold(table, &[4]);
    let royal = link.dealer_hit(table, Hand::RoyalFlush);
    let each = paid(&[(4, "3333.33"), (3, "3333.33"), (1, "3333.33")]);
    assert_eq!(royal.paid(), each);
    assert_eq!(link.meter(), "500.02");
}

/// One player's two boxes are one share, recorded on the player's first seat in turn order.
#[test]
fn figure_g_two_boxes_of_one_player_are_one_share() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    link.coin_in_of(
        table,
        &[
            (1, Dealer, Some("p-1")),
            (3, Dealer, Some("p-77")),
            (4, Dealer, Some("p-77")),
        ],
    );
    link.set_meter("10,000.00");
    link.set(0, Account::Reserve, "0.00");
    let royal = link.dealer_hit(table, Hand::RoyalFlush);
    assert_eq!(royal.paid(), paid(&[(4, "5000.00"), (1, "5000.00")]));
    assert_eq!(link.meter(), "0.00");
}

/// Each payout of a split is paid by itself, with its own document.
#[test]
fn figure_g_each_share_is_paid_by_itself() {
    let (mut link, table) = three_on_the_dealer();
    let royal = link.dealer_hit(table, Hand::RoyalFlush);
    link.validate(royal.id);
    for (number, still_pending) in [(2, "6666.66"), (1, "3333.33"), (3, "0.00")] {
        link.pay(royal.id, number);
        assert_eq!(link.of(Account::Pending), still_pending);
    }
    assert_eq!(link.of(Account::Paid), "9999.99");
}

#[test]
fn figure_g_a_fixed_pay_is_per_wager() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    link.coin_in_of(
        table,
        &[(3, Dealer, Some("p-77")), (4, Dealer, Some("p-77"))],
    );
    let meter = link.meter();
    let four = link.dealer_hit(table, Hand::FourOfAKind);
    assert_eq!(four.paid(), paid(&[(4, "500.00"), (3, "500.00")]));
    assert!(four.recorded.needs_validation);
    assert_eq!(link.meter(), meter);
}

/// Returns the meter of figure K, seat 5 with a wager on its own hand, the dealer's on two others.
fn dealer_among_players(seats: [u8; 2]) -> (Link, TableNo) {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    let [first, last] = seats;
    link.coin_in_of(
        table,
        &[(5, Own, None), (first, Dealer, None), (last, Dealer, None)],
    );
    link.set_meter("20,000.00");
    link.set(0, Account::Reserve, "5,000.00");
    (link, table)
}

#[test]
fn figure_k_dealer_wagers_on_6_and_2() {
    let (mut link, table) = dealer_among_players([6, 2]);
    let royal = link.dealer_hit(table, Hand::RoyalFlush);
    assert_eq!(royal.paid(), paid(&[(6, "10000.00"), (2, "10000.00")]));
    assert_eq!(link.meter(), "5000.00");
    let own = link.hit(table, 5, Hand::StraightFlush);
    assert_eq!(own.paid(), paid(&[(5, "500.00")]));
    assert_eq!(link.meter(), "4500.00");
}

#[test]
fn figure_k_dealer_wagers_on_4_and_2() {
    let (mut link, table) = dealer_among_players([4, 2]);
    let own = link.hit(table, 5, Hand::StraightFlush);
    assert_eq!(own.paid(), paid(&[(5, "2000.00")]));
    let royal = link.dealer_hit(table, Hand::RoyalFlush);
    assert_eq!(royal.paid(), paid(&[(4, "9000.00"), (2, "9000.00")]));
    assert_eq!(link.meter(), "5000.00");
}

/// Entered in the wrong order, both are refused: seat 5 is before the dealer at 4 and after the dealer at 6.
#[test]
fn figure_k_out_of_turn() {
    let (mut link, table) = dealer_among_players([4, 2]);
    link.dealer_hit(table, Hand::RoyalFlush);
    let refusal = link.refuse(table, &hit_of(5, Hand::StraightFlush));
    assert_eq!(refusal.code, RefusalCode::OutOfTurn);
    let (mut link, table) = dealer_among_players([6, 2]);
    link.hit(table, 5, Hand::StraightFlush);
    let dealer = meterhouse_domain::command::HitCommand {
        holder: meterhouse_domain::command::Holder::Dealer,
        hand: Hand::RoyalFlush,
        cards: None,
    };
    let refusal = link.refuse(
        table,
        &meterhouse_domain::command::TableCommand::Hit(dealer),
    );
    assert_eq!(refusal.code, RefusalCode::OutOfTurn);
}

/// A seat's own hand comes before the dealer's at the same seat.
#[test]
fn figure_k_the_same_seat_goes_first() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    link.coin_in_of(table, &[(5, Own, None), (5, Dealer, None)]);
    link.set_meter("1,000.00");
    assert_eq!(
        link.hit(table, 5, Hand::StraightFlush).paid(),
        paid(&[(5, "100.00")])
    );
    assert_eq!(
        link.dealer_hit(table, Hand::RoyalFlush).paid(),
        paid(&[(5, "900.00")])
    );
}

#[test]
fn figure_o_two_cents_split_by_three() {
    let (mut link, table) = three_on_the_dealer();
    link.set_meter("0.02");
    link.set(0, Account::Reserve, "0.00");
    let royal = link.dealer_hit(table, Hand::RoyalFlush);
    assert_eq!(royal.paid(), paid(&[(4, "0.00"), (3, "0.00"), (1, "0.00")]));
    assert_eq!(link.meter(), "0.02");
}
