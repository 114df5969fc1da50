//! The highest hand of the dealer and one to six players, for the Cover All wager of Massachusetts.
//!
//! # Counting
//! The hands of one deal depend on each other: they share a deck. For some hands to be all of certain kinds, the deals
//! are counted exactly, and the deals with none of these kinds follow by inclusion and exclusion. A four or a three of a
//! kind is counted by its rank, of which two hands never have the same. A straight flush is counted by going through the
//! 2,072 hands that have one, in sets of up to three hands of one deal. Deals with four of them are left out: they are
//! less than two in a hundred billion.

use std::collections::BTreeMap;

use meterhouse_domain::card::{Card, Rank};
use meterhouse_domain::fixed::cover_all::{DEALS, highest};
use meterhouse_domain::fixed::seen::{Look, Seen, see};
use meterhouse_domain::hand::{Hand, Ranking};

use super::every::for_every_hand;
use super::{is, of};

/// Kinds of hands that win: each level has the levels before it as well.
#[derive(Copy, Clone, Debug, PartialEq)]
enum Level {
    FourAces,
    Royal,
    Four,
    StraightFlush,
    Three,
}

const LEVELS: [Level; 5] = [
    Level::FourAces,
    Level::Royal,
    Level::Four,
    Level::StraightFlush,
    Level::Three,
];

/// The lowest bit of each rank in a set of cards by number.
const RANKS: u64 = 0x1_1111_1111_1111;

/// The ranks of a rest of the deck that have all four cards, and those that have three.
type Rest = (u64, u64);

/// Returns the rest without these cards.
fn rest(taken: u64) -> Rest {
    let suit = |suit: u32| taken >> suit & RANKS;
    let (clubs, diamonds, hearts, spades) = (suit(0), suit(1), suit(2), suit(3));
    let any = clubs | diamonds | hearts | spades;
    let many = clubs & diamonds | (clubs | diamonds) & (hearts | spades) | hearts & spades;
    let count = |ranks: u64| u64::from(ranks.count_ones());
    (13 - count(any), count(any & !many))
}

/// Returns the hands of five cards whose best four are a straight flush, first those that are a royal flush; and the
/// number of the latter.
fn straight_flushes() -> (Vec<u64>, usize) {
    let (mut royals, mut others) = (Vec::new(), Vec::new());
    for_every_hand(|cards: [Card; 5]| {
        let set = cards.iter().map(|card| 1 << card.index()).sum();
        match see(Look::Hand(Ranking::FourCard), &cards).unwrap() {
            seen if seen == of(Hand::StraightFlush, Rank::Ace) => royals.push(set),
            Seen::Hand {
                hand: Hand::StraightFlush,
                ..
            } => others.push(set),
            _ => {}
        }
    });
    let count = royals.len();
    royals.extend(others);
    (royals, count)
}

/// Returns the number of sets of `0..=most` of these hands that share no card, by the rest of the deck.
fn sets(hands: &[u64], most: usize) -> Vec<BTreeMap<Rest, i128>> {
    let mut counts = vec![BTreeMap::new(); most + 1];
    counts[0].insert(rest(0), 1);
    add_sets(hands, 0, &mut counts[1..]);
    counts
}

fn add_sets(hands: &[u64], taken: u64, counts: &mut [BTreeMap<Rest, i128>]) {
    let Some((count, deeper)) = counts.split_first_mut() else {
        return;
    };
    let mut found = [[0_i128; 14]; 14];
    for (at, hand) in hands.iter().enumerate() {
        if hand & taken == 0 {
            let (four, three) = rest(taken | hand);
            found[usize::try_from(four).unwrap()][usize::try_from(three).unwrap()] += 1;
            add_sets(&hands[at + 1..], taken | hand, deeper);
        }
    }
    for (four, row) in (0..).zip(found) {
        for (three, sets) in (0..).zip(row) {
            if sets > 0 {
                *count.entry((four, three)).or_insert(0) += sets;
            }
        }
    }
}

/// Returns the number of ways to deal hands in order: some get two of the cards each, and then some get one.
fn deals(cards: i128, twos: i128, ones: i128) -> i128 {
    let twos_ways: i128 = (0..twos).map(|hand| choose(cards - 2 * hand, 2)).product();
    let ones_ways: i128 = (0..ones).map(|hand| cards - 2 * twos - hand).product();
    twos_ways * ones_ways
}

fn choose(of: i128, some: i128) -> i128 {
    (0..some).fold(1, |ways, at| ways * (of - at) / (at + 1))
}

