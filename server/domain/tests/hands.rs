//! The rank of every possible hand.
//!
//! - Counts ([`counts`]): the number of hands of three to six cards with each name, in each ranking.
//! - Five cards: the same classes in the same order as two evaluators by other people; the best five of six as one of
//!   these evaluators has it.
//! - Four cards: the same names and the same order as [`regulation`], which reads 58 Pa. Code § 657a.6(b) and (c)
//!   sentence by sentence, slowly; and the highest four of all five.
//! - The examples that § 657a.6 itself gives.

#![expect(
    clippy::unwrap_used,
    reason = "a text or a hand of these tests that is wrong fails them"
)]

use std::cmp::Ordering;
use std::collections::BTreeMap;

use meterhouse_domain::card::Card;
use meterhouse_domain::hand::{Evaluated, Hand, Ranking, evaluate, frequency, hands_dealt};

#[path = "hands/counts.rs"]
mod counts;
#[path = "hands/every.rs"]
mod every;
#[path = "hands/regulation.rs"]
mod regulation;

use every::for_every_hand;

/// Returns the cards in a text such as `"As Kd"`.
fn cards<const N: usize>(text: &str) -> [Card; N] {
    let cards: Vec<Card> = text.split(' ').map(|card| card.parse().unwrap()).collect();
    cards.try_into().unwrap()
}

fn three(text: &str) -> Evaluated {
    evaluate(Ranking::ThreeCard, &cards::<3>(text)).unwrap()
}

fn four(text: &str) -> Evaluated {
    evaluate(Ranking::FourCard, &cards::<4>(text)).unwrap()
}

fn best_four(text: &str) -> Evaluated {
    evaluate(Ranking::FourCard, &cards::<5>(text)).unwrap()
}

fn five(text: &str) -> Evaluated {
    evaluate(Ranking::FiveCard, &cards::<5>(text)).unwrap()
}

fn evaluate_four(cards: &[Card]) -> Evaluated {
    assert_eq!(cards.len(), 4);
    evaluate(Ranking::FourCard, cards).unwrap()
}

/// Asserts that the hands are in order from high to low, without ties.
fn assert_falling(evaluate: fn(&str) -> Evaluated, hands: &[&str]) {
    for pair in hands.windows(2) {
        assert!(
            evaluate(pair[0]) > evaluate(pair[1]),
            "{} beats {}",
            pair[0],
            pair[1]
        );
    }
}

// Order.

#[test]
fn three_card_hands_have_the_order_another_evaluator_gives_them() {
    // As in five cards below; but a mini-royal is the other evaluator's highest straight flush.
    let poker: Vec<poker::Card> = Card::all()
        .map(|card| card.to_string().parse().unwrap())
        .collect();
    let evaluator = poker::Evaluator::new();
    let mut classes = BTreeMap::new();
    for_every_hand(|cards: [Card; 3]| {
        let theirs = cards.map(|card| poker[usize::from(card.index())]);
        let theirs = evaluator.evaluate_three(theirs).unwrap();
        let ours = evaluate(Ranking::ThreeCard, &cards).unwrap();
        assert_eq!(*classes.entry(ours).or_insert(theirs), theirs, "{cards:?}");
    });
    // Twelve sequences, in a suit or not; three of a kind; the other sets of three ranks, in a suit or not; pairs.
    assert_eq!(classes.len(), 12 + 12 + 13 + 2 * (286 - 12) + 13 * 12);
    assert!(classes.values().is_sorted_by(|low, high| low < high));
}

/// Returns our name for another evaluator's name.
fn named_by_aya(category: aya_poker::PokerRankCategory) -> Option<Hand> {
    use aya_poker::PokerRankCategory as Aya;
    match category {
        Aya::RoyalFlush => Some(Hand::RoyalFlush),
        Aya::StraightFlush => Some(Hand::StraightFlush),
        Aya::FourOfAKind => Some(Hand::FourOfAKind),
        Aya::FullHouse => Some(Hand::FullHouse),
        Aya::Flush => Some(Hand::Flush),
        Aya::Straight => Some(Hand::Straight),
        Aya::ThreeOfAKind => Some(Hand::ThreeOfAKind),
        Aya::TwoPair => Some(Hand::TwoPair),
        Aya::Pair => Some(Hand::Pair),
        Aya::HighCard => Some(Hand::HighCard),
        Aya::Ineligible => None,
    }
}

