//! Every refusal once, with its code and fields: the commands that the dealer keys.

use meterhouse_domain::command::{HitCommand, Holder, TableCommand, VoidReason, WageredHand};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::Sequence;
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::seat::Seat;

use super::refusals::five_card_a;
use super::support::{Link, SUPERVISOR, cancel, cards, hit_of, is, paytables, reject};

/// Returns a hit on a seat's own hand with its cards.
fn with_cards(seat: u8, hand: Hand, text: &str) -> TableCommand {
    TableCommand::Hit(HitCommand {
        holder: Holder::Seat(Seat(seat)),
        hand,
        cards: Some(cards(text)),
    })
}

fn envy_of(seat: u8, hand: Hand) -> TableCommand {
    TableCommand::Envy {
        seat: Seat(seat),
        hand,
        cards: None,
    }
}

/// A hit on the dealer's hand.
const DEALER_ROYAL: TableCommand = TableCommand::Hit(HitCommand {
    holder: Holder::Dealer,
    hand: Hand::RoyalFlush,
    cards: None,
});

#[test]
fn no_wager() {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1]);
    let refusal = link.refuse(table, &hit_of(2, Hand::RoyalFlush));
    is(&refusal, RefusalCode::NoWager, &[("seat", "2")]);

    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    link.coin_in(table, &[1]);
    let refusal = link.refuse(table, &DEALER_ROYAL);
    is(&refusal, RefusalCode::NoWager, &[("dealer", "true")]);
    link.void(table);
    link.coin_in_of(table, &[(1, WageredHand::Dealer, None)]);
    let refusal = link.refuse(table, &hit_of(1, Hand::RoyalFlush));
    is(&refusal, RefusalCode::NoWager, &[("seat", "1")]);
}

#[test]
fn seat_not_on_layout() {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1]);
    for command in [hit_of(7, Hand::Flush), envy_of(7, Hand::RoyalFlush)] {
        let fields = [("seat", "7"), ("seats", "6")];
        is(
            &link.refuse(table, &command),
            RefusalCode::SeatNotOnLayout,
            &fields,
        );
    }
}

#[test]
fn hand_not_offered() {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1]);
    let refusal = link.refuse(table, &DEALER_ROYAL);
    is(&refusal, RefusalCode::HandNotOffered, &[]);
}

/// A fold forfeits the progressive wager and collects the cards; it keeps a Hand Bonus.
#[test]
fn folded() {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1, 2]);
    link.fold(table, &[1, 3]);
    for (seat, command) in [
        ("1", hit_of(1, Hand::RoyalFlush)),
        ("3", envy_of(3, Hand::RoyalFlush)),
        (
            "1",
            TableCommand::Fold {
                seats: vec![Seat(1)],
            },
        ),
    ] {
        is(
            &link.refuse(table, &command),
            RefusalCode::Folded,
            &[("seat", seat)],
        );
    }
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    link.coin_in(table, &[1]);
    link.fold(table, &[1]);
    link.hit(table, 1, Hand::RoyalFlush);
}

/// Also figure J: a straight flush is not paid for cards that make a royal.
#[test]
fn wrong_hand() {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1]);
    let royal = "As Ks Qs Js Ts";
    let refusal = link.refuse(table, &with_cards(1, Hand::StraightFlush, royal));
    let fields = [("hand", "straight-flush"), ("found", "royal-flush")];
    is(&refusal, RefusalCode::WrongHand, &fields);
    link.keyed(table, &with_cards(1, Hand::RoyalFlush, royal));
}

#[test]
fn not_a_winner() {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1]);
    let refusal = link.refuse(table, &hit_of(1, Hand::TwoPair));
    is(&refusal, RefusalCode::NotAWinner, &[("hand", "two-pair")]);
    let refusal = link.refuse(table, &with_cards(1, Hand::Flush, "As Ks Qs Js 9h"));
    let fields = [("hand", "flush"), ("found", "high-card")];
    is(&refusal, RefusalCode::NotAWinner, &fields);
    let refusal = link.refuse(table, &envy_of(3, Hand::FourOfAKind));
    is(
        &refusal,
        RefusalCode::NotAWinner,
        &[("hand", "four-of-a-kind")],
    );
}

#[test]
fn impossible_cards() {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1]);
    let refusal = link.refuse(table, &with_cards(1, Hand::RoyalFlush, "As Ks Qs Js"));
    is(
        &refusal,
        RefusalCode::ImpossibleCards,
        &[("cards", "4"), ("expected", "5")],
    );
}

