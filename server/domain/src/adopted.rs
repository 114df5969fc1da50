//! Tables of fixed wagers that two people adopted on a link: with the second reading of a doubtful print, or although they
//! return more than the wager (DECISIONS 330).
//!
//! # Shape
//! A table that nobody adopted pays its print, and only if it returns no more than the wager. An [`AdoptedTable`] has the
//! return that the two people saw: a table that returns otherwise, because its file was changed, is not the adopted one.
//!
//! # Bounds
//! [`ADOPTED_MAX`] tables a link.

use core::fmt;
use core::str::FromStr;

use crate::ids::{Letter, PaytableId, ReadingName};
use crate::rate::{PPM, percent};
use crate::returns::Fraction;

/// Tables that a link may have adopted.
pub const ADOPTED_MAX: usize = 32;

/// A table that two people adopted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdoptedTable {
    /// Table.
    pub table: PaytableId,
    /// Reading of its print; `None` for the print as it stands.
    pub reading: Option<ChosenReading>,
    /// Return of the wager that returns the most.
    pub returns: Returned,
}

/// The second reading of a doubtful print, as a regulator's letter chose it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenReading {
    /// Name of the reading.
    pub name: ReadingName,
    /// Number of the regulator's letter.
    pub letter: Letter,
}

/// The part of a wager that goes back to the players in the long run, in parts per million. It is
/// rounded up, so that no return above the wager is the wager.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Returned {
    /// Parts per million.
    pub ppm: u32,
}

/// Returns the table among those that were adopted.
pub fn find<'a>(adopted: &'a [AdoptedTable], table: &PaytableId) -> Option<&'a AdoptedTable> {
    adopted.iter().find(|known| known.table == *table)
}

impl AdoptedTable {
    /// Returns the name of the chosen reading.
    pub fn reading(&self) -> Option<&ReadingName> {
        self.reading.as_ref().map(|reading| &reading.name)
    }
}

impl Returned {
    /// Returns the return of a wager with this hold. `None` for more than 4,294 times the wager.
    pub fn of_hold(hold: Fraction) -> Option<Self> {
        let returned = (Fraction::from_integer(1) - hold) * Fraction::from_integer(PPM.into());
        let ppm = u32::try_from(returned.ceil().to_integer()).ok()?;
        Some(Self { ppm })
    }

    /// Checks if it is more than the wager.
    pub const fn exceeds_wager(self) -> bool {
        self.ppm > PPM
    }
}

/// A text that is no return.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a return is a percentage with at most four decimals, such as 98.3012%")]
pub struct NotAReturn;

impl FromStr for Returned {
    type Err = NotAReturn;

    fn from_str(text: &str) -> Result<Self, NotAReturn> {
        let number = text.strip_suffix('%').ok_or(NotAReturn)?;
        let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
        let has_digits =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !has_digits(whole) || !has_digits(decimals) || decimals.len() > 4 {
            return Err(NotAReturn);
        }
        let ppm = format!("{whole}{decimals:0<4}").parse();
        ppm.map(|ppm| Self { ppm }).map_err(|_| NotAReturn)
    }
}

impl fmt::Display for Returned {
    /// Writes the return in percent: `119%`, `98.3012%`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        percent(self.ppm, out)
    }
}
