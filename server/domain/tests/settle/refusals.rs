//! Refusals of `settle`, with code and fields; no hit is then recorded, not even a right one.

use meterhouse_domain::command::{Settle, TableCommand, WageredHand};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::TableNo;
use meterhouse_domain::refusal::RefusalCode;

use super::support::{Link, cards, is, paytables};
use super::{CLUBS, HEARTS, NOTHING, ROYAL, five, settle, with_dealer};

/// Returns five-card Paytable A, seats 2 and 4 with a wager, seats 1 and 3 folded, 5 and 6 in the game without one.
fn locked() -> (Link, TableNo) {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let table = link.table();
    link.coin_in(table, &[2, 4]);
    link.fold(table, &[1, 3]);
    (link, table)
}

/// Returns cards of every hand of [`locked`] that can win.
fn whole() -> Settle {
    let [one, other, ..] = NOTHING;
    five(&[(2, ROYAL), (4, HEARTS), (5, one), (6, other)])
}

fn refused(
    link: &mut Link,
    table: TableNo,
    cards: &Settle,
    code: RefusalCode,
    fields: &[(&str, &str)],
) {
    let refusal = link.refuse(table, &TableCommand::Settle(Box::new(cards.clone())));
    is(&refusal, code, fields);
}

#[test]
fn no_round() {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let table = link.table();
    refused(&mut link, table, &whole(), RefusalCode::NoRound, &[]);
}

/// A standing hit of any kind prevents `settle`; once the hit is cancelled the round can be settled.
#[test]
fn already_hit() {
    let (mut link, table) = locked();
    let hit = link.hit(table, 4, Hand::Flush);
    let fields = [("hit", "T1.3")];
    refused(&mut link, table, &whole(), RefusalCode::AlreadyHit, &fields);
    link.cancel(hit.id);
    let (sequence, hits) = settle(&mut link, table, &whole());
    assert_eq!(hits.len(), 2);
    let first = format!("T1.{sequence}.1");
    let fields = [("hit", first.as_str())];
    refused(&mut link, table, &whole(), RefusalCode::AlreadyHit, &fields);
}

/// Cards are needed of every seat with a wager, and of every seat whose hand can give the others envy.
#[test]
fn cards_missing() {
    let (mut link, table) = locked();
    let fields = [("seats", "4 5 6")];
    let one = five(&[(2, ROYAL)]);
    refused(&mut link, table, &one, RefusalCode::CardsMissing, &fields);
    // Without envy the hands without a wager don't matter.
    let mut paytable = paytables::five_card_a();
    for line in &mut paytable.content.lines {
        line.envy = None;
    }
    let mut link = Link::open(paytable, "1.00");
    let table = link.table();
    link.coin_in(table, &[2, 4]);
    let fields = [("seats", "4")];
    refused(&mut link, table, &one, RefusalCode::CardsMissing, &fields);
    settle(&mut link, table, &five(&[(2, ROYAL), (4, CLUBS)]));
}

#[test]
fn cards_missing_of_the_dealer() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    let wagers = [(1, WageredHand::Own, None), (2, WageredHand::Dealer, None)];
    link.coin_in_of(table, &wagers);
    let fields = [("dealer", "true")];
    let own = five(&[(1, ROYAL)]);
    refused(&mut link, table, &own, RefusalCode::CardsMissing, &fields);
    let fields = [("seats", "1"), ("dealer", "true")];
    refused(
        &mut link,
        table,
        &five(&[]),
        RefusalCode::CardsMissing,
        &fields,
    );
    settle(&mut link, table, &with_dealer(CLUBS, &[(1, ROYAL)]));
}

/// Twice in a hand, at two seats, at a seat and the dealer's; with two decks a third time.
#[test]
fn card_twice() {
    let (mut link, table) = locked();
    let mut twice = whole();
    twice.seats[2].1 = cards("2d 4s 6d 8s As");
    let fields = [("card", "As")];
    refused(&mut link, table, &twice, RefusalCode::CardTwice, &fields);
    let mut twice = whole();
    twice.dealer = cards("Qd Qh Qs Ad Ac");
    let fields = [("card", "Qs")];
    refused(&mut link, table, &twice, RefusalCode::CardTwice, &fields);
    let mut twice = whole();
    twice.seats[1].1 = cards("9h 9h 7h 6h 5h");
    let fields = [("card", "9h")];
    refused(&mut link, table, &twice, RefusalCode::CardTwice, &fields);

    let mut link = Link::open_with(meterhouse_domain::link::LinkTerms {
        decks: 2,
        ..super::support::terms(paytables::five_card_a(), "1.00")
    });
    let table = link.table();
    link.coin_in(table, &[1, 2, 3]);
    link.fold(table, &[4, 5, 6]);
    let thrice = five(&[(1, ROYAL), (2, ROYAL), (3, ROYAL)]);
    let fields = [("card", "As")];
    refused(&mut link, table, &thrice, RefusalCode::CardTwice, &fields);
    let (_, hits) = settle(
        &mut link,
        table,
        &five(&[(1, ROYAL), (2, ROYAL), (3, CLUBS)]),
    );
    assert_eq!(hits.len(), 3);
}

/// A wrong number of cards, and community cards in a game without them.
#[test]
fn impossible_cards() {
    let (mut link, table) = locked();
    let mut four = whole();
    four.seats[1].1 = cards("9h 8h 7h 6h");
    let fields = [("cards", "4"), ("expected", "5"), ("seat", "4")];
    refused(
        &mut link,
        table,
        &four,
        RefusalCode::ImpossibleCards,
        &fields,
    );
    let mut six = whole();
    six.dealer = cards("2c 3c 4c 5c 7c 9c");
    let fields = [("cards", "6"), ("expected", "5"), ("dealer", "true")];
    refused(
        &mut link,
        table,
        &six,
        RefusalCode::ImpossibleCards,
        &fields,
    );
    let mut shared = whole();
    shared.community = cards("2c 3c 4c");
    let fields = [("community", "3"), ("expected", "0")];
    refused(
        &mut link,
        table,
        &shared,
        RefusalCode::ImpossibleCards,
        &fields,
    );
}

#[test]
fn seats_not_on_layout_not_dealt_or_twice() {
    let mut link = Link::open(paytables::five_card_a(), "1.00");
    let table = link.table();
    let own = |seat| super::support::own(seat, link.state.terms.wager);
    let coin_in = TableCommand::CoinIn(meterhouse_domain::command::CoinIn {
        wagers: vec![own(1)],
        dealt: vec![meterhouse_domain::seat::Seat(1)],
    });
    link.play(table, &coin_in);
    let (one, other) = ((1, ROYAL), NOTHING[0]);
    for (seats, code, fields) in [
        (
            [one, (2, other)],
            RefusalCode::SeatNotDealt,
            &[("seat", "2")][..],
        ),
        ([one, (1, other)], RefusalCode::SeatTwice, &[("seat", "1")]),
        (
            [one, (7, other)],
            RefusalCode::SeatNotOnLayout,
            &[("seat", "7"), ("seats", "6")],
        ),
    ] {
        refused(&mut link, table, &five(&seats), code, fields);
    }
}
