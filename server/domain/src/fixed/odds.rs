//! Printed odds and the exact pay of a wager at them.
//!
//! # Shape
//! Odds "3 to 2" win 3 for every 2 staked. "To 1" gives the wager back in addition to the pay; "for 1" keeps it.
//!
//! # Bounds
//! The staked part of the odds divides the micro-dollars of a cent, so the pay of a whole-cent wager is exact.

use core::fmt;

use crate::money::{MICROS_PER_CENT, Money, OutOfRange};
use crate::paytable::words;
use crate::returns::Fraction;

words! {
    /// The fate of the wager itself when its line pays.
    Basis {
        /// "To 1": the wager is returned with the pay.
        ToOne = 1 "to",
        /// "For 1": the wager is gone.
        ForOne = 2 "for",
    }
}

/// Printed odds, such as 3 to 2: both parts at least 1.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Odds {
    won: u32,
    staked: u32,
}

/// The pay of a line.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pays {
    /// Odds on the wager.
    Odds(Odds),
    /// The wager is returned, without a pay.
    Push,
    /// The wager is collected, as the table itself prints.
    Loses,
}

/// The money of a settled wager.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Settled {
    /// Pay, without the wager.
    pub pay: Money,
    /// Part of the wager that goes back: all of it or nothing.
    pub returned: Money,
}

/// A pay that can't be computed.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unpayable {
    /// The wager has a fraction of a cent.
    #[error("the wager has a fraction of a cent: write whole cents")]
    FractionOfCent,
    /// The pay leaves the range of money.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
}

impl Odds {
    /// Returns the odds of these parts; nothing if a part is 0, or if a cent can't be split into the staked parts.
    pub const fn new(won: u32, staked: u32) -> Option<Self> {
        if won == 0 || staked == 0 || !MICROS_PER_CENT.unsigned_abs().is_multiple_of(staked as u64)
        {
            return None;
        }
        Some(Self { won, staked })
    }

    /// Returns the amount won for each [`staked`](Self::staked) amount.
    pub const fn won(self) -> u32 {
        self.won
    }

    /// Returns the staked amount that the won one belongs to.
    pub const fn staked(self) -> u32 {
        self.staked
    }

    /// Returns the exact pay of a wager, without the wager itself.
    ///
    /// # Errors
    /// [`Unpayable::FractionOfCent`] for such a wager; [`Unpayable::OutOfRange`] if the pay leaves the range.
    pub fn on(self, wager: Money) -> Result<Money, Unpayable> {
        if !wager.is_whole_cents() {
            return Err(Unpayable::FractionOfCent);
        }
        let part = Money::from_micros(wager.micros() / i64::from(self.staked));
        Ok(part.for_one(self.won)?)
    }

    /// Writes the odds as they are printed.
    pub fn text(self, basis: Basis) -> String {
        format!("{} {basis} {}", Grouped(self.won), Grouped(self.staked))
    }

    /// Reads odds as [`Odds::text`] writes them: `3 to 2`, `1,000 to 1`, `300 for 1`.
    pub fn read(text: &str) -> Option<(Self, Basis)> {
        let mut words = text.split(' ');
        let number = |word: &str| word.replace(',', "").parse().ok();
        let won = words.next().and_then(number)?;
        let basis = words.next().and_then(Basis::from_name)?;
        let odds = Self::new(won, words.next().and_then(number)?)?;
        (odds.text(basis) == text).then_some((odds, basis))
    }

    /// Returns the odds as a fraction of the wager.
    fn part(self) -> Fraction {
        Fraction::new(self.won.into(), self.staked.into())
    }
}

impl Pays {
    /// Returns the money of a wager that this pay settles.
    ///
    /// # Errors
    /// As [`Odds::on`].
    pub fn settle(self, basis: Basis, wager: Money) -> Result<Settled, Unpayable> {
        let returned = match (self, basis) {
            (Self::Odds(_), Basis::ToOne) | (Self::Push, _) => wager,
            (Self::Odds(_), Basis::ForOne) | (Self::Loses, _) => Money::ZERO,
        };
        let pay = match self {
            Self::Odds(odds) => odds.on(wager)?,
            Self::Push | Self::Loses => Money::ZERO,
        };
        Ok(Settled { pay, returned })
    }

    /// Returns the player's result per unit wagered: 2 for 2 to 1, 1 for 2 for 1, 0 for a push, -1 for a loss.
    pub fn result(self, basis: Basis) -> Fraction {
        let staked = Fraction::from_integer(1);
        match (self, basis) {
            (Self::Odds(odds), Basis::ToOne) => odds.part(),
            (Self::Odds(odds), Basis::ForOne) => odds.part() - staked,
            (Self::Push, _) => Fraction::from_integer(0),
            (Self::Loses, _) => -staked,
        }
    }

    /// Writes the pay as files and pages have it: `50 to 1`, `push` or `loses`.
    pub fn text(self, basis: Basis) -> String {
        match self {
            Self::Odds(odds) => odds.text(basis),
            Self::Push => "push".to_owned(),
            Self::Loses => "loses".to_owned(),
        }
    }

    /// Checks if this pay is more than the other: odds above a push, a push above a loss.
    pub fn is_above(self, other: Self) -> bool {
        match (self, other) {
            (Self::Odds(odds), Self::Odds(other)) => odds.part() > other.part(),
            (Self::Odds(_), Self::Push | Self::Loses) | (Self::Push, Self::Loses) => true,
            (Self::Push | Self::Loses, _) => false,
        }
    }
}

/// A number with a comma before each three digits, as the sources print it.
struct Grouped(u32);

impl fmt::Display for Grouped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (index, digit) in digits.char_indices() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                out.write_str(",")?;
            }
            write!(out, "{digit}")?;
        }
        Ok(())
    }
}
