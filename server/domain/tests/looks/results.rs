//! The results of single hands, throws and looks without cards.

use meterhouse_domain::card::{Rank, Suit};
use meterhouse_domain::fixed::seen::{Look, LookUnknown, Seen};
use meterhouse_domain::hand::{Hand, Ranking};

use super::{of, of_two, royal, seen};

const THREE: Look = Look::Hand(Ranking::ThreeCard);
const FOUR: Look = Look::Hand(Ranking::FourCard);
const FIVE: Look = Look::Hand(Ranking::FiveCard);

#[test]
fn a_look_has_one_name() {
    for look in Look::ALL {
        assert_eq!(look.name().parse(), Ok(look));
    }
    let names = Look::ALL.map(Look::name);
    assert_eq!(
        names.join(" "),
        "three-card four-card five-card six-cards pocket low colours dice field comparison"
    );
    let wrong: Result<Look, LookUnknown> = "Six-Cards".parse();
    let said = wrong.unwrap_err().to_string();
    assert!(said.starts_with("\"Six-Cards\" is not a look: write one of three-card, four-card"));
}

/// § 683a.6(c): a pair of aces; an ace with a jack, queen or king, suited or not; a pair.
#[test]
fn two_own_cards() {
    let pocket = |high, low, suited| Some(Seen::Pocket { high, low, suited });
    for (cards, result) in [
        ("Ac Ad", pocket(Rank::Ace, Rank::Ace, false)),
        ("Jh Ah", pocket(Rank::Ace, Rank::Jack, true)),
        ("As Kd", pocket(Rank::Ace, Rank::King, false)),
        ("2c 2h", pocket(Rank::Two, Rank::Two, false)),
    ] {
        assert_eq!(seen(Look::Pocket, cards), result, "{cards}");
    }
    assert_eq!(seen(Look::Pocket, "Ac Ad Ah"), None);
}

/// § 683a.6(d): the straight is above the flush. § 683a.6(a) prints the low ace for "a 2, 3, 4 and 5" only; the
/// three-card ranking has it with a 2 and a 3, § 643a.6(d)(4).
#[test]
fn three_community_cards() {
    for (cards, result) in [
        ("Qs As Ks", royal(Hand::MiniRoyal)),
        ("Ks Qs Js", of(Hand::StraightFlush, Rank::King)),
        ("7c 7d 7h", of(Hand::ThreeOfAKind, Rank::Seven)),
        ("Ac 2d 3h", of(Hand::Straight, Rank::Three)),
        ("Ac Qc 2c", of(Hand::Flush, Rank::Ace)),
        ("Kc 5d 5h", of(Hand::Pair, Rank::Five)),
        ("Kc Ad 2h", of(Hand::HighCard, Rank::Ace)),
    ] {
        assert_eq!(seen(THREE, cards), Some(result), "{cards}");
    }
}

/// § 684a.6(b) and (d): four of a kind is above the straight flush, and three of a kind above the flush. The royal flush
/// of § 684a.6(d)(2) is the straight flush of an ace, king, queen and jack.
#[test]
fn the_best_four_of_five() {
    for (cards, result) in [
        ("Ac Ad Ah As 2c", of(Hand::FourAces, Rank::Ace)),
        ("9c 9d 9h 9s Ac", of(Hand::FourOfAKind, Rank::Nine)),
        ("As Ks Qs Js Ad", of(Hand::StraightFlush, Rank::Ace)),
        ("As 2s 3s 4s Ad", of(Hand::StraightFlush, Rank::Four)),
        ("8c 8d 8h Ks Kc", of(Hand::ThreeOfAKind, Rank::Eight)),
        ("As Ks 9s 3s 3d", of(Hand::Flush, Rank::Ace)),
        ("Ac Kd Qh Js Ts", of(Hand::Straight, Rank::Ace)),
        (
            "Qc Qd Ah As 2c",
            of_two(Hand::TwoPair, Rank::Ace, Rank::Queen),
        ),
        ("Qc Qd Ah Ks 2c", of(Hand::Pair, Rank::Queen)),
        ("Kc Qd 9h 5s 2c", of(Hand::HighCard, Rank::King)),
    ] {
        assert_eq!(seen(FOUR, cards), Some(result), "{cards}");
    }
}

