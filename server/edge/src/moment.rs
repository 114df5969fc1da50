//! Times on the wire: RFC 3339, UTC, microseconds.
//!
//! # What bounds it
//! The years 0000 to 9999, which RFC 3339 can write. A time outside is written as the nearest one inside; the
//! clock never is.

use meterhouse_domain::ids::Timestamp;
use time::format_description::well_known::Rfc3339;
use time::macros::datetime;
use time::{OffsetDateTime, UtcOffset};

use crate::codes::EdgeCode;
use crate::value::shown;
use crate::wire_error::EdgeError;

/// Nanoseconds in a microsecond.
const NANOS_PER_MICRO: i128 = 1_000;
/// The first moment that RFC 3339 can write.
const FIRST: OffsetDateTime = datetime!(0000-01-01 00:00 UTC);
/// The last.
const LAST: OffsetDateTime = datetime!(9999-12-31 23:59:59.999_999 UTC);

/// The moment as `2026-11-21T12:00:00.000000Z`.
pub fn text(at: Timestamp) -> String {
    let nanos = i128::from(at.0) * NANOS_PER_MICRO;
    let outside = if at.0 < 0 { FIRST } else { LAST };
    let moment = OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap_or(outside);
    let moment = moment.clamp(FIRST, LAST);
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z",
        moment.year(),
        u8::from(moment.month()),
        moment.day(),
        moment.hour(),
        moment.minute(),
        moment.second(),
        moment.microsecond(),
    )
}

/// The moment that a field's text says, in any offset; what is finer than a microsecond is cut.
///
/// # Errors
/// `invalid_time` where it is no RFC 3339 time.
pub fn parse(field: &str, text: &str) -> Result<Timestamp, EdgeError> {
    let refused = || EdgeError::new(EdgeCode::InvalidTime).with(field, shown(text));
    let moment = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| refused())?;
    let moment = moment
        .checked_to_offset(UtcOffset::UTC)
        .ok_or_else(refused)?;
    let micros = moment.unix_timestamp_nanos().div_euclid(NANOS_PER_MICRO);
    i64::try_from(micros).map(Timestamp).map_err(|_| refused())
}

/// The moment of a field that counts microseconds since 1970 UTC.
///
/// # Errors
/// `invalid_time` outside of the years that RFC 3339 can write.
pub fn from_micros(field: &str, micros: i64) -> Result<Timestamp, EdgeError> {
    let nanos = i128::from(micros) * NANOS_PER_MICRO;
    if (FIRST.unix_timestamp_nanos()..=LAST.unix_timestamp_nanos()).contains(&nanos) {
        return Ok(Timestamp(micros));
    }
    let detail =
        format!("{field} is a time of the years 0 to 9999, in microseconds since 1970 UTC");
    Err(EdgeError::because(EdgeCode::InvalidTime, detail).with(field, micros))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for micros in [0, 1, -1, 1_795_262_400_000_000, 253_402_300_799_999_999] {
            let at = Timestamp(micros);
            assert_eq!(parse("at", &text(at)), Ok(at), "{micros}");
        }
        assert_eq!(
            text(Timestamp(1_795_262_400_000_000)),
            "2026-11-21T12:00:00.000000Z"
        );
    }

    #[test]
    fn an_offset_is_converted_and_what_is_finer_is_cut() {
        let at = parse("at", "2026-11-21T07:00:00.0000019-05:00").expect("a time");
        assert_eq!(text(at), "2026-11-21T12:00:00.000001Z");
    }

    #[test]
    fn what_can_not_be_written_is_written_as_the_nearest() {
        assert_eq!(text(Timestamp(i64::MAX)), "9999-12-31T23:59:59.999999Z");
        assert_eq!(text(Timestamp(i64::MIN)), "0000-01-01T00:00:00.000000Z");
    }

    #[test]
    fn microseconds_are_a_time_that_can_be_written() {
        for at in ["0000-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"] {
            let edge = parse("at", at).expect("a time");
            assert_eq!(from_micros("at", edge.0), Ok(edge));
        }
        for micros in [i64::MIN, i64::MAX, 253_402_300_800_000_000] {
            let error = from_micros("at", micros).expect_err("no time");
            assert_eq!(error.code, EdgeCode::InvalidTime, "{micros}");
        }
    }

    #[test]
    fn what_is_no_time_is_named_with_its_field() {
        for text in [
            "",
            "yesterday",
            "2026-11-21",
            "2026-11-21T12:00:00",
            "2026-13-01T00:00:00Z",
            "1",
        ] {
            let error = parse("from", text).expect_err("no time");
            assert_eq!(error.code, EdgeCode::InvalidTime, "{text:?}");
            assert_eq!(error.fields, [("from".to_owned(), text.to_owned())]);
        }
    }
}
