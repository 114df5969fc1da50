//! The number of cases with each result.

use std::collections::BTreeMap;

use meterhouse_domain::card::{Card, Rank, Suit};
use meterhouse_domain::fixed::frequencies::{Histogram, of_cards, of_dice};
use meterhouse_domain::fixed::seen::{Look, Seen, see};
use meterhouse_domain::hand::{Hand, Ranking, frequency};

use super::every::for_every_hand;
use super::{is, of, of_two};

const FOUR: Look = Look::Hand(Ranking::FourCard);
const FIVE: Look = Look::Hand(Ranking::FiveCard);

/// Asserts that the counts of a look at `N` cards are those of every hand, dealt in turn.
fn assert_every<const N: usize>(look: Look) -> Histogram {
    let mut counts = BTreeMap::new();
    for_every_hand(|cards: [Card; N]| *counts.entry(see(look, &cards).unwrap()).or_insert(0) += 1);
    assert_same(look, N, &counts)
}

/// Asserts that the counts of a look at `N` cards are those of one hand of each class of hands that differ only in which
/// suit is which, times the hands of the class.
fn assert_classes<const N: usize>(look: Look) -> Histogram {
    let mut counts = BTreeMap::new();
    for_every_class::<N>(&mut |class| {
        *counts
            .entry(see(look, &cards_of(class)).unwrap())
            .or_insert(0) += hands_of(class);
    });
    assert_same(look, N, &counts)
}

/// The ranks of the cards of a hand in each suit, as bits from the two. The suits are in falling order of these numbers.
type Class = [u16; 4];

/// Returns the cards of one hand of a class.
pub(super) fn cards_of(class: Class) -> Vec<Card> {
    Card::all()
        .filter(|card| class[usize::from(card.index() % 4)] >> (card.index() / 4) & 1 == 1)
        .collect()
}

/// Returns the number of hands of a class.
pub(super) fn hands_of(class: Class) -> u64 {
    let repeated: u64 = class
        .chunk_by(u16::eq)
        .map(|same| factorial(same.len()))
        .product();
    factorial(4) / repeated
}

/// Passes each class of hands of `N` cards once.
pub(super) fn for_every_class<const N: usize>(found: &mut impl FnMut(Class)) {
    let few = |mask: &u16| usize::try_from(mask.count_ones()).is_ok_and(|cards| cards <= N);
    let masks: Vec<u16> = (0..1 << 13).filter(few).collect();
    add_suits(&masks, [0; 4], 0, N, found);
}

fn add_suits(masks: &[u16], class: Class, suit: usize, left: usize, found: &mut impl FnMut(Class)) {
    if suit == class.len() {
        if left == 0 {
            found(class);
        }
        return;
    }
    for mask in masks {
        let cards = usize::try_from(mask.count_ones()).unwrap();
        if suit > 0 && *mask > class[suit - 1] {
            return;
        }
        if cards <= left {
            let mut class = class;
            class[suit] = *mask;
            add_suits(masks, class, suit + 1, left - cards, found);
        }
    }
}

fn factorial(number: usize) -> u64 {
    (1..=u64::try_from(number).unwrap()).product()
}

fn assert_same(look: Look, cards: usize, counts: &BTreeMap<Seen, u64>) -> Histogram {
    let histogram = of_cards(look, cards).unwrap();
    let found: BTreeMap<Seen, u64> = histogram.iter().collect();
    assert_eq!(found, *counts, "{look}");
    histogram
}

#[test]
fn two_own_cards_occur_as_often_as_is_known() {
    let pocket = assert_every::<2>(Look::Pocket);
    let ace_with = |suited| {
        pocket.count(|seen| {
            let faces = [Rank::Jack, Rank::Queen, Rank::King];
            matches!(seen, Seen::Pocket { high: Rank::Ace, low, suited: both } if faces.contains(&low) && both == suited)
        })
    };
    let pairs = pocket.count(|seen| matches!(seen, Seen::Pocket { high, low, .. } if high == low));
    let aces = pocket.count(|seen| matches!(seen, Seen::Pocket { low: Rank::Ace, .. }));
    assert_eq!(
        (aces, ace_with(true), ace_with(false), pairs),
        (6, 12, 36, 78)
    );
    assert_eq!(pocket.total(), 1_326);
}

#[test]
fn three_and_five_cards_occur_as_often_as_is_known() {
    for (ranking, histogram) in [
        (
            Ranking::ThreeCard,
            assert_every::<3>(Look::Hand(Ranking::ThreeCard)),
        ),
        (Ranking::FourCard, assert_every::<5>(FOUR)),
        (Ranking::FiveCard, assert_classes::<5>(FIVE)),
    ] {
        for hand in Hand::ALL {
            let known = frequency(ranking, hand).into();
            assert_eq!(histogram.count(is(hand)), known, "{ranking} {hand}");
        }
    }
}