/// § 683a.6(b), and the best five of seven cards as the bad beat of ch. 653a has them.
#[test]
fn the_best_five() {
    for (cards, result) in [
        ("As Ks Qs Js Ts", royal(Hand::RoyalFlush)),
        ("9s Ks Qs Js Ts", of(Hand::StraightFlush, Rank::King)),
        (
            "3s 3d 3h 9s 9c",
            of_two(Hand::FullHouse, Rank::Three, Rank::Nine),
        ),
        (
            "6s 6d Jh Js 9c",
            of_two(Hand::TwoPair, Rank::Jack, Rank::Six),
        ),
        ("6s 6d Jh Ks 9c", of(Hand::Pair, Rank::Six)),
        (
            "6s 6d Jh Js 9c 9d 2h",
            of_two(Hand::TwoPair, Rank::Jack, Rank::Nine),
        ),
        ("As Ks Qs Js Ts 9s 8s", royal(Hand::RoyalFlush)),
        ("2s 3d 4h 5s Ac Ad 6h", of(Hand::Straight, Rank::Six)),
    ] {
        assert_eq!(seen(FIVE, cards), Some(result), "{cards}");
    }
    assert_eq!(seen(FIVE, "As Ks Qs Js"), None);
}

/// § 683a.6(e): the six-card royal flush is a hand of its own, above the royal flush of five of the cards.
#[test]
fn six_cards() {
    let six = |cards| seen(Look::SixCards, cards);
    assert_eq!(
        six("9d Td Jd Qd Kd Ad"),
        Some(Seen::SixCardRoyal(Suit::Diamonds))
    );
    assert_eq!(
        six("9s Ts Js Qs Ks As"),
        Some(Seen::SixCardRoyal(Suit::Spades))
    );
    assert_eq!(six("9s Td Jd Qd Kd Ad"), Some(royal(Hand::RoyalFlush)));
    assert_eq!(
        six("9d 8d Jd Qd Kd Td"),
        Some(of(Hand::StraightFlush, Rank::King))
    );
    assert_eq!(
        six("Ac Ad Ah Ks Kd Kh"),
        Some(of_two(Hand::FullHouse, Rank::Ace, Rank::King))
    );
    assert_eq!(six("Td Jd Qd Kd Ad"), None);
    let five = Seen::SixCardRoyal(Suit::Clubs).of_five();
    assert_eq!(five, royal(Hand::RoyalFlush));
    assert_eq!(five.of_five(), five);
}

/// § 683a.11(i)(3): five cards that form a hand lose, whatever their highest card. The ace is the highest card.
#[test]
fn low_hands() {
    let low = |cards| seen(Look::Low, cards);
    assert_eq!(low("2c 3d 4h 5s 7c"), Some(Seen::High(Rank::Seven)));
    assert_eq!(low("2c 3d 4h 5s 6c"), Some(of(Hand::Straight, Rank::Six)));
    assert_eq!(low("Ac 2d 3h 4s 5c"), Some(of(Hand::Straight, Rank::Five)));
    assert_eq!(low("Ac 2d 3h 4s 6c"), Some(Seen::High(Rank::Ace)));
    assert_eq!(low("2c 3c 4c 5c 7c"), Some(of(Hand::Flush, Rank::Seven)));
    assert_eq!(low("2c 2d 4h 5s 7c"), Some(of(Hand::Pair, Rank::Two)));
}

/// § 684a.7(d)(2): at least four of the five cards are of one colour.
#[test]
fn colours_of_five() {
    for (cards, most) in [
        ("2d 3h 4d 5h 6d", 5),
        ("2c 3s 4c 5s 6d", 4),
        ("2d 3h 4d 5s 6c", 3),
        ("2s 3s 4c 5d 6h", 3),
    ] {
        assert_eq!(
            seen(Look::Colours, cards),
            Some(Seen::Colours { most }),
            "{cards}"
        );
    }
    assert_eq!(seen(Look::Colours, "2d 3h 4d 5h"), None);
}

#[test]
fn three_dice_in_any_order() {
    assert_eq!(Seen::dice([6, 1, 3]), Some(Seen::Dice([1, 3, 6])));
    assert_eq!(Seen::dice([0, 1, 3]), None);
    assert_eq!(Seen::dice([1, 7, 3]), None);
}

#[test]
fn no_cards_belong_to_dice_field_and_comparison() {
    for look in [Look::Dice, Look::Field, Look::Comparison] {
        assert_eq!(seen(look, "As Ks Qs Js Ts"), None);
    }
}