/// Twice in a hand, and across the seats of the round; a cancelled hit's cards are free again.
#[test]
fn card_twice() {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1, 2]);
    let refusal = link.refuse(table, &with_cards(2, Hand::FourOfAKind, "As As Ah Ad 2c"));
    is(&refusal, RefusalCode::CardTwice, &[("card", "As")]);
    let royal = with_cards(2, Hand::RoyalFlush, "As Ks Qs Js Ts");
    let hit = link.keyed(table, &royal);
    let other = with_cards(1, Hand::StraightFlush, "Ts 9s 8s 7s 6s");
    is(
        &link.refuse(table, &other),
        RefusalCode::CardTwice,
        &[("card", "Ts")],
    );
    link.cancel(hit.id);
    link.keyed(table, &other);
}

#[test]
fn already_hit() {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[2]);
    link.hit(table, 2, Hand::Flush);
    let refusal = link.refuse(table, &hit_of(2, Hand::Straight));
    is(&refusal, RefusalCode::AlreadyHit, &[("hit", "T1.2")]);
    let refusal = link.refuse(
        table,
        &TableCommand::Fold {
            seats: vec![Seat(2)],
        },
    );
    is(&refusal, RefusalCode::AlreadyHit, &[("seat", "2")]);
    link.keyed(table, &envy_of(1, Hand::RoyalFlush));
    let refusal = link.refuse(table, &envy_of(1, Hand::RoyalFlush));
    is(&refusal, RefusalCode::AlreadyHit, &[("hit", "T1.5")]);
}

/// The refusal names the hit that was entered too early.
#[test]
fn out_of_turn() {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1, 2, 3]);
    link.hit(table, 2, Hand::Flush);
    link.hit(table, 1, Hand::Flush);
    let refusal = link.refuse(table, &hit_of(3, Hand::StraightFlush));
    is(&refusal, RefusalCode::OutOfTurn, &[("hits", "T1.2 T1.3")]);
}

#[test]
fn has_wager() {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1]);
    let refusal = link.refuse(table, &envy_of(1, Hand::RoyalFlush));
    is(&refusal, RefusalCode::HasWager, &[("seat", "1")]);
}

/// A level that was hit again, at another table and in the same round; a fixed pay never prevents it.
#[test]
fn later_hits() {
    let (mut link, table) = five_card_a();
    let other = link.table();
    link.coin_in(table, &[1, 2]);
    link.coin_in(other, &[1]);
    let first = link.hit(table, 2, Hand::StraightFlush);
    link.hit(other, 1, Hand::RoyalFlush);
    link.hit(table, 1, Hand::StraightFlush);
    let refusal = link.refuse(table, &cancel(first.id));
    is(&refusal, RefusalCode::LaterHits, &[("hits", "T2.2 T1.3")]);
    let misdeal = TableCommand::Void {
        reason: VoidReason::Misdeal,
    };
    let refusal = link.refuse(table, &misdeal);
    is(&refusal, RefusalCode::LaterHits, &[("hits", "T2.2")]);
    let refusal = link.refuse_person(SUPERVISOR, reject(first.id, false));
    is(&refusal, RefusalCode::LaterHits, &[("hits", "T2.2 T1.3")]);

    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1, 2]);
    let first = link.hit(table, 2, Hand::StraightFlush);
    link.hit(table, 1, Hand::Flush);
    link.cancel(first.id);
}

#[test]
fn round_closed() {
    let mut link = Link::open(paytables::hand_bonus(), "1.00");
    let table = link.table();
    link.coin_in(table, &[1]);
    let flush = link.hit(table, 1, Hand::Flush);
    link.play(table, &TableCommand::Close);
    link.coin_in(table, &[1]);
    let refusal = link.refuse(table, &cancel(flush.id));
    is(&refusal, RefusalCode::RoundClosed, &[("hit", "T1.2")]);
}

/// A number that is no hit, and a future number.
#[test]
fn no_such_hit() {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1]);
    for hit in [1, 3, 9] {
        let cancel = TableCommand::CancelHit {
            hit: Sequence(hit),
            number: 0,
        };
        let name = format!("T1.{hit}");
        let refusal = link.refuse(table, &cancel);
        is(&refusal, RefusalCode::NoSuchHit, &[("hit", &name)]);
    }
}

/// While a hit is pending, and while a slip has no document.
#[test]
fn hit_unsettled() {
    let (mut link, table) = five_card_a();
    link.coin_in(table, &[1]);
    let royal = link.hit(table, 1, Hand::RoyalFlush);
    let refusal = link.refuse(table, &TableCommand::Close);
    is(&refusal, RefusalCode::HitUnsettled, &[("hit", "T1.2")]);
    link.validate(royal.id);
    let refusal = link.refuse(table, &TableCommand::Close);
    is(&refusal, RefusalCode::HitUnsettled, &[("hit", "T1.2")]);
    link.pay(royal.id, 1);
    link.play(table, &TableCommand::Close);
}
