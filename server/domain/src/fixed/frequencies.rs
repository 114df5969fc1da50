//! The number of hands of one deck, and of throws of the dice, with each result: exact counts.
//!
//! # Shape
//! [`of_cards`] counts without dealing every hand. All hands with the same ranks and the same cards of a long suit have
//! one result, so it looks at one of them and multiplies. A suit is long if its cards could be a flush. Fewer than twice
//! as many cards are dealt, so that only one suit can be long.
//!
//! # Bounds
//! At most [`CARDS_MAX`] cards: 133,784,560 hands of seven are counted from some 610,000 looks.

use std::collections::BTreeMap;

use crate::card::{Card, Rank, Suit};
use crate::fixed::field::{Compartment, DOWNS, Field, Football, Goal, Team};
use crate::fixed::seen::{Look, Seen, see};
use crate::hand::{CARDS_MAX, Ranking};

/// Number of ranks.
const RANKS: usize = Rank::ALL.len();
/// Faces of a die.
const FACES: u8 = 6;
/// Cards of one colour in a deck.
const OF_COLOUR: u64 = 26;
/// Suits of a deck, and so cards of one rank.
const SUITS: u8 = 4;

/// The number of cases with each result. All cases are equally likely.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Histogram {
    counts: BTreeMap<Seen, u64>,
}

impl Histogram {
    /// Returns the results that occur, each with its number of cases.
    pub fn iter(&self) -> impl Iterator<Item = (Seen, u64)> {
        self.counts.iter().map(|(seen, cases)| (*seen, *cases))
    }

    /// Returns the number of all cases.
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Returns the number of cases whose result meets a condition.
    pub fn count(&self, meets: impl Fn(Seen) -> bool) -> u64 {
        let met = self.iter().filter(|(seen, _)| meets(*seen));
        met.map(|(_, cases)| cases).sum()
    }

    /// Adds so many cases with this result.
    pub(super) fn add(&mut self, seen: Seen, cases: u64) {
        if cases > 0 {
            *self.counts.entry(seen).or_default() += cases;
        }
    }
}

/// Returns the counts of a look at so many cards of one deck. Returns `None` if the look isn't at cards, and if it
/// can't judge so many.
pub fn of_cards(look: Look, dealt: usize) -> Option<Histogram> {
    let Some(flush) = flush_length(look) else {
        return (look == Look::Colours && dealt == 5).then(of_colours);
    };
    if dealt > CARDS_MAX || dealt >= 2 * flush {
        return None;
    }
    let mut histogram = Histogram::default();
    for ranks in all_ranks(dealt) {
        let mut short = ranks.ways(SUITS, 0);
        for long in ranks.subsets(flush) {
            let ways = ranks.ways(SUITS - 1, long);
            if ways == 0 {
                continue;
            }
            for suit in Suit::ALL {
                histogram.add(see(look, &ranks.cards(suit, long))?, ways);
                short -= ways;
            }
        }
        if short > 0 {
            histogram.add(see(look, &ranks.mixed())?, short);
        }
    }
    Some(histogram)
}

/// Returns the number of cards of one suit with which a look tells them from other suits.
const fn flush_length(look: Look) -> Option<usize> {
    match look {
        Look::Pocket => Some(2),
        Look::Hand(Ranking::ThreeCard) => Some(3),
        Look::Hand(Ranking::FourCard) => Some(4),
        Look::Hand(Ranking::FiveCard) | Look::SixCards | Look::Low => Some(5),
        Look::Colours | Look::Dice | Look::Field | Look::Comparison => None,
    }
}

/// Returns the counts of red and black among five cards.
fn of_colours() -> Histogram {
    let mut histogram = Histogram::default();
    for red in 0..=5 {
        let black = 5 - red;
        let most = red.max(black);
        let ways = choose(OF_COLOUR, red) * choose(OF_COLOUR, black);
        histogram.add(Seen::Colours { most }, ways);
    }
    histogram
}

/// Returns the counts of three dice: 216 throws.
pub fn of_dice() -> Histogram {
    let faces = || 1..=FACES;
    let pairs = faces().flat_map(|first| faces().map(move |second| (first, second)));
    let throws = pairs.flat_map(|(first, second)| faces().map(move |third| [first, second, third]));
    let mut histogram = Histogram::default();
    for seen in throws.filter_map(Seen::dice) {
        histogram.add(seen, 1);
    }
    histogram
}

