//! The lines of printed tables are met by the hands, dice and yard lines that their words say.

#![expect(
    clippy::expect_used,
    reason = "a literal that can't be read fails the test"
)]

use meterhouse_domain::card::{Card, Rank};
use meterhouse_domain::fixed::dice::DiceWager;
use meterhouse_domain::fixed::field::Field;
use meterhouse_domain::fixed::frequencies::of_cards;
use meterhouse_domain::fixed::ranks::{Ranks, Suits};
use meterhouse_domain::fixed::seen::{Look, Seen, see};
use meterhouse_domain::fixed::shows::{HandShown, Shows, possible, reached};
use meterhouse_domain::hand::{Hand, Ranking};

const FOUR: Look = Look::Hand(Ranking::FourCard);
const FIVE: Look = Look::Hand(Ranking::FiveCard);
const THREE: Look = Look::Hand(Ranking::ThreeCard);

fn seen(look: Look, text: &str) -> Seen {
    let cards: Vec<Card> = text
        .split(' ')
        .map(|card| card.parse().expect(card))
        .collect();
    see(look, &cards).expect(text)
}

fn ranks(text: &str) -> Ranks {
    text.parse().expect(text)
}

fn hand(hand: Hand, first: &str) -> Shows {
    let first = ranks(first);
    Shows::Hand(HandShown {
        first,
        ..HandShown::any(hand)
    })
}

fn any(hand: Hand) -> Shows {
    Shows::Hand(HandShown::any(hand))
}

#[test]
fn a_pair_of_queens_or_better() {
    let queens = hand(Hand::Pair, "Q-A");
    for (cards, is_met) in [
        ("Qc Qd 2h 5s 9c", true),
        ("Ac Ad 2h 5s 9c", true),
        ("Jc Jd 2h 5s Ac", false),
        ("Qc Qd 5h 5s Ac", false),
    ] {
        assert_eq!(queens.matches(&seen(FOUR, cards)), is_met, "{cards}");
    }
    let push = hand(Hand::Pair, "6-10");
    assert!(push.matches(&seen(FIVE, "6c 6d 2h Ts 9c")));
    assert!(push.matches(&seen(FIVE, "Tc Td 2h 5s 9c")));
    assert!(!push.matches(&seen(FIVE, "5c 5d 2h Ts 9c")));
    assert!(!push.matches(&seen(FIVE, "Jc Jd 2h Ts 9c")));
}

/// Four aces are a four of a kind, and a royal flush is a straight flush, where the table has no line of their own.
#[test]
fn special_hands_meet_general_lines() {
    let aces = seen(FOUR, "Ac Ad Ah As 9c");
    assert!(any(Hand::FourOfAKind).matches(&aces));
    assert!(any(Hand::FourAces).matches(&aces));
    assert!(!any(Hand::FourAces).matches(&seen(FOUR, "Kc Kd Kh Ks 9c")));
    let royal = seen(FIVE, "Ac Kc Qc Jc Tc");
    assert!(any(Hand::StraightFlush).matches(&royal) && any(Hand::RoyalFlush).matches(&royal));
    assert!(!any(Hand::RoyalFlush).matches(&seen(FIVE, "9c Kc Qc Jc Tc")));
    let mini = seen(THREE, "Ac Kc Qc");
    assert!(any(Hand::StraightFlush).matches(&mini) && any(Hand::MiniRoyal).matches(&mini));
}

/// § 684a.6(d)(2): ace, king, queen and jack of one suit.
#[test]
fn a_royal_flush_of_four_cards() {
    let royal = any(Hand::RoyalFlush);
    assert!(royal.matches(&seen(FOUR, "Ac Kc Qc Jc 2d")));
    assert!(!royal.matches(&seen(FOUR, "Tc Kc Qc Jc 2d")));
    assert!(!royal.matches(&seen(FOUR, "Ac 2c 3c 4c 9d")));
}

