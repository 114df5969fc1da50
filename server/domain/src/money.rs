//! Exact money: whole micro-dollars in an `i64`.
//!
//! # Shape
//! One number. 21% of $1 is 210,000; no amount is a binary float or rounded on the way in (RULES §2.3: balances are
//! exact). Truncation to the cent happens in one function, [`Money::displayed`].
//!
//! # Bounds
//! ±9.2 trillion dollars. Every sum that a rule makes is checked; leaving the range is an [`OutOfRange`].

use core::fmt;
use core::str::FromStr;

use rust_decimal::Decimal;

/// Micro-dollars in a cent.
pub const MICROS_PER_CENT: i64 = 10_000;
/// Micro-dollars in a dollar.
pub const MICROS_PER_DOLLAR: i64 = 1_000_000;
/// Digits behind the decimal point that an exact amount may have.
const DECIMALS_MAX: u32 = 6;
/// Longest text that is read as an amount: 13 digits, a point, 6 digits.
const TEXT_MAX: usize = 20;

/// An exact amount of money, in micro-dollars.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Money {
    micros: i64,
}

/// A sum outside the range of [`Money`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the amount leaves the range of ±9.2 trillion dollars")]
pub struct OutOfRange;

/// A text that is not an amount such as `1.00`, `12` or `0.725`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write dollars in digits, then at most six decimals, as in \"1.00\"")]
pub struct NotAnAmount;

impl Money {
    /// Zero dollars.
    pub const ZERO: Self = Self { micros: 0 };
    /// One dollar, the unit of odds "for 1".
    pub const DOLLAR: Self = Self {
        micros: MICROS_PER_DOLLAR,
    };

    /// Returns an amount of this many micro-dollars.
    pub const fn from_micros(micros: i64) -> Self {
        Self { micros }
    }

    /// Returns the amount in micro-dollars.
    pub const fn micros(self) -> i64 {
        self.micros
    }

    /// Returns the amount that the sign shows and a full hit pays: truncated to the cent, never rounded up.
    #[must_use]
    pub const fn displayed(self) -> Self {
        Self {
            micros: self.micros.div_euclid(MICROS_PER_CENT) * MICROS_PER_CENT,
        }
    }

    /// Checks if the amount has no fraction of a cent.
    pub const fn is_whole_cents(self) -> bool {
        self.micros % MICROS_PER_CENT == 0
    }

    /// Returns the sum.
    ///
    /// # Errors
    /// [`OutOfRange`] if the sum leaves the range.
    pub fn plus(self, other: Self) -> Result<Self, OutOfRange> {
        self.micros
            .checked_add(other.micros)
            .map(Self::from_micros)
            .ok_or(OutOfRange)
    }

    /// Returns the difference.
    ///
    /// # Errors
    /// [`OutOfRange`] if the difference leaves the range.
    pub fn minus(self, other: Self) -> Result<Self, OutOfRange> {
        self.micros
            .checked_sub(other.micros)
            .map(Self::from_micros)
            .ok_or(OutOfRange)
    }

    /// Returns this many times the amount.
    ///
    /// # Errors
    /// [`OutOfRange`] if the product leaves the range.
    pub fn times(self, count: u64) -> Result<Self, OutOfRange> {
        let count = i64::try_from(count).map_err(|_| OutOfRange)?;
        self.micros
            .checked_mul(count)
            .map(Self::from_micros)
            .ok_or(OutOfRange)
    }

    /// Returns "`odds` for 1" at this wager: 300 for 1 pays 300 × the wager, and the wager itself is gone.
    ///
    /// # Errors
    /// [`OutOfRange`] if the pay leaves the range.
    pub fn for_one(self, odds: u32) -> Result<Self, OutOfRange> {
        self.times(u64::from(odds))
    }

    /// Returns `percent` of the displayed amount, truncated to the cent (figure E: 10% of 12,345.67 is 1,234.56).
    #[must_use]
    pub fn percent_of_displayed(self, percent: u8) -> Self {
        let share = i128::from(self.displayed().micros) * i128::from(percent) / 100;
        // A percentage of at most 255 of an `i64` may leave its range only above 100%, which no line pays.
        Self {
            micros: i64::try_from(share).unwrap_or(i64::MAX),
        }
        .displayed()
    }

    /// Returns one of `count` equal shares, truncated to the cent; the remainder stays in its account (figure G).
    #[must_use]
    pub fn share_of(self, count: u32) -> Self {
        Self {
            micros: self.micros / i64::from(count.max(1)),
        }
        .displayed()
    }
}

impl From<Money> for Decimal {
    fn from(money: Money) -> Self {
        Decimal::new(money.micros, DECIMALS_MAX)
    }
}

impl TryFrom<Decimal> for Money {
    type Error = NotAnAmount;

    fn try_from(amount: Decimal) -> Result<Self, NotAnAmount> {
        let micros = amount
            .checked_mul(Decimal::from(MICROS_PER_DOLLAR))
            .ok_or(NotAnAmount)?;
        if !micros.is_integer() {
            return Err(NotAnAmount);
        }
        i64::try_from(micros)
            .map(Self::from_micros)
            .map_err(|_| NotAnAmount)
    }
}

impl FromStr for Money {
    type Err = NotAnAmount;

    /// Reads the form on the wire: digits, and at most six decimals behind a point.
    fn from_str(text: &str) -> Result<Self, NotAnAmount> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let digits =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if text.len() > TEXT_MAX || !digits(whole) || !digits(decimals) {
            return Err(NotAnAmount);
        }
        Decimal::from_str_exact(text)
            .map_err(|_| NotAnAmount)?
            .try_into()
    }
}

impl fmt::Display for Money {
    /// Writes the exact amount, with at least two decimals: `10000.27`, `10000.005`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.micros.unsigned_abs();
        let sign = if self.micros < 0 { "-" } else { "" };
        let whole = magnitude / MICROS_PER_DOLLAR.unsigned_abs();
        let fraction = magnitude % MICROS_PER_DOLLAR.unsigned_abs();
        if fraction.is_multiple_of(MICROS_PER_CENT.unsigned_abs()) {
            return write!(
                out,
                "{sign}{whole}.{:02}",
                fraction / MICROS_PER_CENT.unsigned_abs()
            );
        }
        let digits = format!("{fraction:06}");
        write!(out, "{sign}{whole}.{}", digits.trim_end_matches('0'))
    }
}

impl fmt::Debug for Money {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}