#[test]
fn the_best_four_of_five_by_rank() {
    let four = of_cards(FOUR, 5).unwrap();
    let count = |seen| four.count(|other| other == seen);
    // Five cards with the highest royal of four: any of the 48 others.
    assert_eq!(count(of(Hand::StraightFlush, Rank::Ace)), 4 * 48);
    assert_eq!(count(of(Hand::FourAces, Rank::Ace)), 48);
    // Three aces and two of the 48 other cards, without the fours of a kind.
    assert_eq!(count(of(Hand::ThreeOfAKind, Rank::Ace)), 4 * 48 * 47 / 2);
    assert_eq!(
        count(of_two(Hand::TwoPair, Rank::Ace, Rank::Queen)),
        6 * 6 * 44
    );
    // Three of the twelve other ranks, of which 2 with an ace or a king make a sequence of four, and 3 with a queen.
    assert_eq!(count(of(Hand::Pair, Rank::Ace)), (220 - 2) * 372);
    assert_eq!(count(of(Hand::Pair, Rank::King)), (220 - 2) * 372);
    assert_eq!(count(of(Hand::Pair, Rank::Queen)), (220 - 3) * 372);
    assert_eq!([(220 - 2) * 372, (220 - 3) * 372], [81_096, 80_724]);
}

#[test]
fn low_hands_occur_as_often_as_is_known() {
    let low = assert_classes::<5>(Look::Low);
    // Four of the lower ranks without the sequence, or the two of an ace; 4^5 ways of suits without four flushes.
    let sets = [4, 14, 34, 69, 125, 209, 329, 493];
    let ranks = Rank::ALL.into_iter().skip(5);
    for (rank, sets) in ranks.zip(sets) {
        let count = low.count(|seen| seen == Seen::High(rank));
        assert_eq!(count, sets * (1_024 - 4), "{rank:?}");
    }
    let formed = low.count(|seen| matches!(seen, Seen::Hand { .. }));
    assert_eq!(formed, 2_598_960 - 1_302_540);
}

#[test]
fn colours_occur_as_every_deal_has_them() {
    let colours = assert_every::<5>(Look::Colours);
    let most = |cards| colours.count(|seen| seen == Seen::Colours { most: cards });
    assert_eq!([most(5), most(4), most(3)], [131_560, 777_400, 1_690_000]);
}

#[test]
fn the_best_five_of_six_occur_as_often_as_classes_of_suits_have_them() {
    let five = assert_classes::<6>(FIVE);
    assert_eq!(five.total(), 20_358_520);
    let six = of_cards(Look::SixCards, 6).unwrap();
    for suit in Suit::ALL {
        assert_eq!(six.count(|seen| seen == Seen::SixCardRoyal(suit)), 1);
    }
    // The six-card royal flushes are royal flushes, and there is no other difference.
    let same = |histogram: &Histogram, seen| histogram.count(|other| other.of_five() == seen);
    for (seen, cases) in five.iter() {
        assert_eq!(same(&six, seen), cases, "{seen:?}");
    }
    assert_eq!(six.total(), five.total());
    let by_name = [
        (Hand::RoyalFlush, 188 - 4),
        (Hand::StraightFlush, 1_656),
        (Hand::FourOfAKind, 14_664),
        (Hand::FullHouse, 165_984),
        (Hand::Flush, 205_792),
        (Hand::Straight, 361_620),
        (Hand::ThreeOfAKind, 732_160),
        (Hand::TwoPair, 2_532_816),
        (Hand::Pair, 9_730_740),
        (Hand::HighCard, 6_612_900),
    ];
    for (hand, cases) in by_name {
        assert_eq!(six.count(is(hand)), cases, "{hand}");
    }
}

/// The counts of seven cards are the published ones of seven-card poker.
#[test]
fn the_best_five_of_seven_occur_as_often_as_is_known() {
    let seven = of_cards(FIVE, 7).unwrap();
    let known = [
        (Hand::RoyalFlush, 4_324),
        (Hand::StraightFlush, 37_260),
        (Hand::FourOfAKind, 224_848),
        (Hand::FullHouse, 3_473_184),
        (Hand::Flush, 4_047_644),
        (Hand::Straight, 6_180_020),
        (Hand::ThreeOfAKind, 6_461_620),
        (Hand::TwoPair, 31_433_400),
        (Hand::Pair, 58_627_800),
        (Hand::HighCard, 23_294_460),
    ];
    for (hand, cases) in known {
        assert_eq!(seven.count(is(hand)), cases, "{hand}");
    }
    assert_eq!(seven.total(), 133_784_560);
}

#[test]
fn three_dice_occur_as_often_as_is_known() {
    let dice = of_dice();
    assert_eq!(dice.total(), 216);
    for (seen, throws) in dice.iter() {
        let Seen::Dice([low, middle, high]) = seen else {
            panic!("{seen:?} is no throw");
        };
        let expected = match (low == middle, middle == high) {
            (true, true) => 1,
            (true, false) | (false, true) => 3,
            (false, false) => 6,
        };
        assert_eq!(throws, expected, "{seen:?}");
    }
    assert_eq!(dice.iter().count(), 6 + 30 + 20);
}

#[test]
fn other_numbers_of_cards_have_no_counts() {
    for (look, cards) in [
        (Look::Pocket, 3),
        (Look::Hand(Ranking::ThreeCard), 6),
        (FOUR, 3),
        (FIVE, 8),
        (Look::SixCards, 5),
        (Look::Low, 6),
        (Look::Colours, 4),
        (Look::Dice, 3),
        (Look::Field, 0),
        (Look::Comparison, 5),
    ] {
        assert_eq!(of_cards(look, cards), None, "{look} {cards}");
    }
}
