//! The id of each request, in its response and in the log.
//!
//! # Shape
//! [`around`](crate::around) asks for the id and writes it into the response.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

/// The header that carries the id, in the request and in the response.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Maximum length in characters of an id that is taken over from a caller.
const ID_LENGTH_MAX: usize = 64;

/// Returns the id of a request: the caller's own, unless it can't stand in a log line, or else a new one, a random UUID of
/// version 4.
pub(crate) fn id_of(headers: &HeaderMap) -> HeaderValue {
    match headers.get(REQUEST_ID) {
        Some(own) if is_id(own.as_bytes()) => own.clone(),
        _ => new_id(),
    }
}

fn new_id() -> HeaderValue {
    let mut text = Uuid::encode_buffer();
    let id = Uuid::new_v4().hyphenated().encode_lower(&mut text);
    // A UUID as text is a header's value.
    HeaderValue::from_str(id).unwrap_or(HeaderValue::from_static("none"))
}

/// Returns `true` if a caller's id can stand in a log line unchanged.
fn is_id(text: &[u8]) -> bool {
    (1..=ID_LENGTH_MAX).contains(&text.len())
        && text
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_id_that_can_stand_in_a_log_line_is_taken_over() {
        assert!(is_id(b"a-1_B.2"));
        let long = "x".repeat(ID_LENGTH_MAX + 1);
        for text in ["", "a b", "a\nb", "é", &long] {
            assert!(!is_id(text.as_bytes()), "{text:?}");
        }
        assert!(is_id(&long.as_bytes()[1..]));
    }

    #[test]
    fn each_new_id_is_another_and_can_stand_in_a_log_line() {
        assert_ne!(new_id(), new_id());
        assert!(is_id(new_id().as_bytes()));
    }

    #[test]
    fn a_usable_id_of_the_caller_is_taken_over() {
        let id = |own: &'static str| {
            let own = HeaderValue::from_static(own);
            id_of(&HeaderMap::from_iter([(REQUEST_ID, own)]))
        };
        assert_eq!(id("abc-1"), "abc-1");
        assert_ne!(id("a b"), "a b");
        assert_ne!(id_of(&HeaderMap::new()), id_of(&HeaderMap::new()));
    }
}
