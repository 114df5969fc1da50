//! Playing cards of a standard deck of 52, and their notation.
//!
//! Ranks and suits are those of 58 Pa. Code § 657a.6(a): from the ace down to the two, all suits
//! equal.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Characters of a wrong text that [`CardUnknown`] repeats: enough to find it again.
const TEXT_SHOWN: usize = 16;

/// One of the four suits. It has no order: "all suits shall be equal in rank", § 657a.6(a).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Suit {
    /// Clubs, written `c`.
    Clubs,
    /// Diamonds, written `d`.
    Diamonds,
    /// Hearts, written `h`.
    Hearts,
    /// Spades, written `s`.
    Spades,
}

impl Suit {
    /// The four suits, in the order of [`Card::index`].
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// Returns the letter that the suit is written with.
    pub const fn letter(self) -> char {
        match self {
            Self::Clubs => 'c',
            Self::Diamonds => 'd',
            Self::Hearts => 'h',
            Self::Spades => 's',
        }
    }

    /// Returns true for diamonds and hearts, false for the black suits.
    pub const fn is_red(self) -> bool {
        matches!(self, Self::Diamonds | Self::Hearts)
    }

    /// Returns the suit written with this letter, in lower or upper case.
    fn from_letter(letter: char) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|suit| suit.letter().eq_ignore_ascii_case(&letter))
    }
}

/// The rank of a card, ordered as in § 657a.6(a): the ace is highest.
///
/// The ranking of straights decides if an ace may also be low (below a 2).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rank {
    /// Two, the lowest rank.
    Two = 2,
    /// Three, above the two.
    Three = 3,
    /// Four, above the three.
    Four = 4,
    /// Five, above the four.
    Five = 5,
    /// Six, above the five.
    Six = 6,
    /// Seven, above the six.
    Seven = 7,
    /// Eight, above the seven.
    Eight = 8,
    /// Nine, above the eight.
    Nine = 9,
    /// Ten, written `T`; `10` is read as well.
    Ten = 10,
    /// Jack, written `J`.
    Jack = 11,
    /// Queen, written `Q`.
    Queen = 12,
    /// King, written `K`.
    King = 13,
    /// Ace, the highest rank, written `A`.
    Ace = 14,
}

impl Rank {
    /// The thirteen ranks, lowest first, which is the order of [`Card::index`].
    pub const ALL: [Self; 13] = [
        Self::Two,
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Jack,
        Self::Queen,
        Self::King,
        Self::Ace,
    ];

    /// Returns the rank as a number: 2 to 10 as printed on the card, then jack 11, queen 12, king 13 and ace 14.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Returns the digit or letter that the rank is written with.
    pub const fn letter(self) -> char {
        match self {
            Self::Two => '2',
            Self::Three => '3',
            Self::Four => '4',
            Self::Five => '5',
            Self::Six => '6',
            Self::Seven => '7',
            Self::Eight => '8',
            Self::Nine => '9',
            Self::Ten => 'T',
            Self::Jack => 'J',
            Self::Queen => 'Q',
            Self::King => 'K',
            Self::Ace => 'A',
        }
    }

    /// Reads a rank: its digit, its letter in lower or upper case, or `10`.
    fn from_text(text: &str) -> Option<Self> {
        let letter = if text == "10" {
            'T'
        } else {
            text.parse().ok()?
        };
        Self::ALL
            .into_iter()
            .find(|rank| rank.letter().eq_ignore_ascii_case(&letter))
    }
}

/// A card: a rank and a suit, written rank first, such as `As` or `Td`.
///
/// The order of cards is for sorting only (by rank, then by suit as in [`Suit::ALL`]). It decides no hand, since
/// suits are equal in rank, § 657a.6(a).
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card(
    /// Below [`Card::COUNT`]: the index of the rank in [`Rank::ALL`], times four, plus the index of the suit in
    /// [`Suit::ALL`].
    u8,
);

impl Card {
    /// Number of different cards.
    pub const COUNT: u8 = 52;

    /// Returns the card of this rank and suit.
    pub const fn new(rank: Rank, suit: Suit) -> Self {
        Self((rank as u8 - Rank::Two as u8) * 4 + suit as u8)
    }

    /// Returns the card's rank.
    pub fn rank(self) -> Rank {
        Rank::ALL[usize::from(self.0 / 4)]
    }

    /// Returns the card's suit.
    pub fn suit(self) -> Suit {
        Suit::ALL[usize::from(self.0 % 4)]
    }

    /// Returns the card's number from 0 (`2c`, then `2d`, `2h`, `2s`, `3c`, …) to 51 (`As`), which never changes.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Returns the card with this number, see [`Card::index`].
    pub fn from_index(index: u8) -> Option<Self> {
        (index < Self::COUNT).then_some(Self(index))
    }

    /// Returns all 52 cards, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank().letter(), self.suit().letter())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Card {
    type Err = CardUnknown;

    /// Reads exactly a rank and a suit, each in lower or upper case, without surrounding text.
    fn from_str(text: &str) -> Result<Self, CardUnknown> {
        let mut letters = text.chars();
        let suit = letters.next_back().and_then(Suit::from_letter);
        let rank = Rank::from_text(letters.as_str());
        match (rank, suit) {
            (Some(rank), Some(suit)) => Ok(Self::new(rank, suit)),
            _ => Err(CardUnknown {
                text: text.chars().take(TEXT_SHOWN).collect(),
            }),
        }
    }
}

/// A text that is no card.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "{text:?} is not a card: write the rank (2 to 9, T or 10, J, Q, K, A) and the suit (c, d, h, \
     s), such as As or Td"
)]
pub struct CardUnknown {
    /// Refused text, truncated to a length that fits a message.
    pub text: String,
}

/// Returns the first card that appears more often than there are decks in play: such cards can't have been dealt.
///
/// Crazy 4 Poker is played with one deck at a time, § 657a.3(a) and (b).
pub fn repeated(cards: impl Iterator<Item = Card>, decks: u8) -> Option<Card> {
    let mut seen = [0_u16; Card::COUNT as usize];
    for card in cards {
        let times = &mut seen[usize::from(card.index())];
        *times += 1;
        if *times > u16::from(decks) {
            return Some(card);
        }
    }
    None
}