/// Returns the number of ways to choose some of so many, in order.
fn ordered(of: i128, some: i128) -> i128 {
    (0..some).map(|at| of - at).product()
}

/// Returns the number of ways to deal so many hands from the rest of the deck that are all a four or, at the last level,
/// a three of a kind.
fn of_ranks(level: Level, hands: i128, rest: Rest, cards: i128) -> i128 {
    let (four, three) = (i128::from(rest.0), i128::from(rest.1));
    match level {
        Level::FourAces | Level::Royal => match (hands, rest) {
            (0, _) => 1,
            (1, (13, 0)) => 48,
            _ => 0,
        },
        Level::Four | Level::StraightFlush => {
            ordered(four, hands) * deals(cards - 4 * hands, 0, hands)
        }
        Level::Three => {
            let mut ways = 0;
            // Fours, threes of a rank with four cards left, and threes of one with three left.
            for fours in 0..=hands {
                for of_four in 0..=hands - fours {
                    let of_three = hands - fours - of_four;
                    let which = choose(hands, fours) * choose(hands - fours, of_four);
                    let ranks = ordered(four, fours + of_four) * ordered(three, of_three);
                    let left = cards - 4 * fours - 3 * (of_four + of_three);
                    // A three of a kind may not get the fourth card of its own rank.
                    let others: i128 = (0..=of_four)
                        .map(|own| {
                            let sign = if own % 2 == 0 { 1 } else { -1 };
                            let rest = deals(left - own, of_four + of_three - own, fours + own);
                            sign * choose(of_four, own) * rest
                        })
                        .sum();
                    ways += which * ranks * 4_i128.pow(u32::try_from(of_four).unwrap()) * others;
                }
            }
            ways
        }
    }
}

/// The parts of a whole in which a probability is reckoned.
const PARTS: i128 = 1_000_000_000_000_000;

/// Returns a number of deals of so many hands, as parts of all deals of them, cut.
fn parts(mut deals: i128, hands: i128) -> i128 {
    let mut all = 1_i128;
    for hand in 0..hands {
        let mut of_hand = choose(52 - 5 * hand, 5);
        let both = gcd(deals, of_hand);
        deals /= both;
        of_hand /= both;
        all *= of_hand;
    }
    // One decimal after the other, since all parts at once don't fit.
    let (mut parts, mut left, mut unit) = (deals / all, deals % all, PARTS);
    while unit > 1 {
        unit /= 10;
        left *= 10;
        parts = parts * 10 + left / all;
        left %= all;
    }
    parts
}

fn gcd(one: i128, other: i128) -> i128 {
    if other == 0 {
        one
    } else {
        gcd(other, one % other)
    }
}

/// Returns the probability that none of so many hands is of this level, in parts.
fn none(level: Level, hands: i128, sets: &[BTreeMap<Rest, i128>]) -> i128 {
    let mut parts_of_none = 0;
    for of_level in 0..=hands {
        let mut ways = 0;
        for (flushes, rests) in (0..=of_level).zip(sets) {
            for (rest, sets) in rests {
                let dealt = ordered(of_level, flushes) * sets;
                ways += dealt * of_ranks(level, of_level - flushes, *rest, 52 - 5 * flushes);
            }
        }
        let sign = if of_level % 2 == 0 { 1 } else { -1 };
        parts_of_none += sign * choose(hands, of_level) * parts(ways, of_level);
    }
    parts_of_none
}

/// Returns the deals of a billion with each highest hand, for one to six players. Straight flushes are counted in sets of
/// up to so many in one deal.
fn counted(most: usize) -> [[u64; 5]; 6] {
    let (flushes, royals) = straight_flushes();
    assert_eq!((flushes.len(), royals), (2_072, 192));
    let no_flush = sets(&[], 0);
    let royal = sets(&flushes[..royals], most);
    let all = sets(&flushes, most);
    let of_level = |level| match level {
        Level::FourAces => &no_flush,
        Level::Royal | Level::Four => &royal,
        Level::StraightFlush | Level::Three => &all,
    };
    [2, 3, 4, 5, 6, 7].map(|hands| {
        let none = LEVELS.map(|level| none(level, hands, of_level(level)));
        let mut higher = PARTS;
        none.map(|none| {
            let here = higher - none;
            higher = none;
            let billion = PARTS / 1_000_000_000;
            u64::try_from((here + billion / 2) / billion).unwrap()
        })
    })
}

#[test]
fn the_deals_of_one_to_six_players_are_counted_again() {
    assert_eq!(counted(3), DEALS);
}

