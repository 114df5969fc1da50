//! The envy bonus (figure I): a fixed sum for the other players of the table who made the wager.

use meterhouse_domain::command::{TableCommand, WageredHand::Own};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::TableNo;
use meterhouse_domain::link::Account;
use meterhouse_domain::paytable::FoldAward;
use meterhouse_domain::seat::Seat;

use super::paid;
use super::support::{Link, SUPERVISOR, paytables, reject};

/// The book of pays that touch no meter, on a link of one level.
const FIXED: usize = 1;

/// Returns four-card Paytable A at $1, wagers on seats 1, 2, 3 and 5, seat 2 folded.
fn figure_i_locked() -> (Link, TableNo) {
    let mut link = Link::open(paytables::four_card_a(), "1.00");
    let table = link.table();
    link.coin_in(table, &[1, 2, 3, 5]);
    link.fold(table, &[2]);
    (link, table)
}

#[test]
fn figure_i_envy_of_the_other_players() {
    let (mut link, table) = figure_i_locked();
    let aces = link.hit(table, 3, Hand::FourAces);
    assert_eq!(aces.paid(), paid(&[(3, "5001.16")]));
    assert_eq!(
        aces.envy(),
        paid(&[(5, "100.00"), (2, "100.00"), (1, "100.00")])
    );
    assert_eq!(link.meter(), "5000.00");
    assert_eq!(link.balance(FIXED, Account::House).to_string(), "-300.00");
    assert_eq!(link.balance(FIXED, Account::Pending).to_string(), "300.00");
}

/// Figure I at $5: five times the envy.
#[test]
fn figure_i_at_five_dollars() {
    let mut link = Link::open(paytables::four_card_a(), "5.00");
    let table = link.table();
    link.coin_in(table, &[3, 5]);
    let hit = link.hit(table, 3, Hand::StraightFlush);
    assert_eq!(hit.paid(), paid(&[(3, "500.00")]));
    assert_eq!(hit.envy(), paid(&[(5, "25.00")]));
}

#[test]
fn figure_i_two_boxes_of_one_player() {
    let mut link = Link::open(paytables::four_card_a(), "1.00");
    let table = link.table();
    let seat = |seat, player| (seat, Own, player);
    link.coin_in_of(
        table,
        &[
            seat(1, None),
            seat(2, None),
            seat(3, Some("p-77")),
            seat(4, Some("p-77")),
        ],
    );
    let aces = link.hit(table, 3, Hand::FourAces);
    assert_eq!(aces.envy(), paid(&[(2, "100.00"), (1, "100.00")]));
}

/// Returns the command for a hand whose holder made no wager.
const fn envy_of(seat: u8, hand: Hand) -> TableCommand {
    TableCommand::Envy {
        seat: Seat(seat),
        hand,
        cards: None,
    }
}

#[test]
fn figure_i_the_holder_made_no_wager() {
    let mut link = Link::open(paytables::four_card_a(), "1.00");
    let table = link.table();
    link.coin_in(table, &[1, 2, 5]);
    link.fold(table, &[2]);
    let meter = link.meter();
    let aces = link.keyed(table, &envy_of(3, Hand::FourAces));
    assert_eq!(aces.paid(), []);
    assert_eq!(
        aces.envy(),
        paid(&[(5, "100.00"), (2, "100.00"), (1, "100.00")])
    );
    assert!(aces.recorded.needs_validation);
    assert_eq!(link.meter(), meter);
}

#[test]
fn figure_i_two_qualifying_hands_pay_twice() {
    let (mut link, table) = figure_i_locked();
    let first = link.hit(table, 5, Hand::FourAces);
    assert_eq!(
        first.envy(),
        paid(&[(3, "100.00"), (2, "100.00"), (1, "100.00")])
    );
    let second = link.hit(table, 3, Hand::FourOfAKind);
    assert_eq!(second.paid(), paid(&[(3, "300.00")]));
    assert_eq!(
        second.envy(),
        paid(&[(5, "10.00"), (2, "10.00"), (1, "10.00")])
    );
}

/// Cancelling and rejecting leave nothing of a hit with envy.
#[test]
fn figure_i_a_withdrawn_hit_takes_its_envy_with_it() {
    for withdraw in [
        |link: &mut Link, hit| link.cancel(hit),
        |link: &mut Link, hit| {
            link.person(SUPERVISOR, reject(hit, false));
        },
    ] {
        let (mut link, table) = figure_i_locked();
        let before = link.state.balances.clone();
        let aces = link.hit(table, 3, Hand::FourAces);
        assert_ne!(link.state.balances, before);
        withdraw(&mut link, aces.id);
        assert_eq!(link.state.balances, before);
    }
}

/// Envy is paid with the fixed pays at GAME OVER, the percentage by its slip.
#[test]
fn figure_i_game_over_pays_the_envy() {
    let (mut link, table) = figure_i_locked();
    let aces = link.hit(table, 3, Hand::FourAces);
    link.validate(aces.id);
    link.pay(aces.id, 1);
    assert_eq!(link.balance(FIXED, Account::Paid).to_string(), "0.00");
    link.play(table, &TableCommand::Close);
    assert_eq!(link.balance(FIXED, Account::Paid).to_string(), "300.00");
    assert_eq!(link.balance(FIXED, Account::Pending).to_string(), "0.00");
    assert_eq!(link.of(Account::Paid), "5001.16");
}

/// If a fold keeps the award but collects the cards, the folded hand is paid and gives no envy.
#[test]
fn figure_i_a_folded_hand_whose_cards_are_collected_gives_none() {
    for (hand_gives_envy, envy) in [(false, paid(&[])), (true, paid(&[(5, "100.00")]))] {
        let mut paytable = paytables::four_card_a();
        paytable.rules.fold.award = FoldAward::Kept;
        paytable.rules.fold.hand_gives_envy = hand_gives_envy;
        let mut link = Link::open(paytable, "1.00");
        let table = link.table();
        link.coin_in(table, &[3, 5]);
        link.fold(table, &[3]);
        let aces = link.hit(table, 3, Hand::FourAces);
        assert_eq!(aces.paid(), paid(&[(3, "5000.58")]));
        assert_eq!(aces.envy(), envy);
    }
}
