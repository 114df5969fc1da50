//! One value of a body, of whatever kind it was sent: so that the error can name its field.
//!
//! Numbers are whole; money and names are texts. `serde` alone would say what it expected, not where.

use core::fmt;

use meterhouse_domain::card::Card;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{Sequence, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value::{self, bounded, shown};
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_edge::{amount, timestamp};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A value as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Loose {
    /// A text.
    Text(String),
    /// A whole number, not negative.
    Number(u64),
    /// Anything else, in words.
    Other(&'static str),
}

impl Loose {
    /// A text, or the error with this code.
    pub(crate) fn text(&self, field: &str, code: EdgeCode) -> Result<&str, EdgeError> {
        match self {
            Self::Text(text) => Ok(text),
            Self::Number(_) | Self::Other(_) => {
                let detail = format!("{field} is a text in quotes, not {self}; {}", code.advice());
                Err(EdgeError::because(code, detail).with(field, self))
            }
        }
    }

    /// A whole number from 0 to `most`.
    pub(crate) fn number(&self, field: &str, most: u64) -> Result<u64, EdgeError> {
        match self {
            Self::Number(number) if *number <= most => Ok(*number),
            Self::Number(_) | Self::Text(_) | Self::Other(_) => {
                let detail = format!("{field} is a whole number from 0 to {most}, not {self}");
                Err(EdgeError::because(EdgeCode::InvalidValue, detail).with(field, self))
            }
        }
    }

    /// A small number: a seat, a number of seats or of decks.
    pub(crate) fn small(&self, field: &str) -> Result<u8, EdgeError> {
        let number = self.number(field, u64::from(u8::MAX))?;
        u8::try_from(number).map_err(|_| EdgeError::new(EdgeCode::InvalidValue))
    }

    /// Money.
    pub(crate) fn amount(&self, field: &str) -> Result<Money, EdgeError> {
        amount::parse(field, self.text(field, EdgeCode::InvalidAmount)?)
    }

    /// Money that is added, or with a `-` taken away.
    pub(crate) fn signed_amount(&self, field: &str) -> Result<Money, EdgeError> {
        amount::parse_signed(field, self.text(field, EdgeCode::InvalidAmount)?)
    }

    /// A number that a setting counts by.
    pub(crate) fn count(&self, field: &str) -> Result<u32, EdgeError> {
        let number = self.number(field, u64::from(u32::MAX))?;
        u32::try_from(number).map_err(|_| EdgeError::new(EdgeCode::InvalidValue))
    }

    /// The number of a table's command.
    pub(crate) fn sequence(&self, field: &str) -> Result<Sequence, EdgeError> {
        match self {
            Self::Number(number) if (1..=Sequence::MAX).contains(number) => Ok(Sequence(*number)),
            Self::Number(_) | Self::Text(_) | Self::Other(_) => {
                Err(EdgeError::new(EdgeCode::InvalidSequence).with(field, self))
            }
        }
    }

    /// A name of any kind.
    pub(crate) fn name<T>(&self, field: &str) -> Result<T, EdgeError>
    where
        T: core::str::FromStr,
        T::Err: fmt::Display,
    {
        value::name(field, self.text(field, EdgeCode::InvalidName)?)
    }

    /// A note or the number of a document.
    pub(crate) fn free_text<T>(&self, field: &str) -> Result<T, EdgeError>
    where
        T: core::str::FromStr,
        T::Err: fmt::Display,
    {
        value::text(field, self.text(field, EdgeCode::InvalidValue)?)
    }

    /// A time.
    pub(crate) fn moment(&self, field: &str) -> Result<Timestamp, EdgeError> {
        timestamp::parse(field, self.text(field, EdgeCode::InvalidTime)?)
    }

    /// A hand.
    pub(crate) fn hand(&self, field: &str) -> Result<Hand, EdgeError> {
        value::hand(field, self.text(field, EdgeCode::UnknownHand)?)
    }

    /// One of a list of words.
    pub(crate) fn word<T: Copy>(
        &self,
        field: &str,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<T, EdgeError> {
        value::word(field, self.text(field, EdgeCode::InvalidValue)?, all, name)
    }

    /// A list of cards.
    pub(crate) fn cards(field: &str, cards: &[Self]) -> Result<Vec<Card>, EdgeError> {
        bounded(field, cards)?;
        let card = |(index, card): (usize, &Self)| {
            let field = format!("{field}[{index}]");
            value::card(&field, card.text(&field, EdgeCode::InvalidCard)?)
        };
        cards.iter().enumerate().map(card).collect()
    }
}

impl fmt::Display for Loose {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => out.write_str(&shown(text)),
            Self::Number(number) => fmt::Display::fmt(number, out),
            Self::Other(what) => out.write_str(what),
        }
    }
}

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Anything)
    }
}

/// Takes whatever comes.
struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = Loose;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Loose, E> {
        Ok(Loose::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Loose, E> {
        Ok(Loose::Text(text))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Loose, E> {
        Ok(Loose::Number(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Loose, E> {
        Ok(u64::try_from(number).map_or(Loose::Other("a negative number"), Loose::Number))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Loose, E> {
        Ok(Loose::Other("a number with a fraction or out of range"))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Loose, E> {
        Ok(Loose::Other("true or false"))
    }

    fn visit_unit<E>(self) -> Result<Loose, E> {
        Ok(Loose::Other("null"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Loose, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Loose::Other("a list"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Loose, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Loose::Other("an object"))
    }
}