#[test]
fn the_ways_of_one_hand_are_the_known_counts() {
    let full = rest(0);
    assert_eq!(full, (13, 0));
    assert_eq!(of_ranks(Level::FourAces, 1, full, 52), 48);
    assert_eq!(of_ranks(Level::Four, 1, full, 52), 624);
    assert_eq!(of_ranks(Level::Three, 1, full, 52), 624 + 58_656);
    assert_eq!(parts(58_656, 1), PARTS * 58_656 / 2_598_960);
}

/// The ways of two hands are those of a count of all pairs of winning hands.
#[test]
fn the_ways_of_two_hands_are_those_of_all_pairs() {
    let (flushes, _) = straight_flushes();
    let mut of_rank: Vec<u64> = Vec::new();
    for_every_hand(|cards: [Card; 5]| {
        let seen = see(Look::Hand(Ranking::FourCard), &cards).unwrap();
        let kinds = [Hand::FourAces, Hand::FourOfAKind, Hand::ThreeOfAKind];
        if kinds.into_iter().any(|hand| is(hand)(seen)) {
            of_rank.push(cards.iter().map(|card| 1 << card.index()).sum());
        }
    });
    let pairs: usize = (of_rank.iter().enumerate())
        .map(|(at, one)| {
            of_rank[at + 1..]
                .iter()
                .filter(|other| *other & one == 0)
                .count()
        })
        .sum();
    let ways = of_ranks(Level::Three, 2, rest(0), 52);
    assert_eq!(ways, 2 * i128::try_from(pairs).unwrap());
    let mixed: usize = flushes
        .iter()
        .map(|one| of_rank.iter().filter(|other| *other & one == 0).count())
        .sum();
    let sets = sets(&flushes, 1);
    let ways: i128 = sets[1]
        .iter()
        .map(|(rest, sets)| sets * of_ranks(Level::Three, 1, *rest, 47))
        .sum();
    assert_eq!(ways, i128::try_from(mixed).unwrap());
}

/// 300,000 deals of seven hands from a fixed seed are as the counts say, within four standard deviations.
#[test]
fn dealt_hands_are_as_the_counts_say() {
    const DEALT: u32 = 300_000;
    let mut deck: Vec<Card> = Card::all().collect();
    let mut random = SplitMix(20_190_831);
    let mut dealt = [[0_u32; 5]; 6];
    for _ in 0..DEALT {
        let mut highest = LEVELS.len();
        for hand in 0..7 {
            for at in 5 * hand..5 * hand + 5 {
                let left = u64::try_from(deck.len() - at).unwrap();
                let from = at + usize::try_from(random.next() % left).unwrap();
                deck.swap(at, from);
            }
            let seen = see(Look::Hand(Ranking::FourCard), &deck[5 * hand..5 * hand + 5]).unwrap();
            highest = highest.min(place(seen));
            if hand > 0 && highest < LEVELS.len() {
                dealt[hand - 1][highest] += 1;
            }
        }
    }
    for (found, counted) in dealt.into_iter().flatten().zip(DEALS.into_iter().flatten()) {
        let (all, billion) = (i128::from(DEALT), 1_000_000_000);
        let counted = i128::from(counted);
        let distance = i128::from(found) * billion - all * counted;
        assert!(
            distance * distance <= 16 * all * counted * (billion - counted),
            "{found}"
        );
    }
}

/// Returns the place of a hand in [`LEVELS`], or their number for a lower hand.
fn place(seen: Seen) -> usize {
    let Seen::Hand { hand, first, .. } = seen else {
        return LEVELS.len();
    };
    let level = match hand {
        Hand::FourAces => Level::FourAces,
        Hand::StraightFlush if first == Some(Rank::Ace) => Level::Royal,
        Hand::FourOfAKind => Level::Four,
        Hand::StraightFlush => Level::StraightFlush,
        Hand::ThreeOfAKind => Level::Three,
        _ => return LEVELS.len(),
    };
    LEVELS.iter().position(|other| *other == level).unwrap()
}

/// A small generator of random numbers.
pub(super) struct SplitMix(pub(super) u64);

impl SplitMix {
    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }
}

#[test]
fn one_to_six_players_have_counts() {
    for (players, deals) in (1..).zip(DEALS) {
        let histogram = highest(players).unwrap();
        assert_eq!(histogram.total(), 1_000_000_000);
        for (at, deals) in deals.into_iter().enumerate() {
            assert_eq!(histogram.count(|seen| place(seen) == at), deals);
        }
    }
    assert_eq!((highest(0), highest(7)), (None, None));
}
