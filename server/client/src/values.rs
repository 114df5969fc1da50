//! Names, numbers and cards: each its own type, checked before a command is kept.
//!
//! # Why so strict
//! What the server calls malformed uses no number up, and the commands after it wait for it. A command that can't
//! be malformed can't stop a table.

use std::fmt;
use std::str::FromStr;

use crate::not_a_value::NotAValue;
use crate::words::said;

/// Characters in the longest name.
const NAME_LENGTH_MAX: usize = 32;
/// Cards in the longest list.
pub const CARDS_MAX: usize = 64;
/// Ranks as they are written.
const RANKS: &str = "23456789TJQKA";
/// Suits as they are written.
const SUITS: &str = "cdhs";

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The text itself.
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
    /// Who sits on a seat, as the operator's system calls him; seats with the same name are one player.
    PlayerName
    /// The badge of a dealer.
    Badge
}

fn is_name(text: &str) -> bool {
    (1..=NAME_LENGTH_MAX).contains(&text.len())
        && text
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'-')
}

/// A betting position, numbered from 1 clockwise from the dealer's left. One that the layout doesn't have is
/// refused by the rules.
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
    /// The largest number a table may use: 2^63 - 1.
    pub const MAX: u64 = i64::MAX as u64;

    /// This number, if a table may use it.
    pub const fn new(number: u64) -> Option<Self> {
        if number >= 1 && number <= Self::MAX {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The one after it; nothing after the largest.
    pub(crate) const fn next(self) -> Option<Self> {
        Self::new(self.0 + 1)
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, out)
    }
}

/// The name of a hit: the table, the command that keyed it, and which of that command's hits it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HitName {
    /// The table.
    pub table: TableName,
    /// The command that keyed it.
    pub sequence: Sequence,
    /// Its number among that command's hits; 0 where the command keyed one.
    pub number: u8,
}

impl FromStr for HitName {
    type Err = NotAValue;

    fn from_str(text: &str) -> Result<Self, NotAValue> {
        let read = || {
            let mut parts = text.split('.');
            let table = parts.next()?.parse().ok()?;
            let sequence = Sequence::new(parts.next()?.parse().ok()?)?;
            let number = parts.next().map_or(Some(0), |it| it.parse().ok())?;
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
        let card = card.filter(|it| RANKS.contains(it.rank) && SUITS.contains(it.suit));
        card.ok_or_else(|| NotAValue::new(text, "a card, such as `As` or `Td`"))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", self.rank, self.suit)
    }
}

/// Some cards, written as in `As Ks Qs Js Ts`; at most [`CARDS_MAX`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cards(Vec<Card>);

impl Cards {
    /// The cards, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Card> {
        self.0.iter().copied()
    }

    /// Whether there are none.
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

said! {
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
        /// None of the others.
        HighCard = "high-card",
    }

    /// A bonus that the draw of the round gives.
    BonusKind {
        /// One of the hand's cards is the drawn card.
        MagicCard = "magic_card",
        /// The hand is at the drawn position.
        LuckyBonus = "lucky_bonus",
    }

    /// Why a round is void.
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
