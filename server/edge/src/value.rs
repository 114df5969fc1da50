//! Values of requests: the errors of wrong ones name the field.
//!
//! # Shape
//! [`read`] reads a value of any kind by its [`TextForm`]. [`refused`] is the error of a wrong one. Values that gRPC writes as numbers have functions of their
//! own.

pub use meterhouse_api::request::LIST_MAX;
use meterhouse_api::text::{InvalidValue, Text, TextForm};
pub use meterhouse_api::text::{SHOWN_MAX, shown};
use meterhouse_api::time;
use meterhouse_domain::ids::{Sequence, Timestamp};
use meterhouse_journal::position::{INDEX_MAX, Position};

use crate::codes::EdgeCode;
use crate::wire_error::EdgeError;

/// Returns the value of a field's text.
///
/// # Errors
/// The code of the kind, with the field and its text.
pub fn read<T: TextForm>(field: &str, text: &str) -> Result<T, EdgeError> {
    let value: Result<Text<T>, InvalidValue> = text.parse();
    value
        .map(|Text(value)| value)
        .map_err(|error| refused(field, &shown(text), &error))
}

/// Returns the error of a value that is not one of its field's kind.
pub fn refused(field: &str, sent: &str, invalid: &InvalidValue) -> EdgeError {
    let code = EdgeCode::from_code(&invalid.code).unwrap_or(EdgeCode::InvalidValue);
    EdgeError::because(code, format_args!("{field}: {}", invalid.detail)).with(field, sent)
}

/// Returns a position in a link's journal from its two numbers, as gRPC messages have them.
///
/// # Errors
/// `invalid_parameter` if the numbers are out of range.
pub fn position_of(field: &str, batch: u64, index: u32) -> Result<Position, EdgeError> {
    Position::new(batch, index).ok_or_else(|| {
        let detail = format!(
            "a position is what a message had as its position; batch is at most {}, index {INDEX_MAX}",
            Sequence::MAX
        );
        let text = format!("{batch}.{index}");
        EdgeError::because(EdgeCode::InvalidParameter, detail).with(field, text)
    })
}

/// Returns the time of a field that counts microseconds since 1970 UTC.
///
/// # Errors
/// `invalid_time` outside the years that RFC 3339 can write.
pub fn time_of_micros(field: &str, micros: i64) -> Result<Timestamp, EdgeError> {
    if time::is_writable(micros) {
        return Ok(Timestamp(micros));
    }
    let detail =
        format!("{field} is a time of the years 0 to 9999, in microseconds since 1970 UTC");
    Err(EdgeError::because(EdgeCode::InvalidTime, detail).with(field, micros))
}

/// Refuses a list that is longer than any valid one.
///
/// # Errors
/// `invalid_value` for more than [`LIST_MAX`] entries.
pub fn bounded<T>(field: &str, list: &[T]) -> Result<(), EdgeError> {
    bounded_by(field, list, LIST_MAX)
}

/// Refuses a list of more than `most` entries.
///
/// # Errors
/// `invalid_value`.
pub fn bounded_by<T>(field: &str, list: &[T], most: usize) -> Result<(), EdgeError> {
    if list.len() <= most {
        return Ok(());
    }
    let detail = format!(
        "{field} has {} entries; at most {most} are read",
        list.len()
    );
    Err(EdgeError::because(EdgeCode::InvalidValue, detail).with(field, list.len()))
}

#[cfg(test)]
mod tests {
    use meterhouse_api::forms::Unsigned;
    use meterhouse_domain::card::Card;
    use meterhouse_domain::command::VoidReason;
    use meterhouse_domain::hand::Hand;
    use meterhouse_domain::hit_name::HitName;
    use meterhouse_domain::ids::{LinkName, Note, ProposalId};
    use meterhouse_domain::money::Money;

    use super::*;

    #[test]
    fn a_wrong_text_has_the_code_of_its_kind_and_names_its_field() {
        fn code<T: TextForm>(text: &str) -> EdgeCode {
            let error = read::<T>("field", text).err().expect("no value");
            assert_eq!(error.fields, [("field".to_owned(), text.to_owned())]);
            error.code
        }
        assert_eq!(code::<LinkName>("a b"), EdgeCode::InvalidName);
        assert_eq!(code::<HitName>("C4P-07"), EdgeCode::InvalidName);
        assert_eq!(code::<ProposalId>("1"), EdgeCode::InvalidName);
        assert_eq!(code::<Note>("a\nb"), EdgeCode::InvalidValue);
        assert_eq!(code::<VoidReason>("rain"), EdgeCode::InvalidValue);
        assert_eq!(code::<Unsigned>("-1.00"), EdgeCode::InvalidAmount);
        assert_eq!(code::<Money>("1e3"), EdgeCode::InvalidAmount);
        assert_eq!(code::<Hand>("royal"), EdgeCode::UnknownHand);
        assert_eq!(code::<Card>("1s"), EdgeCode::InvalidCard);
        assert_eq!(code::<Timestamp>("noon"), EdgeCode::InvalidTime);
        assert_eq!(code::<Position>("1.2.3"), EdgeCode::InvalidParameter);
    }

    #[test]
    fn an_error_repeats_the_beginning_of_a_long_text() {
        let error = read::<LinkName>("link", &"x".repeat(1_000)).expect_err("too long");
        let shown = "x".repeat(SHOWN_MAX);
        assert_eq!(error.fields, [("link".to_owned(), shown.clone())]);
        assert_eq!(
            error.detail,
            format!("link: \"{shown}\" is not valid: a name is 1 to 32 letters, digits or hyphens")
        );
    }

    #[test]
    fn a_list_has_a_limit() {
        assert_eq!(bounded("list", &[0; LIST_MAX]), Ok(()));
        let error = bounded("list", &[0; LIST_MAX + 1]).expect_err("too long");
        assert_eq!(error.code, EdgeCode::InvalidValue);
    }

    #[test]
    fn microseconds_outside_rfc_3339_are_refused() {
        assert_eq!(time_of_micros("at", 0), Ok(Timestamp(0)));
        for micros in [i64::MIN, i64::MAX, 253_402_300_800_000_000] {
            let error = time_of_micros("at", micros).expect_err("no time");
            assert_eq!(error.code, EdgeCode::InvalidTime, "{micros}");
        }
    }
}
