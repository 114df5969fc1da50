//! The Magic Card and the known hands: one card is paid for at most as many hands as there are decks. It is paid for
//! no hand whose cards lack it, in any order of keying.

use meterhouse_domain::command::Bonus::{LuckyBonus, MagicCard};
use meterhouse_domain::command::{HitCommand, Settle, TableCommand};
use meterhouse_domain::event::Event;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::seat::Seat;

use super::support::{Link, cards, is};
use super::{DEALER, Draws, Holder, LinkTerms, bonus, drawing, drawn, each, paid, round, seat};

/// A flush with the Magic Card, and one without.
const WITH: &str = "Qh Th 8h 4h 2h";
const WITHOUT: &str = "Ks Ts 8s 4s 2s";

fn queen() -> Draws {
    drawn(Some("Qh"), None)
}

fn flush(holder: Holder, text: Option<&str>) -> TableCommand {
    TableCommand::Hit(HitCommand {
        holder,
        hand: Hand::Flush,
        cards: text.map(cards),
    })
}

const fn claimed(holder: Holder) -> TableCommand {
    TableCommand::Bonus(super::BonusCommand {
        kind: MagicCard,
        holder,
        cards: None,
    })
}

/// A claim without cards is checked against the hand's cards that were keyed before.
#[test]
fn a_magic_card_claimed_after_the_line() {
    let (mut link, table) = round(queen());
    link.keyed(table, &flush(seat(3), Some(WITHOUT)));
    let refusal = link.refuse(table, &claimed(seat(3)));
    let fields = [("kind", "magic_card"), ("drawn", "Qh")];
    is(&refusal, RefusalCode::NotDrawn, &fields);

    let (mut link, table) = round(queen());
    link.keyed(table, &flush(seat(3), Some(WITH)));
    let keyed = link.keyed(table, &claimed(seat(3)));
    assert_eq!(paid(&keyed), each(&[(3, "20.00")]));
    assert_eq!(keyed.recorded.cards, None);
}

/// A cancelled line makes its cards unknown again.
#[test]
fn a_magic_card_claimed_after_a_cancelled_line() {
    let (mut link, table) = round(queen());
    let without = link.keyed(table, &flush(seat(3), Some(WITHOUT)));
    link.cancel(without.id);
    link.keyed(table, &claimed(seat(3)));
}

/// The reverse order: the line's cards lack the card that was paid for the hand.
#[test]
fn a_line_keyed_after_the_magic_card() {
    let (mut link, table) = round(drawn(Some("Qh"), Some(seat(3))));
    let claim = link.keyed(table, &claimed(seat(3)));
    let fields = [("cards", WITHOUT), ("drawn", "Qh")];
    for command in [
        flush(seat(3), Some(WITHOUT)),
        bonus(LuckyBonus, seat(3), Some(WITHOUT)),
    ] {
        let refusal = link.refuse(table, &command);
        is(&refusal, RefusalCode::ImpossibleCards, &fields);
    }
    link.keyed(table, &flush(seat(3), Some(WITH)));

    let (mut link, table) = round(queen());
    let again = link.keyed(table, &claimed(seat(3)));
    assert_eq!(again.id, claim.id);
    link.cancel(again.id);
    link.keyed(table, &flush(seat(3), Some(WITHOUT)));
}

/// With one deck no other hand has a card that was keyed, or paid for unseen.
#[test]
fn one_deck_has_one_magic_card() {
    let fields = [("card", "Qh")];
    for first in [
        flush(seat(3), Some(WITH)),
        flush(DEALER, Some(WITH)),
        claimed(seat(3)),
        claimed(DEALER),
    ] {
        let (mut link, table) = round(queen());
        let first = link.keyed(table, &first);
        let refusal = link.refuse(table, &claimed(seat(1)));
        is(&refusal, RefusalCode::CardTwice, &fields);
        let refusal = link.refuse(table, &bonus(MagicCard, seat(1), Some(WITH)));
        assert_eq!(refusal.code, RefusalCode::CardTwice);
        link.cancel(first.id);
        link.keyed(table, &claimed(seat(1)));
    }
    let (mut link, table) = round(queen());
    link.keyed(table, &claimed(seat(3)));
    let refusal = link.refuse(table, &flush(DEALER, Some(WITH)));
    is(&refusal, RefusalCode::CardTwice, &fields);
    link.keyed(table, &flush(DEALER, Some(WITHOUT)));
}

/// With two decks two hands have it, each shown or unseen.
#[test]
fn two_decks_have_two_magic_cards() {
    for first in [flush(seat(3), Some(WITH)), claimed(seat(3))] {
        let mut link = Link::open_with(LinkTerms {
            decks: 2,
            ..drawing(10)
        });
        let table = link.table();
        link.draws = queen();
        link.coin_in(table, &[1, 2, 3]);
        link.keyed(table, &first);
        link.keyed(table, &claimed(seat(2)));
        let refusal = link.refuse(table, &claimed(seat(1)));
        is(&refusal, RefusalCode::CardTwice, &[("card", "Qh")]);
    }
}

/// The cards of `settle` are known in the same way.
#[test]
fn a_magic_card_claimed_after_settle() {
    let settled = |third: &str| {
        let (mut link, table) = round(queen());
        let command = TableCommand::Settle(Box::new(Settle {
            community: Vec::new(),
            dealer: cards("2d 5c 7d 9s Jd"),
            seats: vec![
                (Seat(1), cards("2c 4d 9c Jh Kc")),
                (Seat(2), cards("3s 3d Tc 8c 6s")),
                (Seat(3), cards(third)),
            ],
        }));
        let Event::RoundSettled { hits, .. } = link.play(table, &command) else {
            unreachable!("a settle settles");
        };
        (link, table, hits.len())
    };
    let (mut link, table, hits) = settled(WITHOUT);
    assert_eq!(hits, 1);
    let refusal = link.refuse(table, &claimed(seat(3)));
    assert_eq!(refusal.code, RefusalCode::NotDrawn);
    let refusal = link.refuse(table, &claimed(seat(1)));
    assert_eq!(refusal.code, RefusalCode::NotDrawn, "it wins nothing");
    let other = bonus(MagicCard, seat(1), Some("Qh 4d 9c Jh Kc"));
    link.keyed(table, &other);

    let (mut link, table, hits) = settled(WITH);
    assert_eq!(hits, 2, "the flush and the card");
    assert_eq!(
        link.refuse(table, &claimed(seat(1))).code,
        RefusalCode::NotDrawn
    );
    let refusal = link.refuse(table, &other);
    is(&refusal, RefusalCode::CardTwice, &[("card", "Qh")]);
}