/// § 684a.12(e): two aces and two queens pay less than other two pairs.
#[test]
fn two_pairs_other_than_two_of_them() {
    let aces_and_queens = Shows::Hand(HandShown {
        first: ranks("A"),
        second: ranks("Q"),
        ..HandShown::any(Hand::TwoPair)
    });
    let others = Shows::Hand(HandShown {
        except: Some((Rank::Ace, Rank::Queen)),
        ..HandShown::any(Hand::TwoPair)
    });
    for (cards, is_aces_and_queens) in [
        ("Ac Ad Qh Qs 9c", true),
        ("Ac Ad Kh Ks 9c", false),
        ("Kc Kd Qh Qs 9c", false),
    ] {
        let seen = seen(FOUR, cards);
        assert_eq!(
            aces_and_queens.matches(&seen),
            is_aces_and_queens,
            "{cards}"
        );
        assert_eq!(others.matches(&seen), !is_aces_and_queens, "{cards}");
    }
}

#[test]
fn a_six_card_royal_flush_by_its_suit() {
    let [diamonds, others]: [Suits; 2] = ["d", "chs"].map(|text| text.parse().expect(text));
    let of_diamonds = seen(Look::SixCards, "Ad Kd Qd Jd Td 9d");
    let of_clubs = seen(Look::SixCards, "Ac Kc Qc Jc Tc 9c");
    assert!(Shows::SixCardRoyal(diamonds).matches(&of_diamonds));
    assert!(!Shows::SixCardRoyal(others).matches(&of_diamonds));
    assert!(Shows::SixCardRoyal(others).matches(&of_clubs));
    // Paytables A to D have no line of their own for it: five of the six cards are a royal flush.
    assert!(any(Hand::RoyalFlush).matches(&of_diamonds));
    let royal = seen(Look::SixCards, "Ad Kd Qd Jd Td 9c");
    assert!(!Shows::SixCardRoyal(diamonds).matches(&royal));
}

/// § 683a.12(b).
#[test]
fn two_own_cards() {
    let (aces, pair) = (
        Shows::PocketPair(ranks("A")),
        Shows::PocketPair(ranks("2-K")),
    );
    let with_face = |suited| Shows::Pocket {
        high: ranks("A"),
        low: ranks("J-K"),
        suited,
    };
    let lines = [aces, with_face(true), with_face(false), pair];
    for (cards, line) in [
        ("Ac Ad", Some(0)),
        ("Jc Ac", Some(1)),
        ("Kc Ad", Some(2)),
        ("2c 2d", Some(3)),
        ("Kc Kd", Some(3)),
        ("Tc Ac", None),
        ("Kc Qc", None),
    ] {
        let seen = seen(Look::Pocket, cards);
        let found = lines.iter().position(|shows| shows.matches(&seen));
        assert_eq!(found, line, "{cards}");
    }
}

#[test]
fn low_hands_colours_and_yard_lines() {
    let seven = Shows::High(ranks("7"));
    assert!(seven.matches(&seen(Look::Low, "7c 5d 4h 3s 2c")));
    assert!(!seven.matches(&seen(Look::Low, "8c 5d 4h 3s 2c")));
    assert!(!seven.matches(&seen(Look::Low, "7c 7d 4h 3s 2c")));
    assert!(Shows::Colour(5).matches(&seen(Look::Colours, "7c 5s 4c 3s 2c")));
    assert!(Shows::Colour(4).matches(&seen(Look::Colours, "7c 5d 4c 3s 2c")));
    let yards = |yards| Seen::Field(Field::Yards(yards));
    for (shows, met, unmet) in [
        (Shows::Yards(11, 20), yards(18), yards(10)),
        (Shows::Yards(50, 50), yards(50), yards(49)),
        (Shows::Touchdown, Seen::Field(Field::Touchdown), yards(1)),
        (
            Shows::LosingTeam,
            Seen::Field(Field::LosingTeam),
            Seen::Field(Field::NoGame),
        ),
    ] {
        assert!(shows.matches(&met) && !shows.matches(&unmet), "{shows:?}");
    }
}

