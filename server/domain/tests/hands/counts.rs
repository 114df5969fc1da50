//! The number of hands of three to six cards with each name.

use std::collections::BTreeMap;

use meterhouse_domain::card::{Card, Suit};
use meterhouse_domain::hand::{Hand, Ranking, evaluate, frequency, hands_dealt, six_card_royal};

use super::every::for_every_hand;
use super::{cards, evaluate_four, regulation};

/// Asserts the number of hands of `N` cards with each name, and that no other name occurs. The table of frequencies
/// must agree for the ranking's own number of cards.
fn assert_counts<const N: usize>(ranking: Ranking, expected: &[(Hand, u32)]) {
    let mut counts = BTreeMap::new();
    for_every_hand(|cards: [Card; N]| {
        let hand = evaluate(ranking, &cards).unwrap().hand();
        *counts.entry(hand.code()).or_insert(0) += 1;
    });
    if N == usize::from(ranking.cards()) {
        for hand in Hand::ALL {
            let counted = counts.get(&hand.code()).copied();
            assert_eq!(frequency(ranking, hand), counted.unwrap_or(0), "{hand}");
        }
        assert_eq!(hands_dealt(ranking), counts.values().sum());
    }
    for (hand, count) in expected {
        assert_eq!(counts.remove(&hand.code()), Some(*count), "{hand}");
    }
    assert_eq!(counts, BTreeMap::new());
    let names: Vec<Hand> = expected.iter().map(|(hand, _)| *hand).collect();
    assert_eq!(names, ranking.order());
}

#[test]
fn five_card_hands_occur_as_often_as_is_known() {
    assert_counts::<5>(
        Ranking::FiveCard,
        &[
            (Hand::RoyalFlush, 4),
            (Hand::StraightFlush, 36),
            (Hand::FourOfAKind, 624),
            (Hand::FullHouse, 3_744),
            (Hand::Flush, 5_108),
            (Hand::Straight, 10_200),
            (Hand::ThreeOfAKind, 54_912),
            (Hand::TwoPair, 123_552),
            (Hand::Pair, 1_098_240),
            (Hand::HighCard, 1_302_540),
        ],
    );
}

#[test]
fn the_best_four_of_five_cards_occur_as_often_as_is_known() {
    // The last two were counted on paper. There are 11 sequences of four ranks, and 89 of the C(13, 5) = 1,287 sets
    // of five ranks contain one. Five ranks can be dealt 4^5 = 1,024 ways. Of these 4 have one suit and 5 * 4 * 3
    // have four cards in one suit: 960 ways remain that are no flush.
    let high_card = (1_287 - 89) * 960;
    // Four of the C(13, 4) = 715 sets of ranks with one of the four paired: C(4, 2) * 4^3 = 384
    // ways, of which 4 * 3 have the other three cards and one of the pair in one suit.
    let pair = (715 - 11) * 4 * (384 - 12);
    assert_counts::<5>(
        Ranking::FourCard,
        &[
            (Hand::FourAces, 48),
            (Hand::FourOfAKind, 576),
            (Hand::StraightFlush, 2_072),
            (Hand::ThreeOfAKind, 58_656),
            (Hand::Flush, 114_616),
            (Hand::Straight, 89 * 960 + 11 * 4 * (384 - 12)),
            (Hand::TwoPair, 123_552),
            (Hand::Pair, pair),
            (Hand::HighCard, high_card),
        ],
    );
    assert_eq!(89 * 960 + 11 * 4 * (384 - 12), 101_808);
    assert_eq!((pair, high_card), (1_047_552, 1_150_080));
}

#[test]
fn four_cards_occur_as_often_as_is_known() {
    assert_counts::<4>(
        Ranking::FourCard,
        &[
            (Hand::FourAces, 1),
            (Hand::FourOfAKind, 12),
            (Hand::StraightFlush, 11 * 4),
            (Hand::ThreeOfAKind, 13 * 4 * 48),
            (Hand::Flush, (715 - 11) * 4),
            (Hand::Straight, 11 * (256 - 4)),
            (Hand::TwoPair, 78 * 36),
            (Hand::Pair, 13 * 6 * 66 * 16),
            (Hand::HighCard, (715 - 11) * (256 - 4)),
        ],
    );
}

#[test]
fn three_card_hands_occur_as_often_as_is_known() {
    assert_counts::<3>(
        Ranking::ThreeCard,
        &[
            (Hand::MiniRoyal, 4),
            (Hand::StraightFlush, 44),
            (Hand::ThreeOfAKind, 52),
            (Hand::Straight, 720),
            (Hand::Flush, 1_096),
            (Hand::Pair, 3_744),
            (Hand::HighCard, 16_440),
        ],
    );
}

