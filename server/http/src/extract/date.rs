//! A date in UTC.

use core::str::FromStr;

use meterhouse_api::text::InvalidValue;
use meterhouse_api::time;
use meterhouse_domain::ids::Timestamp;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_engine::view::Day;

/// A date in UTC, by its first moment.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Date(pub(crate) Timestamp);

impl Date {
    /// Returns the day.
    pub(crate) fn day(self) -> Day {
        Day::of(self.0)
    }
}

impl FromStr for Date {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let midnight = time::parse(&format!("{text}T00:00:00Z"));
        midnight.map(Self).ok_or_else(|| {
            let detail = "write a date in UTC as YYYY-MM-DD";
            InvalidValue::new(EdgeCode::InvalidTime.code(), detail)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_a_date() {
        let date: Date = "1970-01-02".parse().expect("a date");
        assert_eq!((date.0, date.day()), (Day(1).begin(), Day(1)));
        for text in [
            "",
            "1970-1-2",
            "1970-01-02T00:00:00Z",
            "1970-02-30",
            "today",
        ] {
            let error = text.parse::<Date>().expect_err("no date");
            assert_eq!(error.code, EdgeCode::InvalidTime.code(), "{text:?}");
        }
    }
}