#[test]
fn wagers_on_dice() {
    for (wager, numbers, dice, wins) in [
        ("three-of-a-kind", &[4][..], [4, 4, 4], true),
        ("three-of-a-kind", &[4], [4, 4, 5], false),
        ("two-of-a-kind", &[4], [5, 4, 4], true),
        ("two-of-a-kind", &[4], [4, 4, 4], true),
        ("two-of-a-kind", &[4], [4, 5, 5], false),
        ("any-three-of-a-kind", &[], [2, 2, 2], true),
        ("any-three-of-a-kind", &[], [2, 2, 3], false),
        ("total-4", &[], [1, 2, 1], true),
        ("total-17", &[], [6, 5, 5], false),
        ("two-dice", &[1, 6], [6, 3, 1], true),
        ("two-dice", &[1, 6], [6, 3, 3], false),
        ("small", &[], [4, 4, 2], true),
        ("small", &[], [3, 3, 3], false),
        ("big", &[], [6, 4, 1], true),
        ("big", &[], [6, 6, 6], false),
        ("one-of-a-kind", &[2], [1, 2, 3], true),
        // Numbers that the wager doesn't take.
        ("small", &[1], [1, 1, 2], false),
        ("two-dice", &[1, 1], [1, 1, 2], false),
        ("two-of-a-kind", &[7], [1, 1, 2], false),
    ] {
        let wager: DiceWager = wager.parse().expect(wager);
        assert_eq!(
            wager.wins(numbers, dice),
            wins,
            "{wager} {numbers:?} {dice:?}"
        );
    }
    for wager in DiceWager::all() {
        assert_eq!(wager.to_string().parse(), Ok(wager));
    }
    assert!("total-3".parse::<DiceWager>().is_err());
    assert!("total-18".parse::<DiceWager>().is_err());
}

#[test]
fn ranks_and_suits_have_one_form() {
    for text in ["A", "10", "Q-A", "6-10", "2-K"] {
        assert_eq!(ranks(text).to_string(), text);
    }
    for text in ["", "1", "T", "A-Q", "A-A", "Q-", "Q--A", "q-a"] {
        assert!(text.parse::<Ranks>().is_err(), "{text}");
    }
    for text in ["", "dd", "sh", "x", "d "] {
        assert!(text.parse::<Suits>().is_err(), "{text}");
    }
}

#[test]
fn a_line_below_what_covers_it_is_never_reached() {
    let queens = hand(Hand::Pair, "Q-A");
    let aces = hand(Hand::Pair, "A");
    assert_eq!(reached(FOUR, &[queens, aces]), [true, false]);
    assert_eq!(reached(FOUR, &[aces, queens]), [true, true]);
    // Together they leave nothing for the third.
    let low = hand(Hand::Pair, "2-J");
    assert_eq!(
        reached(FOUR, &[queens, low, any(Hand::Pair)]),
        [true, true, false]
    );
    let four = any(Hand::FourOfAKind);
    assert_eq!(reached(FOUR, &[four, any(Hand::FourAces)]), [true, false]);
    let sixes = Shows::High(ranks("6"));
    assert_eq!(reached(Look::Low, &[sixes]), [false]);
    let small = Shows::Dice(DiceWager::Small);
    assert_eq!(reached(Look::Dice, &[small, small]), [true, false]);
}

/// All hands of one deck together show each possible value, and no other.
#[test]
fn what_is_possible_is_what_cards_show() {
    for (look, dealt) in [
        (THREE, 3),
        (FOUR, 5),
        (FIVE, 5),
        (Look::Pocket, 2),
        (Look::Low, 5),
        (Look::Colours, 5),
    ] {
        let shown = of_cards(look, dealt).expect("a look at cards");
        let shown: Vec<Seen> = shown.iter().map(|(seen, _)| seen).collect();
        let mut possible = possible(look);
        possible.sort_unstable();
        assert_eq!(shown, possible, "{look}");
    }
    // Six cards can't show every hand of five, such as seven high.
    let shown = of_cards(Look::SixCards, 6).expect("six");
    let possible = possible(Look::SixCards);
    assert!(shown.iter().all(|(seen, _)| possible.contains(&seen)));
}
