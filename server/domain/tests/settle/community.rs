//! Games whose hands share cards, or whose dealer has more of them: each game forms the progressive hand in its own
//! way, by `settle` and by the hand button.

use meterhouse_domain::command::{
    Bonus, BonusCommand, HitCommand, Holder, Settle, TableCommand, WageredHand,
};
use meterhouse_domain::event::Draws;
use meterhouse_domain::hand::{Hand, Ranking};
use meterhouse_domain::ids::TableNo;
use meterhouse_domain::link::LinkSettings;
use meterhouse_domain::paytable::{HandRule, Pays, Paytable, WagerKind};
use meterhouse_domain::refusal::RefusalCode;
use meterhouse_domain::seat::Seat;

use super::support::{Link, cards, is, paytables, terms};
use super::{five, hits_of, settle, with_dealer};

fn formed_by(rule: HandRule, mut paytable: Paytable) -> Paytable {
    paytable.rules.hand_rule = rule;
    paytable
}

/// Returns a round with wagers of seats 1, 2 and 3 on their own hands, the others folded.
fn locked(paytable: Paytable) -> (Link, TableNo) {
    let mut link = Link::open(paytable, "1.00");
    let table = link.table();
    link.coin_in(table, &[1, 2, 3]);
    link.fold(table, &[4, 5, 6]);
    (link, table)
}

/// Returns the Five Card Hand Bonus: own wagers on 1 and 2, on the dealer's hand from 3; this Magic Card was drawn.
fn with_bonus(rule: HandRule, magic: &str) -> (Link, TableNo) {
    let paytable = formed_by(rule, paytables::hand_bonus());
    let mut link = Link::open_with(meterhouse_domain::link::LinkTerms {
        settings: LinkSettings {
            magic_card_one_in: Some(1),
            ..LinkSettings::default()
        },
        ..terms(paytable, "1.00")
    });
    let table = link.table();
    link.draws = Draws {
        magic_card: magic.parse().ok(),
        lucky_position: None,
    };
    let own = |seat| (seat, WageredHand::Own, None);
    link.coin_in_of(table, &[own(1), own(2), (3, WageredHand::Dealer, None)]);
    (link, table)
}

fn shared(community: &str, cards_of: Settle) -> Settle {
    Settle {
        community: cards(community),
        ..cards_of
    }
}

fn hit(seat: u8, hand: Hand, text: &str) -> TableCommand {
    TableCommand::Hit(HitCommand {
        holder: Holder::Seat(Seat(seat)),
        hand,
        cards: Some(cards(text)),
    })
}

const fn seat(number: u8) -> Holder {
    Holder::Seat(Seat(number))
}

/// § 653a.11(k): two own cards and the Flop; the Turn and the River make no progressive hand.
#[test]
fn two_own_cards_and_the_flop() {
    let paytable = || formed_by(HandRule::TwoAndFlop, paytables::five_card_c());
    let (mut link, table) = locked(paytable());
    // With the River seat 1 would have a straight flush, and seat 3 four kings.
    let all = shared(
        "Ks Qs Js Ts Kh",
        five(&[(1, "9s 2d"), (2, "As 10s"), (3, "Kd Kc")]),
    );
    let refusal = link.refuse(table, &TableCommand::Settle(Box::new(all)));
    is(&refusal, RefusalCode::CardTwice, &[("card", "Ts")]);
    let all = shared(
        "Ks Qs Js 9d Kh",
        five(&[(1, "9s 2d"), (2, "As Ts"), (3, "Kd Kc")]),
    );
    let (_, hits) = settle(&mut link, table, &all);
    let found = hits_of(&hits, |hit| (hit.holder, hit.hand));
    let three = (seat(3), Some(Hand::ThreeOfAKind));
    let royal = (seat(2), Some(Hand::RoyalFlush));
    assert_eq!(found, [three, royal]);
    assert_eq!(hits[1].cards, Some(cards("As Ts Ks Qs Js")));
    // Only the Flop may be sent.
    let (mut link, table) = locked(paytable());
    let mut flop = all;
    flop.community.truncate(3);
    assert_eq!(settle(&mut link, table, &flop).1, hits);
}

/// § 655a.12(c)(2): community cards are in every hand, so every player has the three of a kind.
#[test]
fn two_own_cards_and_three_community_cards() {
    let (mut link, table) = locked(formed_by(
        HandRule::TwoAndCommunity,
        paytables::five_card_c(),
    ));
    let all = shared(
        "7s 7d 7h",
        five(&[(1, "2c 3d"), (2, "7c Ah"), (3, "9s 9d")]),
    );
    let (_, hits) = settle(&mut link, table, &all);
    assert_eq!(
        hits_of(&hits, |hit| (hit.holder, hit.hand)),
        [
            (seat(3), Some(Hand::FullHouse)),
            (seat(2), Some(Hand::FourOfAKind)),
            (seat(1), Some(Hand::ThreeOfAKind)),
        ]
    );
}

