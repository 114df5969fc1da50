//! The rankings, and the order of the hands in each.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::hand::names::{Hand, TEXT_SHOWN};
use crate::hand::{five_card, four_card, three_card};

/// The rules by which cards are ranked.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ranking {
    /// Three cards, § 643a.6(d).
    ThreeCard,
    /// Four cards, § 657a.6(b).
    FourCard,
    /// Five cards, § 657a.6(d).
    FiveCard,
}

impl Ranking {
    /// All rankings.
    pub const ALL: [Self; 3] = [Self::ThreeCard, Self::FourCard, Self::FiveCard];

    /// Returns the name in paytables and on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ThreeCard => "three-card",
            Self::FourCard => "four-card",
            Self::FiveCard => "five-card",
        }
    }

    /// Returns the number of cards in a hand: the best four play of five (§ 657a.11(c)).
    pub const fn cards(self) -> u8 {
        match self {
            Self::ThreeCard => 3,
            Self::FourCard | Self::FiveCard => 5,
        }
    }

    /// Returns the hands of this ranking, highest first.
    pub const fn order(self) -> &'static [Hand] {
        match self {
            Self::ThreeCard => &three_card::ORDER,
            Self::FourCard => &four_card::ORDER,
            Self::FiveCard => &five_card::ORDER,
        }
    }
}

impl fmt::Display for Ranking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Ranking {
    type Err = RankingUnknown;

    /// Reads exactly a [`Ranking::name`].
    fn from_str(text: &str) -> Result<Self, RankingUnknown> {
        let named = Self::ALL.into_iter().find(|ranking| ranking.name() == text);
        named.ok_or_else(|| RankingUnknown {
            text: text.chars().take(TEXT_SHOWN).collect(),
        })
    }
}

/// A text that names no ranking.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{text:?} is not a ranking: write three-card, four-card or five-card")]
pub struct RankingUnknown {
    /// Refused text, truncated to a length that fits a message.
    pub text: String,
}
