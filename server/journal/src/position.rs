//! A position in a link's journal, and its text form on the wire.

use core::fmt;
use core::str::FromStr;

/// Index after every event of a batch. The journal counts events in 32 signed bits.
pub const INDEX_MAX: u32 = i32::MAX.unsigned_abs();

/// A position in a link's journal, ordered by batch and index.
///
/// Its text is `BATCH.INDEX`, such as `12.3`. `12` alone is the end of batch 12, and `0` the beginning of the journal.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// Number of the batch.
    pub batch: u64,
    /// Index of the event in the batch, from 0.
    pub index: u32,
}

/// A text that is not a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a position is BATCH.INDEX as an entry shows it, BATCH for the end of a batch, or 0 for the beginning"
)]
pub struct NotAPosition;

impl Position {
    /// Returns the position of an event, if both numbers are in range.
    pub const fn new(batch: u64, index: u32) -> Option<Self> {
        if batch <= i64::MAX.unsigned_abs() && index <= INDEX_MAX {
            Some(Self { batch, index })
        } else {
            None
        }
    }

    /// Returns the position after all events of a batch.
    pub const fn behind(batch: u64) -> Self {
        Self {
            batch,
            index: INDEX_MAX,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.batch, self.index)
    }
}

impl FromStr for Position {
    type Err = NotAPosition;

    fn from_str(text: &str) -> Result<Self, NotAPosition> {
        let (batch, index) = match text.split_once('.') {
            Some((batch, index)) => (batch, number(index).ok_or(NotAPosition)?),
            None => (text, u64::from(INDEX_MAX)),
        };
        let batch = number(batch).ok_or(NotAPosition)?;
        let index = u32::try_from(index).map_err(|_| NotAPosition)?;
        Self::new(batch, index).ok_or(NotAPosition)
    }
}

/// Returns a whole number in canonical form: digits, without sign or leading zeros.
fn number(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_back() {
        for text in ["0.0", "12.3", "9223372036854775807.2147483647"] {
            let position: Position = text.parse().expect("a position");
            assert_eq!(position.to_string(), text);
        }
        assert_eq!("12".parse(), Ok(Position::behind(12)));
        assert_eq!("0".parse(), Ok(Position::behind(0)));
    }

    #[test]
    fn a_position_has_one_text() {
        for text in [
            "",
            ".",
            "1.",
            ".1",
            "01.1",
            "1.01",
            "+1.1",
            "-1.1",
            "1.1.1",
            " 1",
            "9223372036854775808.0",
            "1.2147483648",
        ] {
            assert_eq!(text.parse::<Position>(), Err(NotAPosition), "{text:?}");
        }
    }
}
