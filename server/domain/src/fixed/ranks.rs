//! Ranges of ranks and sets of suits, as the lines of printed tables name them.

use core::fmt;
use core::str::FromStr;

use crate::card::{Rank, Suit};

/// A range of ranks, with both ends: written `Q-A`, `6-10`, or `A` for one rank.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Ranks {
    lowest: Rank,
    highest: Rank,
}

/// A set of suits, written as their letters: `d`, `chs`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Suits([bool; 4]);

/// A text that is no range of ranks.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not ranks: write one, such as \"A\", or a range from the lower to the higher, such as \"6-10\""
)]
pub struct NotRanks;

/// A text that is no set of suits.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not suits: write letters of c, d, h and s in this order, such as \"d\" or \"chs\"")]
pub struct NotSuits;

impl Ranks {
    /// All ranks.
    pub const ANY: Self = Self {
        lowest: Rank::Two,
        highest: Rank::Ace,
    };

    /// Checks if the rank is in the range.
    pub fn contains(self, rank: Rank) -> bool {
        (self.lowest..=self.highest).contains(&rank)
    }

    /// Returns the only rank of a range of one.
    pub fn single(self) -> Option<Rank> {
        (self.lowest == self.highest).then_some(self.lowest)
    }
}

impl Suits {
    /// Checks if the suit is in the set.
    pub fn contains(self, suit: Suit) -> bool {
        self.each().any(|other| other == suit)
    }

    fn each(self) -> impl Iterator<Item = Suit> {
        let all = Suit::ALL.into_iter().zip(self.0);
        all.filter(|(_, is_in)| *is_in).map(|(suit, _)| suit)
    }
}

impl fmt::Display for Ranks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(rank_text(self.lowest))?;
        if self.lowest == self.highest {
            return Ok(());
        }
        write!(out, "-{}", rank_text(self.highest))
    }
}

impl FromStr for Ranks {
    type Err = NotRanks;

    fn from_str(text: &str) -> Result<Self, NotRanks> {
        let rank = |text: &str| {
            let mut all = Rank::ALL.into_iter();
            all.find(|rank| rank_text(*rank) == text).ok_or(NotRanks)
        };
        let (lowest, highest) = text.split_once('-').unwrap_or((text, text));
        let ranks = Self {
            lowest: rank(lowest)?,
            highest: rank(highest)?,
        };
        let is_one_form = ranks.to_string() == text;
        (is_one_form && ranks.lowest <= ranks.highest)
            .then_some(ranks)
            .ok_or(NotRanks)
    }
}

impl fmt::Display for Suits {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.each()
            .try_for_each(|suit| write!(out, "{}", suit.letter()))
    }
}

impl FromStr for Suits {
    type Err = NotSuits;

    fn from_str(text: &str) -> Result<Self, NotSuits> {
        let suits = Self(Suit::ALL.map(|suit| text.contains(suit.letter())));
        (!text.is_empty() && suits.to_string() == text)
            .then_some(suits)
            .ok_or(NotSuits)
    }
}

/// Returns the rank as tables print it: `2` to `10`, then `J`, `Q`, `K` and `A`.
const fn rank_text(rank: Rank) -> &'static str {
    match rank {
        Rank::Two => "2",
        Rank::Three => "3",
        Rank::Four => "4",
        Rank::Five => "5",
        Rank::Six => "6",
        Rank::Seven => "7",
        Rank::Eight => "8",
        Rank::Nine => "9",
        Rank::Ten => "10",
        Rank::Jack => "J",
        Rank::Queen => "Q",
        Rank::King => "K",
        Rank::Ace => "A",
    }
}
