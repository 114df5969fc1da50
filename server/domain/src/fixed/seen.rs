//! The ways in which fixed wagers are judged, and the results.
//!
//! # Shape
//! A wager is judged by one [`Look`]: cards in a ranking, dice, or a field. [`see`] returns its result as a [`Seen`],
//! small enough to count and to compare. A line of a table is met by some values of [`Seen`].
//!
//! # Left to other parts
//! A dealer's qualification and the higher of two hands are decided by [`Evaluated`](crate::hand::Evaluated). A
//! [`Seen`] drops the ranks that no table names.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::card::{Card, Rank, Suit};
use crate::fixed::field::Field;
use crate::hand::{Evaluated, Hand, Ranking, evaluate, six_card_royal};

/// Characters of an unknown name that its refusal repeats.
const TEXT_SHOWN: usize = 32;

/// The way in which a wager is judged.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Look {
    /// The highest hand of a ranking that the cards form. Three community cards of Cajun Stud are judged by
    /// [`Ranking::ThreeCard`], § 683a.6(d); the best four of five by [`Ranking::FourCard`], § 684a.6(d).
    Hand(Ranking),
    /// The best five of six cards, with a six-card royal flush above them: § 683a.6(e) and § 684a.6(e).
    SixCards,
    /// The player's own two cards, § 683a.6(c).
    Pocket,
    /// Five cards that win if they form no hand of § 683a.6(b): their highest card counts, § 683a.12(d).
    Low,
    /// Red and black among five cards, § 684a.7(d)(2).
    Colours,
    /// Three dice, § 625a.6.
    Dice,
    /// The field of the Touchdown Roulette wager, § 617a.3(f).
    Field,
    /// The player's hand against the dealer's: the wager sees no hand of its own.
    Comparison,
}

impl Look {
    /// All looks.
    pub const ALL: [Self; 10] = [
        Self::Hand(Ranking::ThreeCard),
        Self::Hand(Ranking::FourCard),
        Self::Hand(Ranking::FiveCard),
        Self::SixCards,
        Self::Pocket,
        Self::Low,
        Self::Colours,
        Self::Dice,
        Self::Field,
        Self::Comparison,
    ];

    /// Returns the name in tables and on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hand(ranking) => ranking.name(),
            Self::SixCards => "six-cards",
            Self::Pocket => "pocket",
            Self::Low => "low",
            Self::Colours => "colours",
            Self::Dice => "dice",
            Self::Field => "field",
            Self::Comparison => "comparison",
        }
    }
}

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Look {
    type Err = LookUnknown;

    /// Reads exactly a [`Look::name`].
    fn from_str(text: &str) -> Result<Self, LookUnknown> {
        let named = Self::ALL.into_iter().find(|look| look.name() == text);
        named.ok_or_else(|| LookUnknown {
            text: text.chars().take(TEXT_SHOWN).collect(),
        })
    }
}

/// A text that names no look.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{text:?} is not a look: write one of {}", Look::ALL.map(Look::name).join(", "))]
pub struct LookUnknown {
    /// Refused text, truncated to a length that fits a message.
    pub text: String,
}

/// The result of a look: as much of it as some printed table names.
///
/// Its order is for sorting only, such as in a map of counts. It decides no hand.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Seen {
    /// A hand of a ranking.
    Hand {
        /// Name of the hand.
        hand: Hand,
        /// Rank of the four, the three or the pair; the highest rank of two pairs, of a sequence, of a flush, or of
        /// cards that form no hand. `None` for a royal flush and a mini-royal, which have one. A straight flush of
        /// four cards with an ace here is the royal flush of § 684a.6(d)(2).
        first: Option<Rank>,
        /// Rank of the lower of two pairs, or of the pair in a full house; `None` in other hands.
        second: Option<Rank>,
    },
    /// Ace, king, queen, jack, ten and nine of one suit, § 683a.6(e)(1). A table without a line of its own for this
    /// pays its royal flush, see [`Seen::of_five`].
    SixCardRoyal(Suit),
    /// Two own cards.
    Pocket {
        /// Higher rank, or the rank of a pair.
        high: Rank,
        /// Lower rank, or the rank of a pair.
        low: Rank,
        /// Set if both cards have one suit.
        suited: bool,
    },
    /// Five cards that form no hand, by their highest card; an ace is the highest, § 683a.6(a).
    High(Rank),
    /// Cards of one colour.
    Colours {
        /// Number of cards of the more frequent colour: three to five of five.
        most: u8,
    },
    /// Three dice from low to high, each from 1 to 6.
    Dice([u8; 3]),
    /// The end of a Touchdown Roulette wager.
    Field(Field),
}