/// Returns the other evaluator's rank of the cards with these numbers.
fn ranked_by_aya<const N: usize>(
    deck: &[aya_poker::base::Card],
    indexes: [usize; N],
) -> aya_poker::PokerHandRank {
    let hand: aya_poker::base::Hand = indexes.iter().map(|index| deck[*index]).collect();
    aya_poker::poker_rank(&hand)
}

/// Returns the other evaluator's deck, each card at the index of its number here.
fn aya_deck() -> Vec<aya_poker::base::Card> {
    Card::all()
        .map(|card| card.to_string().parse().unwrap())
        .collect()
}

#[test]
fn five_card_hands_have_the_order_two_other_evaluators_give_them() {
    // Each class of ours has one class of theirs, and theirs rise strictly with ours: the classes are the same and so
    // is their order.
    let aya = aya_deck();
    let poker: Vec<poker::Card> = Card::all()
        .map(|card| card.to_string().parse().unwrap())
        .collect();
    let evaluator = poker::Evaluator::new();
    let mut classes = BTreeMap::new();
    for_every_hand(|cards: [Card; 5]| {
        let indexes = cards.map(|card| usize::from(card.index()));
        let theirs = (
            ranked_by_aya(&aya, indexes),
            evaluator
                .evaluate_five(indexes.map(|index| poker[index]))
                .unwrap(),
        );
        let ours = evaluate(Ranking::FiveCard, &cards).unwrap();
        assert_eq!(*classes.entry(ours).or_insert(theirs), theirs, "{cards:?}");
    });
    assert_eq!(classes.len(), 7_462);
    assert!(
        classes
            .values()
            .is_sorted_by(|(low, _), (high, _)| low < high)
    );
    assert!(
        classes
            .values()
            .is_sorted_by(|(_, low), (_, high)| low < high)
    );
    for (ours, (aya, _)) in classes {
        assert_eq!(Some(ours.hand()), named_by_aya(aya.rank_category()));
    }
}

#[test]
fn the_best_five_of_six_cards_have_the_names_and_the_order_another_evaluator_gives_them() {
    // As in five cards above, for one hand in seven to save time: these are of nearly all of the 6,075 classes that
    // the best five of six cards can have.
    let aya = aya_deck();
    let (mut hands, mut classes) = (0_u32, BTreeMap::new());
    for_every_hand(|cards: [Card; 6]| {
        hands += 1;
        if !hands.is_multiple_of(7) {
            return;
        }
        let theirs = ranked_by_aya(&aya, cards.map(|card| usize::from(card.index())));
        let ours = evaluate(Ranking::FiveCard, &cards).unwrap();
        assert_eq!(*classes.entry(ours).or_insert(theirs), theirs, "{cards:?}");
    });
    assert_eq!(hands, 20_358_520);
    assert_eq!(classes.len(), 6_048);
    assert!(classes.values().is_sorted_by(|low, high| low < high));
    for (ours, theirs) in classes {
        assert_eq!(Some(ours.hand()), named_by_aya(theirs.rank_category()));
    }
}

#[test]
fn four_card_hands_have_the_names_and_the_order_of_the_regulation() {
    // Every hand is tied with the first of its class; the first hands of any two classes then compare as in the
    // regulation.
    let mut classes = BTreeMap::new();
    let mut hands = 0;
    for_every_hand(|cards: [Card; 4]| {
        hands += 1;
        let evaluated = evaluate_four(&cards);
        let hand = (regulation::hand(cards), cards);
        assert_eq!(evaluated.hand(), hand.0, "{cards:?}");
        let first = *classes.entry(evaluated).or_insert(hand);
        assert_eq!(
            regulation::compare(hand, first),
            Ordering::Equal,
            "{hand:?} {first:?}"
        );
    });
    assert_eq!(hands, 270_725);
    // Four of a kind, straight flush, three of a kind, flush, straight, two pair, pair, high card.
    assert_eq!(
        classes.len(),
        13 + 11 + 13 * 12 + (715 - 11) + 11 + 78 + 13 * 66 + (715 - 11)
    );

    let low_to_high: Vec<(Hand, [Card; 4])> = classes.into_values().collect();
    for (at, high) in low_to_high.iter().enumerate() {
        for low in &low_to_high[..at] {
            assert!(regulation::compare(*high, *low).is_gt(), "{high:?} {low:?}");
        }
    }
}