/// § 643a.11(g)(3), (4): three own cards and two community cards, or the own three alone.
#[test]
fn three_own_cards() {
    let (mut link, table) = locked(formed_by(
        HandRule::ThreeAndCommunity,
        paytables::five_card_c(),
    ));
    let hands = [(1, "As Ks Qs"), (2, "9d 8d 7d"), (3, "5c 5d 5h")];
    let all = shared("Js Ts", five(&hands));
    let (_, hits) = settle(&mut link, table, &all);
    assert_eq!(
        hits_of(&hits, |hit| (hit.holder, hit.hand)),
        [
            (seat(3), Some(Hand::ThreeOfAKind)),
            (seat(2), Some(Hand::Straight)),
            (seat(1), Some(Hand::RoyalFlush)),
        ]
    );

    let mut paytable = formed_by(HandRule::OwnThree, paytables::five_card_a_seeded(1_000));
    paytable.wager_kind = WagerKind::ThreeCardProgressive;
    paytable.content.ranking = Ranking::ThreeCard;
    let mut lines = paytable.content.lines.clone();
    lines.truncate(2);
    lines[0].hand = Hand::MiniRoyal;
    lines[1].hand = Hand::StraightFlush;
    lines[1].pays = Pays::ForOne(200);
    paytable.content.lines = lines;
    for community in ["", "Js Ts"] {
        let (mut link, table) = locked(paytable.clone());
        let (_, hits) = settle(&mut link, table, &shared(community, five(&hands)));
        assert_eq!(
            hits_of(&hits, |hit| (hit.holder, hit.hand)),
            [
                (seat(2), Some(Hand::StraightFlush)),
                (seat(1), Some(Hand::MiniRoyal)),
            ]
        );
    }
}

/// § 641a.11(c)(7): the dealer of Four Card Poker has six cards, and the first five make the hand.
#[test]
fn the_first_five_of_the_dealers_six() {
    let own = [(1, "2c 4d 6s 8d Jh"), (2, "2d 4s 6d 8s Jc")];
    let royal = |dealer| with_dealer(dealer, &own);
    let (mut link, table) = with_bonus(HandRule::OwnFiveDealerFirstFive, "9s");
    let (_, hits) = settle(&mut link, table, &royal("9s Ks Qs Js Ts As"));
    let of_dealer = (Holder::Dealer, Some(Hand::StraightFlush));
    let found = hits_of(&hits, |hit| (hit.holder, hit.hand));
    assert_eq!(found, [of_dealer, (Holder::Dealer, None)]);
    // The sixth card is not in the hand: neither for its rank nor as the Magic Card.
    let (mut link, table) = with_bonus(HandRule::OwnFiveDealerFirstFive, "9s");
    let (_, hits) = settle(&mut link, table, &royal("As Ks Qs Js Ts 9s"));
    let found = hits_of(&hits, |hit| (hit.holder, hit.hand));
    assert_eq!(found, [(Holder::Dealer, Some(Hand::RoyalFlush))]);
    let (mut link, table) = with_bonus(HandRule::OwnFiveDealerFirstFive, "9s");
    let sent = TableCommand::Settle(Box::new(royal("As Ks Qs Js Ts")));
    let fields = [("cards", "5"), ("expected", "6"), ("dealer", "true")];
    is(
        &link.refuse(table, &sent),
        RefusalCode::ImpossibleCards,
        &fields,
    );
}

/// § 641a.8(d): the dealer of Four Card Poker has six cards even without wagers on the dealer's hand; Crazy 4 Poker's
/// has five.
#[test]
fn the_dealers_six_beside_four_card_hands() {
    let own = [
        (1, "As Ah Ad Ac Jh"),
        (2, "2d 4s 6d 8s Jc"),
        (3, "3d 5s 7d 9s Qc"),
    ];
    for dealer in ["2c 3c 4c 5c 7c", "2c 3c 4c 5c 7c 9c"] {
        let (mut link, table) = locked(paytables::four_card_a());
        let (_, hits) = settle(&mut link, table, &with_dealer(dealer, &own));
        let found = hits_of(&hits, |hit| (hit.holder, hit.hand));
        assert_eq!(found, [(seat(1), Some(Hand::FourAces))], "{dealer}");
    }
    for (dealer, count) in [("2c 3c 4c 5c", "4"), ("2c 3c 4c 5c 7c 9c Tc", "7")] {
        let (mut link, table) = locked(paytables::four_card_a());
        let sent = TableCommand::Settle(Box::new(with_dealer(dealer, &own)));
        let fields = [("cards", count), ("expected", "5 to 6"), ("dealer", "true")];
        is(
            &link.refuse(table, &sent),
            RefusalCode::ImpossibleCards,
            &fields,
        );
    }
}