impl Seen {
    /// Returns three dice in any order. Returns `None` if one of them doesn't show 1 to 6.
    pub fn dice(mut dice: [u8; 3]) -> Option<Self> {
        let shown = dice.iter().all(|die| (1..=6).contains(die));
        dice.sort_unstable();
        shown.then_some(Self::Dice(dice))
    }

    /// Returns the best five of the six cards of a six-card royal flush, which are a royal flush. Returns other values
    /// as they are.
    #[must_use]
    pub const fn of_five(self) -> Self {
        match self {
            Self::SixCardRoyal(_) => Self::Hand {
                hand: Hand::RoyalFlush,
                first: None,
                second: None,
            },
            other => other,
        }
    }

    /// Returns numbers that differ for each value, for sorting.
    const fn sorted_by(self) -> (u8, u8, u8, u8) {
        match self {
            Self::Hand {
                hand,
                first,
                second,
            } => (0, hand.code(), number(first), number(second)),
            Self::SixCardRoyal(suit) => (1, suit as u8, 0, 0),
            Self::Pocket { high, low, suited } => (2, high.number(), low.number(), suited as u8),
            Self::High(rank) => (3, rank.number(), 0, 0),
            Self::Colours { most } => (4, most, 0, 0),
            Self::Dice([low, middle, high]) => (5, low, middle, high),
            Self::Field(Field::NoGame) => (6, 0, 0, 0),
            Self::Field(Field::LosingTeam) => (6, 1, 0, 0),
            Self::Field(Field::Yards(yards)) => (6, 2, yards, 0),
            Self::Field(Field::Touchdown) => (6, 3, 0, 0),
        }
    }
}

impl Ord for Seen {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sorted_by().cmp(&other.sorted_by())
    }
}

impl PartialOrd for Seen {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the number of a rank, or 0 for none.
const fn number(rank: Option<Rank>) -> u8 {
    match rank {
        Some(rank) => rank.number(),
        None => 0,
    }
}

/// Returns the result of this look at the cards: the highest hand that they form. The cards are in any order. Returns
/// `None` for another number of cards than the look judges, and for looks at no cards.
pub fn see(look: Look, cards: &[Card]) -> Option<Seen> {
    match look {
        Look::Hand(ranking) => evaluate(ranking, cards).map(hand),
        Look::SixCards => six_cards(cards.try_into().ok()?),
        Look::Pocket => Some(pocket(cards.try_into().ok()?)),
        Look::Low => low(cards.try_into().ok()?),
        Look::Colours => colours(cards.try_into().ok()?),
        Look::Dice | Look::Field | Look::Comparison => None,
    }
}

/// Returns an evaluated hand without the ranks that no table names.
fn hand(evaluated: Evaluated) -> Seen {
    let hand = evaluated.hand();
    let first = evaluated.deciding().next();
    let paired = matches!(hand, Hand::TwoPair | Hand::FullHouse);
    let second = evaluated.deciding().find(|rank| Some(*rank) != first);
    Seen::Hand {
        hand,
        first,
        second: second.filter(|_| paired),
    }
}

fn six_cards(cards: [Card; 6]) -> Option<Seen> {
    six_card_royal(&cards)
        .map(Seen::SixCardRoyal)
        .or_else(|| see(Look::Hand(Ranking::FiveCard), &cards))
}

fn pocket([one, other]: [Card; 2]) -> Seen {
    Seen::Pocket {
        high: one.rank().max(other.rank()),
        low: one.rank().min(other.rank()),
        suited: one.suit() == other.suit(),
    }
}

fn low(cards: [Card; 5]) -> Option<Seen> {
    let seen = see(Look::Hand(Ranking::FiveCard), &cards)?;
    match seen {
        Seen::Hand {
            hand: Hand::HighCard,
            first: Some(highest),
            ..
        } => Some(Seen::High(highest)),
        formed => Some(formed),
    }
}

fn colours(cards: [Card; 5]) -> Option<Seen> {
    let red = cards.iter().filter(|card| card.suit().is_red()).count();
    let most = red.max(cards.len() - red).try_into().ok()?;
    Some(Seen::Colours { most })
}
