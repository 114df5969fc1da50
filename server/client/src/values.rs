//! Names, numbers and cards, each with a type of its own that is checked before a command is stored.
//!
//! # Strictness
//! A command that the server calls malformed uses up no number, and the commands after it wait for that number. A
//! command that can't be malformed can't stop a table.

use std::fmt;
use std::str::FromStr;

use crate::not_a_value::NotAValue;
use crate::wire_words::request_words;

/// Maximum length of a name.
const NAME_LENGTH_MAX: usize = 32;
/// Maximum number of cards in a list.
pub const CARDS_MAX: usize = 64;
/// The ranks, as they are written.
const RANKS: &str = "23456789TJQKA";
/// The suits, as they are written.
const SUITS: &str = "cdhs";

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Returns the text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = NotAValue;

            fn from_str(text: &str) -> Result<Self, NotAValue> {
                if is_name(text) {
                    Ok(Self(text.to_owned()))
                } else {
                    Err(NotAValue::new(text, "a name of 1 to 32 letters, digits or hyphens"))
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.pad(&self.0)
            }
        }
    )+};
}

names! {
    /// The name of a table: one felt on one link, for life.
    TableName
    /// The operator's name for a player on a seat. Seats with the same name are one player.
    PlayerName
    /// The badge of a dealer.
    Badge
    /// The id of a table of pays.
    PaytableId
}

fn is_name(text: &str) -> bool {
    (1..=NAME_LENGTH_MAX).contains(&text.len())
        && text
            .bytes()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == b'-')
}

/// A betting position, numbered from 1 clockwise from the dealer's left. The rules refuse a position that the layout
/// does not have.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub u8);

impl fmt::Display for Seat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, out)
    }
}

/// The number of a command of a table: from 1, never used twice.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sequence(u64);

impl Sequence {
    /// The largest number that a table may use: 2^63 - 1.
    pub const MAX: u64 = i64::MAX as u64;

    /// Returns this number, if a table may use it.
    pub const fn new(number: u64) -> Option<Self> {
        if number >= 1 && number <= Self::MAX {
            Some(Self(number))
        } else {
            None
        }
    }

    /// Returns the number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Returns the next number. Returns `None` after the largest.
    pub(crate) const fn next(self) -> Option<Self> {
        Self::new(self.0 + 1)
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, out)
    }
}

/// The name of a hit: its table, the command that keyed it, and the index among that command's hits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HitName {
    /// The name of the table.
    pub table: TableName,
    /// The command that keyed the hit.
    pub sequence: Sequence,
    /// The index among that command's hits. 0 if the command keyed one hit.
    pub number: u8,
}

impl FromStr for HitName {
    type Err = NotAValue;

    fn from_str(text: &str) -> Result<Self, NotAValue> {
        let read = || {
            let mut parts = text.split('.');
            let table = parts.next()?.parse().ok()?;
            let sequence = Sequence::new(parts.next()?.parse().ok()?)?;
            let number = parts.next().map_or(Some(0), |number| number.parse().ok())?;
            let hit = Self {
                table,
                sequence,
                number,
            };
            parts.next().is_none().then_some(hit)
        };
        read().ok_or_else(|| NotAValue::new(text, "the name of a hit, such as `C4P-07.4713`"))
    }
}

impl fmt::Display for HitName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.table, self.sequence)?;
        if self.number > 0 {
            write!(out, ".{}", self.number)?;
        }
        Ok(())
    }
}

/// A playing card.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Card {
    rank: char,
    suit: char,
}

impl FromStr for Card {
    type Err = NotAValue;

    fn from_str(text: &str) -> Result<Self, NotAValue> {
        let mut letters = text.chars();
        let card = match (letters.next(), letters.next(), letters.next()) {
            (Some(rank), Some(suit), None) => Some(Self {
                rank: rank.to_ascii_uppercase(),
                suit: suit.to_ascii_lowercase(),
            }),
            _ => None,
        };
        let card = card.filter(|card| RANKS.contains(card.rank) && SUITS.contains(card.suit));
        card.ok_or_else(|| NotAValue::new(text, "a card, such as `As` or `Td`"))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", self.rank, self.suit)
    }
}

/// A list of at most [`CARDS_MAX`] cards, written as in `As Ks Qs Js Ts`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cards(Vec<Card>);

impl Cards {
    /// Returns the cards, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Card> {
        self.0.iter().copied()
    }

    /// Returns `true` if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn texts(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }
}

impl FromStr for Cards {
    type Err = NotAValue;

    fn from_str(text: &str) -> Result<Self, NotAValue> {
        let cards: Vec<Card> = text
            .split_whitespace()
            .map(str::parse)
            .collect::<Result<_, _>>()?;
        if cards.len() > CARDS_MAX {
            return Err(NotAValue::new(text, "a list of at most 64 cards"));
        }
        Ok(Self(cards))
    }
}

request_words! {
    /// A hand, as paytables name it.
    Hand {
        /// Ace, king, queen, jack and ten of one suit.
        RoyalFlush = "royal-flush",
        /// Consecutive ranks in one suit.
        StraightFlush = "straight-flush",
        /// Four aces, in games of four cards.
        FourAces = "four-aces",
        /// Four cards of one rank.
        FourOfAKind = "four-of-a-kind",
        /// Three of a kind and a pair.
        FullHouse = "full-house",
        /// All cards of one suit.
        Flush = "flush",
        /// Consecutive ranks.
        Straight = "straight",
        /// Three cards of one rank.
        ThreeOfAKind = "three-of-a-kind",
        /// Two pairs.
        TwoPair = "two-pair",
        /// Two cards of one rank.
        Pair = "pair",
        /// None of the other hands.
        HighCard = "high-card",
    }

    /// A bonus that the draw of the round gives.
    BonusKind {
        /// One of the hand's cards is the drawn card.
        MagicCard = "magic_card",
        /// The hand is at the drawn position.
        LuckyBonus = "lucky_bonus",
    }

    /// The reason that a round is void.
    VoidReason {
        /// Any other error of the deal.
        Misdeal = "misdeal",
        /// The chips counted differ from the accepted wagers.
        CountMismatch = "count_mismatch",
        /// More than one card face up.
        CardsFaceUp = "cards_face_up",
        /// A wrong number of cards was dealt.
        WrongNumberOfCards = "wrong_number_of_cards",
        /// The dealer's cards were exposed before all had acted.
        DealerCardsExposed = "dealer_cards_exposed",
        /// A dealing shoe jammed.
        ShoeJam = "shoe_jam",
        /// The count of the stub is wrong.
        StubCount = "stub_count",
    }
}

#[cfg(test)]
mod tests;