#[test]
fn the_highest_of_the_five_four_card_hands_plays() {
    for_every_hand(|cards: [Card; 5]| {
        let without = |out: &Card| -> Vec<Card> {
            cards.iter().copied().filter(|card| card != out).collect()
        };
        let hands = cards.iter().map(|out| evaluate_four(&without(out)));
        assert_eq!(
            evaluate(Ranking::FourCard, &cards),
            hands.max(),
            "{cards:?}"
        );
    });
}

#[test]
fn the_order_in_which_the_cards_are_dealt_does_not_matter() {
    for_every_hand(|cards: [Card; 5]| {
        let [first, second, third, fourth, fifth] = cards;
        for ranking in Ranking::ALL {
            let evaluated = evaluate(ranking, &cards);
            assert_eq!(
                evaluate(ranking, &[fifth, fourth, third, second, first]),
                evaluated
            );
            assert_eq!(
                evaluate(ranking, &[third, fifth, second, first, fourth]),
                evaluated
            );
        }
    });
}

// The examples of the regulation.

#[test]
fn an_ace_is_low_only_at_the_end_of_a_straight() {
    assert_eq!(four("Kc Ad 2h 3s").hand(), Hand::HighCard);
    assert_eq!(four("Qc Kd Ah 2s").hand(), Hand::HighCard);
    assert_eq!(four("Kc Ac 2c 3c").hand(), Hand::Flush);
    assert_eq!(four("Ac 2d 3h 4s").hand(), Hand::Straight);
    assert_eq!(four("Ac 2c 3c 4c").hand(), Hand::StraightFlush);
    assert_eq!(five("Ac 2d 3h 4s 5c").hand(), Hand::Straight);
    assert_eq!(five("Kc Ad 2h 3s 4c").hand(), Hand::HighCard);
    assert_eq!(five("Jc Qd Kh As 2c").hand(), Hand::HighCard);
    assert_eq!(best_four("Kc Ad 2h 3s 4c"), four("Ad 2h 3s 4c"));
    assert_falling(
        four,
        &["Ac Kd Qh Js", "Kc Qd Jh Ts", "5c 4d 3h 2s", "4c 3d 2h As"],
    );
    assert_falling(
        four,
        &["As Ks Qs Js", "Ks Qs Js Ts", "5s 4s 3s 2s", "4s 3s 2s As"],
    );
    assert_falling(
        five,
        &["Ac Kd Qh Js Tc", "6c 5d 4h 3s 2c", "5c 4d 3h 2s Ac"],
    );
    assert_falling(three, &["Ac Kd Qh", "4c 3d 2h", "3c 2d Ah", "Ac Kc 2c"]);
    assert_falling(three, &["As Ks Qs", "Ks Qs Js", "3s 2s As", "2c 2d 2h"]);
}

#[test]
fn four_card_hands_stand_in_the_order_of_the_regulation() {
    let highest_and_lowest = [
        ("Ac Ad Ah As", "Ac Ad Ah As", Hand::FourAces),
        ("Kc Kd Kh Ks", "2c 2d 2h 2s", Hand::FourOfAKind),
        ("As Ks Qs Js", "4s 3s 2s As", Hand::StraightFlush),
        ("Ac Ad Ah Ks", "2c 2d 2h 3s", Hand::ThreeOfAKind),
        ("As Ks Qs Ts", "6s 4s 3s 2s", Hand::Flush),
        ("Ac Kd Qh Js", "4c 3d 2h As", Hand::Straight),
        ("Ac Ad Kh Ks", "3c 3d 2h 2s", Hand::TwoPair),
        ("Ac Ad Kh Qs", "2c 2d 4h 3s", Hand::Pair),
        ("Ac Kd Qh Ts", "6c 4d 3h 2s", Hand::HighCard),
    ];
    for (highest, lowest, hand) in highest_and_lowest {
        assert_eq!((four(highest).hand(), four(lowest).hand()), (hand, hand));
        assert!(four(highest) >= four(lowest));
    }
    for pair in highest_and_lowest.windows(2) {
        assert!(
            four(pair[0].1) > four(pair[1].0),
            "{} beats {}",
            pair[0].1,
            pair[1].0
        );
    }
}