/// If the dealer's hand can be wagered on, all dealt cards make it: no sixth card.
#[test]
fn no_sixth_card_of_a_dealer_who_is_wagered_on() {
    let mut paytable = paytables::four_card_a();
    paytable.content.bet_on_dealer = true;
    let own = [
        (1, "As Ah Ad Ac Jh"),
        (2, "2d 4s 6d 8s Jc"),
        (3, "3d 5s 7d 9s Qc"),
    ];
    let (mut link, table) = locked(paytable);
    let sent = TableCommand::Settle(Box::new(with_dealer("2c 3c 4c 5c 7c 9c", &own)));
    let fields = [("cards", "6"), ("expected", "5"), ("dealer", "true")];
    is(
        &link.refuse(table, &sent),
        RefusalCode::ImpossibleCards,
        &fields,
    );
    let (_, hits) = settle(&mut link, table, &with_dealer("2c 3c 4c 5c 7c", &own));
    assert_eq!(hits_of(&hits, |hit| hit.holder), [seat(1)]);
}

/// A Magic Card of the community is in every hand with a wager.
#[test]
fn a_magic_card_of_the_community() {
    let claimed = |holder, text: Option<&str>| {
        TableCommand::Bonus(BonusCommand {
            kind: Bonus::MagicCard,
            holder,
            cards: text.map(cards),
        })
    };
    let all = shared(
        "7s 2d 9h",
        with_dealer("3c 4c", &[(1, "Ac Kd"), (2, "Qs 8d")]),
    );
    let (mut link, table) = with_bonus(HandRule::TwoAndFlop, "7s");
    let (_, hits) = settle(&mut link, table, &all);
    let holders = hits_of(&hits, |hit| hit.holder);
    assert_eq!(holders, [Holder::Dealer, seat(2), seat(1)]);
    // The bonus by the button, with the cards and without.
    let (mut link, table) = with_bonus(HandRule::TwoAndFlop, "7s");
    link.keyed(table, &claimed(seat(2), Some("Qs 8d 7s 2d 9h")));
    link.keyed(table, &claimed(seat(1), None));
    link.keyed(table, &claimed(Holder::Dealer, Some("3c 4c 9h 7s 2d")));
    // As an own card it belongs to one hand alone.
    let (mut link, table) = with_bonus(HandRule::TwoAndFlop, "7s");
    link.keyed(table, &claimed(seat(2), Some("7s 8d Qs 2d 9h")));
    let refusal = link.refuse(table, &claimed(seat(1), None));
    is(&refusal, RefusalCode::CardTwice, &[("card", "7s")]);
}

/// A round has one community, and no player's hand holds its cards.
#[test]
fn another_community_is_refused() {
    let (mut link, table) = locked(formed_by(HandRule::TwoAndFlop, paytables::five_card_c()));
    link.keyed(table, &hit(3, Hand::ThreeOfAKind, "9s 9d 9h 2c 5d"));
    let refusal = link.refuse(table, &hit(2, Hand::ThreeOfAKind, "Ks Kd Kh 2c 5d"));
    let fields = [("cards", "Ks Kd Kh 2c 5d"), ("community", "9h 2c 5d")];
    is(&refusal, RefusalCode::ImpossibleCards, &fields);
    let refusal = link.refuse(table, &hit(2, Hand::ThreeOfAKind, "9s 9c 9h 2c 5d"));
    is(&refusal, RefusalCode::CardTwice, &[("card", "9s")]);
    // In any order in which the table reads them.
    link.keyed(table, &hit(1, Hand::ThreeOfAKind, "2d 2h 2c 9h 5d"));
}

/// Numbers of cards that the game does not deal are refused.
#[test]
fn wrong_numbers_of_cards_are_refused() {
    let (mut link, table) = locked(formed_by(
        HandRule::TwoAndCommunity,
        paytables::five_card_c(),
    ));
    let hands = [(1, "2c 3d"), (2, "7c Ah"), (3, "9s 9d")];
    let mut refused = |settle: Settle, fields: &[(&str, &str)]| {
        let refusal = link.refuse(table, &TableCommand::Settle(Box::new(settle)));
        is(&refusal, RefusalCode::ImpossibleCards, fields);
    };
    refused(five(&hands), &[("community", "0"), ("expected", "3")]);
    let own = five(&[(1, "2c 3d 4d 5d 6d"), (2, "7c Ah"), (3, "9s 9d")]);
    let fields = [("cards", "5"), ("expected", "2"), ("seat", "1")];
    refused(shared("7s 7d 7h", own), &fields);
    let dealer = with_dealer("Ks Kd", &hands);
    let fields = [("cards", "2"), ("expected", "0"), ("dealer", "true")];
    refused(shared("7s 7d 7h", dealer), &fields);
    let (mut link, table) = locked(formed_by(HandRule::TwoAndFlop, paytables::five_card_c()));
    let two = shared("7s 7d", five(&hands));
    let refusal = link.refuse(table, &TableCommand::Settle(Box::new(two)));
    let fields = [("community", "2"), ("expected", "3 to 5")];
    is(&refusal, RefusalCode::ImpossibleCards, &fields);
}
