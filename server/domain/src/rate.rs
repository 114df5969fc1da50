//! Incrementation rates: the share of a wager that a balance takes, in parts per million.

use core::fmt;

use crate::money::Money;

/// Parts per million in the whole.
pub const PPM: u32 = 1_000_000;
/// Parts per million in one percent.
pub const PPM_PER_PERCENT: u32 = PPM / 100;

/// A share of a wager, in parts per million (29% is 290,000). At most the whole.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Rate {
    ppm: u32,
}

impl Rate {
    /// No share at all.
    pub const ZERO: Self = Self { ppm: 0 };

    /// Returns a rate of this many parts per million; `None` above the whole.
    pub const fn from_ppm(ppm: u32) -> Option<Self> {
        if ppm <= PPM { Some(Self { ppm }) } else { None }
    }

    /// Returns the rate in parts per million.
    pub const fn ppm(self) -> u32 {
        self.ppm
    }

    /// Checks if the rate takes nothing.
    pub const fn is_zero(self) -> bool {
        self.ppm == 0
    }

    /// Returns the share of `wager`, or `None` if it is no whole number of micro-dollars. A link with such a rate
    /// never opens (RULES §2.3).
    pub fn exact_share_of(self, wager: Money) -> Option<Money> {
        let product = i128::from(wager.micros()) * i128::from(self.ppm);
        if product % i128::from(PPM) != 0 {
            return None;
        }
        i64::try_from(product / i128::from(PPM))
            .ok()
            .map(Money::from_micros)
    }
}

impl fmt::Display for Rate {
    /// Writes the rate in percent: `9%`, `0.125%`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        percent(self.ppm, out)
    }
}

/// Writes parts per million in percent.
pub(crate) fn percent(ppm: u32, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let whole = ppm / PPM_PER_PERCENT;
    let fraction = ppm % PPM_PER_PERCENT;
    if fraction == 0 {
        return write!(out, "{whole}%");
    }
    let digits = format!("{fraction:04}");
    write!(out, "{whole}.{}%", digits.trim_end_matches('0'))
}
