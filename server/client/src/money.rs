//! Money: whole micro-dollars, never a floating-point number.

use std::fmt;

/// Micro-dollars in a dollar.
const DOLLAR: i64 = 1_000_000;
/// Micro-dollars in a cent.
const CENT: i64 = 10_000;
/// Minimum number of decimal places.
const PLACES_MIN: usize = 2;

/// An amount of dollars, exact to the micro-dollar and never negative.
///
/// ```
/// use meterhouse_client::Money;
/// assert_eq!(Money::dollars(1), Money::cents(100));
/// assert_eq!(Money::from_micros(10_000_270_000).unwrap().to_string(), "10000.27");
/// assert_eq!(Money::from_micros(-1), None);
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(i64);

impl Money {
    /// Zero dollars.
    pub const ZERO: Self = Self(0);

    /// Returns an amount of whole dollars.
    pub const fn dollars(dollars: u32) -> Self {
        Self(dollars as i64 * DOLLAR)
    }

    /// Returns an amount of whole cents.
    pub const fn cents(cents: u32) -> Self {
        Self(cents as i64 * CENT)
    }

    /// Returns an amount of micro-dollars, or `None` if they are negative.
    pub const fn from_micros(micros: i64) -> Option<Self> {
        if micros < 0 { None } else { Some(Self(micros)) }
    }

    /// Returns the amount in micro-dollars.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Returns the sum, or `None` if it is too large.
    pub const fn plus(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(sum) => Some(Self(sum)),
            None => None,
        }
    }
}

impl fmt::Display for Money {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fraction = format!("{:06}", self.0 % DOLLAR);
        let exact = fraction.trim_end_matches('0');
        let text = format!("{}.{exact:0<PLACES_MIN$}", self.0 / DOLLAR);
        out.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::Money;

    /// An amount has at least two decimal places.
    #[test]
    fn amounts_are_written_exactly() {
        let written = |micros| Money::from_micros(micros).unwrap().to_string();
        assert_eq!(written(0), "0.00");
        assert_eq!(written(1), "0.000001");
        assert_eq!(written(725_000), "0.725");
        assert_eq!(written(10_000_270_000), "10000.27");
        assert_eq!(written(30_000_000_000), "30000.00");
        assert_eq!(written(i64::MAX), "9223372036854.775807");
        assert_eq!(format!("{:>7}", Money::cents(105)), "   1.05");
    }

    /// A sum that is too large is `None`, and never wraps around.
    #[test]
    fn sums_are_checked() {
        let most = Money::from_micros(i64::MAX).unwrap();
        assert_eq!(
            Money::dollars(1).plus(Money::cents(5)),
            Some(Money::cents(105))
        );
        assert_eq!(most.plus(Money::ZERO), Some(most));
        assert_eq!(most.plus(Money::cents(1)), None);
    }
}
