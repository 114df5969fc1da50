//! The rank of a poker hand: which hand five cards make, and which of two hands is higher.
//!
//! # The two rankings
//!
//! [`Ranking::FourCard`] is 58 Pa. Code § 657a.6(a) to (c): the highest four-card hand among five
//! cards plays. [`Ranking::FiveCard`] is § 657a.6(d): all five cards play. That subsection ends
//! at three of a kind; the hands below it and the low ace of the five-card straight are those of
//! § 683a.6(a) and (b), which has the same hands above it.
//!
//! # How a hand is evaluated
//!
//! `shape` says what any number of cards have in common (equal ranks, one suit, a sequence);
//! `four_card` and `five_card` name the hand from that, in the order of the regulation, and say
//! which ranks decide between two hands of the same name.
//!
//! # More than one deck
//!
//! Nothing here relies on the cards being different. Where two decks make one card appear twice,
//! the hand is still the first in the order of the regulation whose definition the cards meet
//! (two pair in one suit is a flush). Whether a card may appear twice is asked of
//! [`repeated`](crate::card::repeated).

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::card::{Card, Rank};

mod five_card;
mod four_card;
mod shape;

pub use four_card::evaluate_four;

/// How much of a text that names nothing is repeated in its refusal.
const TEXT_SHOWN: usize = 32;

/// A hand by its name: the names a paytable may pay.
///
/// Which hands a ranking knows and which is higher is [`Ranking::order`]; the order in which the
/// names stand here means nothing.
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
}

impl Hand {
    /// All names of hands.
    pub const ALL: [Self; 11] = [
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
    ];

    /// The name in paytables, on the wire and on screens.
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
        }
    }

    /// The number in the journal. It never changes; 0 is no hand.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The hand with this number in the journal, see [`Hand::code`].
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
    /// The text as it was given, cut to a length that fits a message.
    pub text: String,
}

/// By which rules five cards are ranked.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ranking {
    /// The highest four of the five cards, § 657a.6(b).
    FourCard,
    /// All five cards, § 657a.6(d).
    FiveCard,
}

impl Ranking {
    /// Both rankings.
    pub const ALL: [Self; 2] = [Self::FourCard, Self::FiveCard];

    /// The name in paytables and on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FourCard => "four-card",
            Self::FiveCard => "five-card",
        }
    }

    /// The hands of this ranking, highest first.
    pub const fn order(self) -> &'static [Hand] {
        match self {
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
#[error("{text:?} is not a ranking: write four-card or five-card")]
pub struct RankingUnknown {
    /// The text as it was given, cut to a length that fits a message.
    pub text: String,
}

/// What cards are worth in one ranking: the greater is the higher hand, equals are a tie,
/// § 657a.6(c).
///
/// Comparing values of different rankings means nothing.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Evaluated {
    /// From the highest bits down: how many hands of the ranking are lower than this one, then
    /// the ranks that decide between two hands of this name, four bits each.
    strength: u32,
    /// The name of the hand.
    hand: Hand,
}

impl Evaluated {
    /// The name of the hand.
    pub const fn hand(self) -> Hand {
        self.hand
    }

    /// A hand of a ranking with this order, and the ranks that decide between hands of its name,
    /// the most important first: equally many for every hand of that name, and at most five.
    fn new(order: &[Hand], hand: Hand, deciding: &[Rank]) -> Self {
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

/// What five cards are worth in this ranking.
pub fn evaluate(ranking: Ranking, cards: &[Card; 5]) -> Evaluated {
    match ranking {
        Ranking::FourCard => four_card::evaluate_best_four(*cards),
        Ranking::FiveCard => five_card::evaluate_five(*cards),
    }
}
