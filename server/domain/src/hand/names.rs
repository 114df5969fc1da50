//! The names of the hands.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Characters of an unknown name that its refusal repeats.
pub(super) const TEXT_SHOWN: usize = 32;

/// A hand by its name: the names a paytable may pay.
///
/// [`Ranking::order`](super::Ranking::order) has the hands of a ranking, highest first; the order of the names here
/// has no meaning.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Hand {
    /// Ace, king, queen, jack and ten of one suit, § 657a.6(d)(1). In five cards only.
    RoyalFlush = 1,
    /// Consecutive ranks in one suit, § 657a.6(b)(2) and (d)(2).
    StraightFlush = 2,
    /// The highest four of a kind, § 657a.6(b)(1), which paytables pay by itself. In four cards
    /// only: in five cards four aces are a [`Hand::FourOfAKind`].
    FourAces = 3,
    /// Four cards of one rank, § 657a.6(b)(1) and (d)(3).
    FourOfAKind = 4,
    /// Three of a kind and a pair, § 657a.6(d)(4). In five cards only.
    FullHouse = 5,
    /// All cards of one suit, § 657a.6(b)(4) and (d)(5).
    Flush = 6,
    /// Consecutive ranks in more than one suit, § 657a.6(b)(5) and (d)(6).
    Straight = 7,
    /// Three cards of one rank, § 657a.6(b)(3) and (d)(7).
    ThreeOfAKind = 8,
    /// Two pairs, § 657a.6(b)(6) and § 683a.6(b)(8).
    TwoPair = 9,
    /// Two cards of one rank, § 657a.6(b)(7) and § 683a.6(b)(9).
    Pair = 10,
    /// None of the others: the cards count by rank, § 657a.6(c).
    HighCard = 11,
    /// Ace, king and queen of one suit, § 643a.6(d)(1). In three cards only.
    MiniRoyal = 12,
}

impl Hand {
    /// All names of hands.
    pub const ALL: [Self; 12] = [
        Self::RoyalFlush,
        Self::StraightFlush,
        Self::FourAces,
        Self::FourOfAKind,
        Self::FullHouse,
        Self::Flush,
        Self::Straight,
        Self::ThreeOfAKind,
        Self::TwoPair,
        Self::Pair,
        Self::HighCard,
        Self::MiniRoyal,
    ];

    /// Returns the name in paytables, on the wire and on screens.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RoyalFlush => "royal-flush",
            Self::StraightFlush => "straight-flush",
            Self::FourAces => "four-aces",
            Self::FourOfAKind => "four-of-a-kind",
            Self::FullHouse => "full-house",
            Self::Flush => "flush",
            Self::Straight => "straight",
            Self::ThreeOfAKind => "three-of-a-kind",
            Self::TwoPair => "two-pair",
            Self::Pair => "pair",
            Self::HighCard => "high-card",
            Self::MiniRoyal => "mini-royal",
        }
    }

    /// Returns the number in the journal. It never changes; 0 is no hand.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Returns the hand with this number in the journal, see [`Hand::code`].
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|hand| hand.code() == code)
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Hand {
    type Err = HandUnknown;

    /// Reads exactly a [`Hand::name`].
    fn from_str(text: &str) -> Result<Self, HandUnknown> {
        let named = Self::ALL.into_iter().find(|hand| hand.name() == text);
        named.ok_or_else(|| HandUnknown {
            text: text.chars().take(TEXT_SHOWN).collect(),
        })
    }
}

/// A text that names no hand.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{text:?} is not a hand: write one of {}", Hand::ALL.map(Hand::name).join(", "))]
pub struct HandUnknown {
    /// Refused text, truncated to a length that fits a message.
    pub text: String,
}
