//! The value of an evaluated hand.

use std::cmp::Ordering;

use crate::card::Rank;
use crate::hand::names::Hand;

/// The value of some cards in one ranking: the greater is the higher hand, equals are a tie, § 657a.6(c).
///
/// Values of different rankings can't be compared.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Evaluated {
    /// From the highest bits down: the number of lower hands in the ranking, then the ranks that decide between two
    /// hands of this name, four bits each.
    strength: u32,
    /// Name of the hand.
    hand: Hand,
}

impl Evaluated {
    /// Returns the name of the hand.
    pub const fn hand(self) -> Hand {
        self.hand
    }

    /// Returns the ranks that decide between two hands of this name, the most important first: `7 7 K 2` for a pair of
    /// sevens in four cards, the highest rank alone for a sequence, none for a royal flush and a mini-royal.
    pub fn deciding(self) -> impl Iterator<Item = Rank> {
        let numbers = (0..5)
            .rev()
            .map(move |place| self.strength >> (4 * place) & 0xF);
        numbers.filter_map(|number| {
            Rank::ALL
                .into_iter()
                .find(|rank| u32::from(rank.number()) == number)
        })
    }

    /// Creates a hand of a ranking with this order. `deciding` are the ranks that decide between hands of its name,
    /// the most important first: equally many for every hand of that name, and at most five.
    pub(super) fn new(order: &[Hand], hand: Hand, deciding: &[Rank]) -> Self {
        let lower: u32 = order
            .iter()
            .rev()
            .take_while(|other| **other != hand)
            .map(|_| 1)
            .sum();
        let ranks = deciding
            .iter()
            .fold(0, |ranks, rank| ranks << 4 | u32::from(rank.number()));
        Self {
            strength: lower << 20 | ranks,
            hand,
        }
    }
}

impl Ord for Evaluated {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.strength, self.hand.code()).cmp(&(other.strength, other.hand.code()))
    }
}

impl PartialOrd for Evaluated {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
