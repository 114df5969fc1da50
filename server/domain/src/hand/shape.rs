//! The common features of the cards of a hand, from which the hand gets its name.

use std::cmp::Reverse;

use crate::card::{Card, Rank};

/// The shape of `N` cards, where `N` is the number of cards that play.
pub(super) struct Shape<const N: usize> {
    /// The ranks from high to low, § 657a.6(a).
    pub(super) descending: [Rank; N],
    /// The ranks with the most frequent first, equally frequent ones from high to low: the order
    /// in which two hands with the same `groups` are compared. `7 K 7 2` becomes `7 7 K 2`.
    pub(super) grouped: [Rank; N],
    /// Number of cards of the most frequent rank, and of the next: (2, 2) is two pair.
    groups: (usize, usize),
    /// Set if all cards have one suit.
    one_suit: bool,
    /// The highest rank of the sequence, if the ranks are consecutive.
    sequence: Option<Rank>,
}

impl<const N: usize> Shape<N> {
    /// Returns the shape of these cards.
    pub(super) fn of(cards: &[Card; N]) -> Self {
        let ranks = cards.map(Card::rank);
        let counts = Counts::of(&ranks);
        let mut grouped = ranks;
        grouped.sort_unstable_by_key(|rank| Reverse((counts.count(*rank), *rank)));
        let mut descending = grouped;
        let most = grouped.first().map_or(0, |rank| counts.count(*rank));
        if most > 1 {
            descending.sort_unstable_by_key(|rank| Reverse(*rank));
        }
        let next = grouped.get(most).map_or(0, |rank| counts.count(*rank));
        let one_suit = cards
            .windows(2)
            .all(|pair| pair[0].suit() == pair[1].suit());
        Self {
            sequence: sequence(&descending),
            descending,
            grouped,
            groups: (most, next),
            one_suit,
        }
    }

    /// Returns the features that name a hand: its groups, its single suit, its sequence.
    pub(super) const fn kind(&self) -> ((usize, usize), bool, Option<Rank>) {
        (self.groups, self.one_suit, self.sequence)
    }
}

/// The number of cards of each rank: eight bits a rank.
struct Counts(u128);

impl Counts {
    fn of(ranks: &[Rank]) -> Self {
        let one = |rank: &Rank| 1 << first_bit(*rank);
        Self(ranks.iter().map(one).sum())
    }

    fn count(&self, rank: Rank) -> usize {
        let [count, ..] = (self.0 >> first_bit(rank)).to_le_bytes();
        count.into()
    }
}

/// Returns the first bit of a rank's count.
fn first_bit(rank: Rank) -> u32 {
    u32::from(rank.number()) * u8::BITS
}

/// Returns the highest rank of the sequence that these ranks form, given from high to low, if they form one.
///
/// An ace is above a king, or below a 2 when all the other cards follow from there. It "may not be combined with any
/// other sequence of cards (for example: king, ace, 2 and 3)", § 657a.6(a). A sequence with a low ace has the rank of
/// its highest other card and so is the lowest of all.
fn sequence(descending: &[Rank]) -> Option<Rank> {
    match descending {
        [Rank::Ace, low @ ..] if low.last() == Some(&Rank::Two) && consecutive(low) => {
            low.first().copied()
        }
        ranks if consecutive(ranks) => ranks.first().copied(),
        _ => None,
    }
}

/// Checks if each rank is the one below the rank before it.
fn consecutive(ranks: &[Rank]) -> bool {
    ranks
        .windows(2)
        .all(|pair| pair[0].number() == pair[1].number() + 1)
}