/// Returns the counts of a Touchdown Roulette wager on this team: all five spins of 38 compartments, 79,235,168 cases.
pub fn of_field(team: Team, goal: Goal) -> Histogram {
    let mut positions = BTreeMap::from([(Football::default(), 1_u64)]);
    for _ in 0..DOWNS {
        let mut moved = BTreeMap::new();
        for (football, cases) in positions {
            for down in Compartment::all() {
                *moved.entry(football.moved(team, down, goal)).or_default() += cases;
            }
        }
        positions = moved;
    }
    let games: u64 = positions.values().sum();
    let mut histogram = Histogram::default();
    for first in Compartment::all() {
        if first.starts_game() {
            for (football, cases) in &positions {
                histogram.add(Seen::Field(football.end()), *cases);
            }
        } else {
            histogram.add(Seen::Field(Field::NoGame), games);
        }
    }
    histogram
}

/// The number of cards of each rank, in the order of [`Rank::ALL`].
#[derive(Copy, Clone)]
struct RankCounts([u8; RANKS]);

/// Returns all ways to have so many cards by rank.
fn all_ranks(cards: usize) -> Vec<RankCounts> {
    let mut all = vec![([0; RANKS], cards)];
    for rank in 0..RANKS {
        let more = all.iter().flat_map(|(counts, left)| {
            (0..=SUITS).filter_map(move |count| {
                let mut counts = *counts;
                counts[rank] = count;
                Some((counts, left.checked_sub(count.into())?))
            })
        });
        all = more.collect();
    }
    let whole = all.into_iter().filter(|(_, left)| *left == 0);
    whole.map(|(counts, _)| RankCounts(counts)).collect()
}

impl RankCounts {
    /// Returns the sets of at least so many of the ranks that occur, as bits in the order of [`Rank::ALL`].
    fn subsets(self, least: usize) -> impl Iterator<Item = u32> {
        let all: u32 = self
            .0
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(rank, _)| 1 << rank)
            .sum();
        // Counts down through all sets within `all`, without the empty one.
        let next = move |set: &u32| set.checked_sub(1).map(|less| less & all);
        let sets = std::iter::successors(Some(all), next);
        let sets = sets.take_while(|set| *set > 0);
        sets.filter(move |set| usize::try_from(set.count_ones()).is_ok_and(|size| size >= least))
    }

    /// Returns the number of ways to give suits to the cards, without one card of each rank in `long`, among so many
    /// suits.
    fn ways(self, suits: u8, long: u32) -> u64 {
        let ranks = self.0.iter().enumerate();
        ranks
            .map(|(rank, count)| choose(suits.into(), count - u8::from(long >> rank & 1 == 1)))
            .product()
    }

    /// Returns cards with these ranks, of which those of the ranks in `long` and no others are in a suit.
    fn cards(self, suit: Suit, long: u32) -> Vec<Card> {
        let others = Suit::ALL.into_iter().filter(move |other| *other != suit);
        let of_rank = |(place, (rank, count)): (usize, (Rank, u8))| {
            let in_suit = long >> place & 1 == 1;
            let suits = in_suit.then_some(suit).into_iter().chain(others.clone());
            suits
                .take(count.into())
                .map(move |suit| Card::new(rank, suit))
        };
        let ranks = Rank::ALL.into_iter().zip(self.0);
        ranks.enumerate().flat_map(of_rank).collect()
    }

    /// Returns cards with these ranks in suits that change from card to card, so that none is long.
    fn mixed(self) -> Vec<Card> {
        let ranks = Rank::ALL.into_iter().zip(self.0);
        let ranks = ranks.flat_map(|(rank, count)| (0..count).map(move |_| rank));
        let suits = Suit::ALL.into_iter().cycle();
        ranks
            .zip(suits)
            .map(|(rank, suit)| Card::new(rank, suit))
            .collect()
    }
}

/// Returns the number of ways to choose some of so many.
pub(super) fn choose(of: u64, some: u8) -> u64 {
    let some = u64::from(some);
    (0..some).fold(1, |ways, chosen| {
        ways * of.saturating_sub(chosen) / (chosen + 1)
    })
}
