//! The rank of a poker hand: which hand some cards make, and which of two hands is higher.
//!
//! # The three rankings
//!
//! [`Ranking::FourCard`] is 58 Pa. Code § 657a.6(a) to (c): the highest four-card hand among five
//! cards plays, or among the six of Four Card Poker's dealer. [`Ranking::FiveCard`] is § 657a.6(d):
//! five cards play. That subsection ends at three of a kind; the hands below it and the low ace of
//! the five-card straight are those of § 683a.6(a) and (b), which has the same hands above it.
//! [`Ranking::ThreeCard`] is § 643a.6(d).
//!
//! # How a hand is evaluated
//!
//! `shape` says what any number of cards have in common (equal ranks, one suit, a sequence);
//! `three_card`, `four_card` and `five_card` name the hand from that, in the order of the regulation,
//! and say which ranks decide between two hands of the same name. Where more cards are there than
//! play, the highest hand of all that they form counts.
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
mod frequency;
mod shape;
mod six_card;
mod three_card;

pub use frequency::{frequency, hands_dealt};
pub use six_card::six_card_royal;

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
            Self::MiniRoyal => "mini-royal",
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

/// By which rules cards are ranked.
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

    /// The name in paytables and on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ThreeCard => "three-card",
            Self::FourCard => "four-card",
            Self::FiveCard => "five-card",
        }
    }

    /// How many cards of a hand are looked at: the best four play of five (§ 657a.11(c)).
    pub const fn cards(self) -> u8 {
        match self {
            Self::ThreeCard => 3,
            Self::FourCard | Self::FiveCard => 5,
        }
    }

    /// The hands of this ranking, highest first.
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

/// Cards among which a hand is looked for, at most: Four Card Poker's dealer has six, § 641a.8(d).
pub const CARDS_MAX: usize = 6;

/// What these cards are worth: the highest hand of the ranking that so many of them form as it ranks; the cards left
/// out count for nothing, § 657a.11(c). Nothing with fewer cards than that, or with more than [`CARDS_MAX`].
pub fn evaluate(ranking: Ranking, cards: &[Card]) -> Option<Evaluated> {
    match ranking {
        Ranking::ThreeCard => highest(cards, three_card::evaluate_three),
        Ranking::FourCard => highest(cards, four_card::evaluate_four),
        Ranking::FiveCard => highest(cards, five_card::evaluate_five),
    }
}

/// The highest of the hands that `N` of the cards form.
fn highest<const N: usize>(
    cards: &[Card],
    evaluate: impl Fn([Card; N]) -> Evaluated,
) -> Option<Evaluated> {
    if let Ok(cards) = cards.try_into() {
        return Some(evaluate(cards));
    }
    if cards.len() > CARDS_MAX {
        return None;
    }
    let sets = 0_u32..1 << cards.len();
    let playing = sets.filter(|set| usize::try_from(set.count_ones()) == Ok(N));
    let hands = playing.filter_map(|set| {
        let mut chosen = [*cards.first()?; N];
        let of_set = cards.iter().enumerate().filter(|it| set >> it.0 & 1 == 1);
        for (place, (_, card)) in chosen.iter_mut().zip(of_set) {
            *place = *card;
        }
        Some(evaluate(chosen))
    });
    hands.max()
}