#[test]
fn a_royal_flush_and_four_aces_have_a_name_in_one_ranking_only() {
    assert_eq!(five("As Ks Qs Js Ts").hand(), Hand::RoyalFlush);
    assert_eq!(best_four("As Ks Qs Js Ts").hand(), Hand::StraightFlush);
    assert_eq!(best_four("As Ks Qs Js Ts"), four("As Ks Qs Js"));
    assert_eq!(best_four("Ac Ad Ah As 2c").hand(), Hand::FourAces);
    assert_eq!(five("Ac Ad Ah As 2c").hand(), Hand::FourOfAKind);
}

#[test]
fn equal_names_are_decided_by_the_highest_card_that_the_other_hand_lacks() {
    assert_falling(four, &["9c 9d 9h 4s", "9c 9d 9h 3s", "8c 8d 8h As"]);
    assert_falling(four, &["Kh Kd 2s 2c", "Qh Qd Js Jc", "Qh Qd Ts Tc"]);
    assert_falling(
        four,
        &["6h 6d As 3c", "6h 6d As 2c", "6h 6d Ks Qc", "5h 5d As Kc"],
    );
    assert_falling(four, &["Ah Th 3h 2h", "Ah 9h 8h 7h", "Kh Qh Jh 9h"]);
    assert_falling(
        five,
        &["9c 9d 9h 2s 2c", "8c 8d 8h As Ac", "8c 8d 8h Ks Kc"],
    );
    assert_falling(
        five,
        &["Kh Kd 2s 2c Ad", "Kh Kd 2s 2c Qd", "Qh Qd Js Jc Ad"],
    );
    assert_falling(
        five,
        &["Ah Qd 8s 5c 3d", "Ah Qd 8s 5c 2d", "Ah Qd 8s 4c 3d"],
    );
}

#[test]
fn hands_that_differ_in_suits_or_in_the_fifth_card_only_are_a_tie() {
    assert_eq!(four("Ah Th 3h 2h"), four("As Ts 3s 2s"));
    assert_eq!(four("Ac Kd Qh Js"), four("As Kh Qd Jc"));
    assert_eq!(best_four("7c 7d 7h 7s 2c"), best_four("7c 7d 7h 7s Ac"));
    assert_eq!(best_four("Kc Kd 2h 2s Ac"), best_four("Kh Ks 2c 2d 3c"));
    assert_eq!(best_four("9c 9d 9h 4s 4c"), best_four("9c 9d 9h 4d 3c"));
    assert!(five("7c 7d 7h 7s 2c") < five("7c 7d 7h 7s Ac"));
}

#[test]
fn a_card_of_two_decks_still_makes_the_highest_hand_it_meets() {
    assert_eq!(four("Ks Ks 2s 2s").hand(), Hand::Flush);
    assert_falling(four, &["As 3s 2s 2s", "Ks Ks Qs Qs"]);
    assert_eq!(five("Ks Ks 2s 2s 2s").hand(), Hand::FullHouse);
    assert_eq!(five("Ks Ks 2s 2s 3s").hand(), Hand::Flush);
    assert_falling(five, &["As 4s 3s 2s 2s", "Ks Ks Qs Qs 2s"]);
    assert_eq!(five("7c 7d 7h 7s 7s").hand(), Hand::FourOfAKind);
    assert_eq!(best_four("Ac Ad Ah As As").hand(), Hand::FourAces);
}

/// CONFORMANCE 42: no award can be rarer than one in 100,000,000. The rarest hand of any ranking is not, nor is the
/// rarest draw that a link may choose, one in a million, on a hand with the drawn card.
#[test]
fn number_42_no_award_is_rarer_than_one_in_100_000_000() {
    const RAREST: u64 = 100_000_000;
    const DRAWS_MOST: u64 = 1_000_000;
    const CARDS: u64 = 52;
    let mut rarest = 0;
    for ranking in Ranking::ALL {
        let dealt = hands_dealt(ranking);
        let frequencies = Hand::ALL.map(|hand| frequency(ranking, hand));
        let dealt_at_all = frequencies.iter().filter(|many| **many > 0);
        rarest = rarest.max(dealt_at_all.map(|many| dealt / many).max().unwrap());
    }
    assert_eq!(rarest, 649_740);
    let three_cards_of_all = CARDS.div_ceil(3);
    assert!(DRAWS_MOST * three_cards_of_all < RAREST);
}
