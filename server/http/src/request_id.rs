//! The id of each request, in its response and in the log.
//!
//! # Shape
//! A request goes through [`without_unusable_id`], `SetRequestId` with [`MakeUuid`] and `PropagateRequestId`, then
//! through [`observe`](crate::observe). The router puts the four together.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use tower_http::request_id::{MakeRequestId, RequestId};
use uuid::Uuid;

/// The header that carries the id, in the request and in the response.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Maximum length in characters of an id that is taken over from a caller.
const ID_LENGTH_MAX: usize = 64;

/// A source of ids: random UUIDs of version 4.
#[derive(Copy, Clone, Debug)]
pub(crate) struct MakeUuid;

impl MakeRequestId for MakeUuid {
    fn make_request_id<B>(&mut self, _: &axum::http::Request<B>) -> Option<RequestId> {
        let mut text = Uuid::encode_buffer();
        let id = Uuid::new_v4().hyphenated().encode_lower(&mut text);
        HeaderValue::from_str(id).ok().map(RequestId::new)
    }
}

/// Removes a caller's id that can't stand in a log line, so that the request gets a new one.
pub(crate) fn without_unusable_id(mut request: Request) -> Request {
    if let Some(own) = request.headers().get(REQUEST_ID)
        && !is_id(own.as_bytes())
    {
        request.headers_mut().remove(REQUEST_ID);
    }
    request
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
        let id = || {
            let id = MakeUuid.make_request_id(&Request::new(()));
            id.expect("an id").into_header_value()
        };
        assert_ne!(id(), id());
        assert!(is_id(id().as_bytes()));
    }
}
