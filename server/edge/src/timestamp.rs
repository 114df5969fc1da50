//! Times on the wire: RFC 3339, UTC, microseconds.
//!
//! # What bounds it
//! RFC 3339 can write the years 0000 to 9999. A time outside them is written as the nearest one
//! inside. The clock never is outside.

use meterhouse_domain::ids::Timestamp;
use time::format_description::well_known::Rfc3339;
use time::macros::datetime;
use time::{OffsetDateTime, UtcOffset};

use crate::codes::EdgeCode;
use crate::value::shown;
use crate::wire_error::EdgeError;

/// Nanoseconds in a microsecond.
const NANOS_PER_MICRO: i128 = 1_000;
/// First time that RFC 3339 can write.
const FIRST: OffsetDateTime = datetime!(0000-01-01 00:00 UTC);
/// Last time that RFC 3339 can write.
const LAST: OffsetDateTime = datetime!(9999-12-31 23:59:59.999_999 UTC);

/// Returns the time as `2026-11-21T12:00:00.000000Z`.
pub fn text(at: Timestamp) -> String {
    let nanos = i128::from(at.0) * NANOS_PER_MICRO;
    let outside = if at.0 < 0 { FIRST } else { LAST };
    let time = OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap_or(outside);
    let time = time.clamp(FIRST, LAST);
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z",
        time.year(),
        u8::from(time.month()),
        time.day(),
        time.hour(),
        time.minute(),
        time.second(),
        time.microsecond(),
    )
}

/// Returns the time in a field's text, in any offset. Fractions of a microsecond are cut off.
///
/// # Errors
/// `invalid_time` if the text is not an RFC 3339 time.
pub fn parse(field: &str, text: &str) -> Result<Timestamp, EdgeError> {
    let refused = || EdgeError::new(EdgeCode::InvalidTime).with(field, shown(text));
    let time = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| refused())?;
    let time = time.checked_to_offset(UtcOffset::UTC).ok_or_else(refused)?;
    let micros = time.unix_timestamp_nanos().div_euclid(NANOS_PER_MICRO);
    i64::try_from(micros).map(Timestamp).map_err(|_| refused())
}

/// Returns the time of a field that counts microseconds since 1970 UTC.
///
/// # Errors
/// `invalid_time` outside the years that RFC 3339 can write.
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
    fn a_written_time_is_read_back() {
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
    fn an_offset_is_converted_and_nanoseconds_are_cut_off() {
        let at = parse("at", "2026-11-21T07:00:00.0000019-05:00").expect("a time");
        assert_eq!(text(at), "2026-11-21T12:00:00.000001Z");
    }

    #[test]
    fn a_time_outside_rfc_3339_is_written_as_the_nearest_one() {
        assert_eq!(text(Timestamp(i64::MAX)), "9999-12-31T23:59:59.999999Z");
        assert_eq!(text(Timestamp(i64::MIN)), "0000-01-01T00:00:00.000000Z");
    }

    #[test]
    fn microseconds_outside_rfc_3339_are_refused() {
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
    fn a_wrong_time_is_named_with_its_field() {
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
