//! Times as texts: RFC 3339, UTC, microseconds.
//!
//! # Limits
//! RFC 3339 can write the years 0000 to 9999. A time outside them is written as the nearest one
//! inside. The clock never is outside.

use meterhouse_domain::ids::Timestamp;
use time::format_description::well_known::Rfc3339;
use time::macros::datetime;
use time::{OffsetDateTime, UtcOffset};

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

/// Returns the time of an RFC 3339 text in any offset. Fractions of a microsecond are cut off.
pub fn parse(text: &str) -> Option<Timestamp> {
    let time = OffsetDateTime::parse(text, &Rfc3339).ok()?;
    let time = time.checked_to_offset(UtcOffset::UTC)?;
    let micros = time.unix_timestamp_nanos().div_euclid(NANOS_PER_MICRO);
    i64::try_from(micros).ok().map(Timestamp)
}

/// Returns true if RFC 3339 can write a time that counts microseconds since 1970 UTC.
pub fn is_writable(micros: i64) -> bool {
    let nanos = i128::from(micros) * NANOS_PER_MICRO;
    (FIRST.unix_timestamp_nanos()..=LAST.unix_timestamp_nanos()).contains(&nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_time_is_read_back() {
        for micros in [0, 1, -1, 1_795_262_400_000_000, 253_402_300_799_999_999] {
            let at = Timestamp(micros);
            assert_eq!(parse(&text(at)), Some(at), "{micros}");
        }
        let noon = Timestamp(1_795_262_400_000_000);
        assert_eq!(text(noon), "2026-11-21T12:00:00.000000Z");
    }

    #[test]
    fn an_offset_is_converted_and_nanoseconds_are_cut_off() {
        let at = parse("2026-11-21T07:00:00.0000019-05:00").expect("a time");
        assert_eq!(text(at), "2026-11-21T12:00:00.000001Z");
    }

    #[test]
    fn a_time_outside_rfc_3339_is_written_as_the_nearest_one() {
        assert_eq!(text(Timestamp(i64::MAX)), "9999-12-31T23:59:59.999999Z");
        assert_eq!(text(Timestamp(i64::MIN)), "0000-01-01T00:00:00.000000Z");
    }

    #[test]
    fn microseconds_outside_rfc_3339_are_not_writable() {
        for at in ["0000-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"] {
            assert!(is_writable(parse(at).expect("a time").0), "{at}");
        }
        for micros in [i64::MIN, i64::MAX, 253_402_300_800_000_000] {
            assert!(!is_writable(micros), "{micros}");
        }
    }

    #[test]
    fn another_text_is_no_time() {
        for text in [
            "",
            "yesterday",
            "2026-11-21",
            "2026-11-21T12:00:00",
            "2026-13-01T00:00:00Z",
            "1",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