#[test]
fn the_best_five_of_six_cards_occur_as_often_as_is_known() {
    // A royal flush and any of the 47 other cards. A straight flush of nine other heights and any but the one card
    // that makes it the next higher one.
    assert_counts::<6>(
        Ranking::FiveCard,
        &[
            (Hand::RoyalFlush, 4 * 47),
            (Hand::StraightFlush, 9 * 4 * 46),
            (Hand::FourOfAKind, 13 * 1_128),
            (Hand::FullHouse, 165_984),
            (Hand::Flush, 205_792),
            (Hand::Straight, 361_620),
            (Hand::ThreeOfAKind, 732_160),
            (Hand::TwoPair, 2_532_816),
            (Hand::Pair, 9_730_740),
            (Hand::HighCard, 6_612_900),
        ],
    );
}

#[test]
fn the_best_four_of_six_cards_occur_as_often_as_a_second_program_counts() {
    // Four of a kind with any two of the 48 others. The rest was counted by a second program with another algorithm:
    // from the number of cards of each rank and suit, and bit masks of ranks, without ever choosing four of the six.
    assert_counts::<6>(
        Ranking::FourCard,
        &[
            (Hand::FourAces, 1_128),
            (Hand::FourOfAKind, 12 * 1_128),
            (Hand::StraightFlush, 47_752),
            (Hand::ThreeOfAKind, 897_616),
            (Hand::Flush, 2_245_352),
            (Hand::Straight, 1_744_080),
            (Hand::TwoPair, 2_342_736),
            (Hand::Pair, 8_194_320),
            (Hand::HighCard, 4_872_000),
        ],
    );
}

#[test]
fn the_best_four_of_six_cards_are_those_of_the_regulation() {
    // By the regulation's own sentences, for one hand in a thousand.
    let mut hands = 0_u32;
    for_every_hand(|cards: [Card; 6]| {
        hands += 1;
        if !hands.is_multiple_of(997) {
            return;
        }
        let found = evaluate(Ranking::FourCard, &cards).unwrap();
        let mut best: Option<(Hand, [Card; 4])> = None;
        for set in (0_u32..64).filter(|set| set.count_ones() == 4) {
            let chosen: Vec<Card> = (0..6)
                .filter(|at| set >> at & 1 == 1)
                .map(|at: usize| cards[at])
                .collect();
            let chosen: [Card; 4] = chosen.try_into().unwrap();
            let hand = (regulation::hand(chosen), chosen);
            if best.is_none_or(|best| regulation::compare(hand, best).is_gt()) {
                best = Some(hand);
            }
        }
        let (name, chosen) = best.unwrap();
        assert_eq!(found, evaluate_four(&chosen), "{cards:?}");
        assert_eq!(found.hand(), name, "{cards:?}");
    });
    assert_eq!(hands, 20_358_520);
}

#[test]
fn a_six_card_royal_flush_is_of_one_suit_and_there_are_four() {
    let mut suits = Vec::new();
    for_every_hand(|cards: [Card; 6]| suits.extend(six_card_royal(&cards)));
    for suit in Suit::ALL {
        assert_eq!(suits.iter().filter(|other| **other == suit).count(), 1);
    }
    assert_eq!(suits.len(), 4);
    assert_eq!(
        six_card_royal(&cards("9d Td Jd Qd Kd Ad")),
        Some(Suit::Diamonds)
    );
    assert_eq!(six_card_royal(&cards("9d Td Jd Qd Kd Ah")), None);
    assert_eq!(six_card_royal(&cards("8d Td Jd Qd Kd Ad")), None);
    assert_eq!(
        evaluate(Ranking::FiveCard, &cards::<6>("9d Td Jd Qd Kd Ad"))
            .unwrap()
            .hand(),
        Hand::RoyalFlush
    );
}

#[test]
fn too_few_cards_and_too_many_are_no_hand() {
    let deck: Vec<Card> = Card::all().collect();
    for (ranking, least) in [
        (Ranking::ThreeCard, 3),
        (Ranking::FourCard, 4),
        (Ranking::FiveCard, 5),
    ] {
        for count in 0..10 {
            let found = evaluate(ranking, &deck[..count]);
            assert_eq!(
                found.is_some(),
                (least..=7).contains(&count),
                "{ranking} {count}"
            );
        }
    }
}
