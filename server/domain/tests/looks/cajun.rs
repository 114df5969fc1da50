//! Cajun Stud's Ante and Raise Wagers under best play, § 683a.12(a).

use meterhouse_domain::card::Rank;
use meterhouse_domain::fixed::cajun_stud::cajun_stud;
use meterhouse_domain::fixed::seen::Seen;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::returns::{Fraction, percent};

/// Returns the result of each unit on a table. `pays` are a full house, a flush, a straight and two pair, in halves.
fn net(pays: [i128; 4], seen: Seen) -> Fraction {
    let Seen::Hand { hand, first, .. } = seen else {
        return Fraction::from_integer(-1);
    };
    let halves = match hand {
        Hand::RoyalFlush => 1_000,
        Hand::StraightFlush => 200,
        Hand::FourOfAKind => 80,
        Hand::FullHouse => pays[0],
        Hand::Flush => pays[1],
        Hand::Straight => pays[2],
        Hand::ThreeOfAKind => 6,
        Hand::TwoPair => pays[3],
        Hand::Pair if first >= Some(Rank::Jack) => 2,
        Hand::Pair if first >= Some(Rank::Six) => 0,
        _ => -2,
    };
    Fraction::new(halves, 2)
}

/// Paytable A is that of Mississippi Stud, which is known to cost its best player 4.91% of the Ante. No source prints the
/// holds of B and C, which pay less for two pair.
#[test]
fn paytable_a_holds_what_is_known() {
    for (letter, pays, hold) in [
        ("A", [20, 12, 8, 4], "4.91%"),
        ("B", [22, 14, 8, 3], "15.23%"),
        ("C", [22, 14, 10, 3], "14.11%"),
    ] {
        let value = cajun_stud(|seen| net(pays, seen)).unwrap();
        assert_eq!(percent(value.hold), hold, "{letter}");
        assert!(value.hit + value.push < Fraction::from_integer(1));
    }
}

/// If each unit wins one, every decision raises three times: ten Antes. If each unit loses, the first one folds.
#[test]
fn best_play_raises_what_wins_and_folds_what_loses() {
    let ones = |sign: i128| cajun_stud(|_| Fraction::from_integer(sign)).unwrap();
    let (wins, loses) = (ones(1), ones(-1));
    assert_eq!(wins.hold, Fraction::from_integer(-10));
    assert_eq!(wins.hit, Fraction::from_integer(1));
    assert_eq!(loses.hold, Fraction::from_integer(1));
    assert_eq!(wins.variance, loses.variance);
    let returned = cajun_stud(|_| Fraction::from_integer(0)).unwrap();
    assert_eq!(returned.push, Fraction::from_integer(1));
}
