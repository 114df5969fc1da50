//! A name for every request, so that a caller's report can be found in the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use meterhouse_engine::clock;

/// The header with the request's id, of the caller's choosing or ours.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Characters in the longest id that is taken over from a caller.
const ID_LENGTH_MAX: usize = 64;

/// Gives ids that no other start of this server gives.
#[derive(Clone, Debug)]
pub(crate) struct Ids {
    started: i64,
    given: Arc<AtomicU64>,
}

impl Ids {
    pub(crate) fn new() -> Self {
        Self {
            started: clock::now().0,
            given: Arc::new(AtomicU64::new(0)),
        }
    }

    fn next(&self) -> String {
        format!(
            "{:x}-{:x}",
            self.started,
            self.given.fetch_add(1, Ordering::Relaxed)
        )
    }
}

/// Names the request in its answer and in the log.
pub(crate) async fn request_id(State(ids): State<Ids>, request: Request, next: Next) -> Response {
    let own = request
        .headers()
        .get(REQUEST_ID)
        .and_then(|it| it.to_str().ok());
    let id = own
        .filter(|it| is_id(it))
        .map_or_else(|| ids.next(), str::to_owned);
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let mut response = next.run(request).await;
    let status = response.status();
    if status.is_server_error() {
        tracing::warn!(request.id = id, %method, path, http.status = status.as_u16(), "no answer");
    } else {
        tracing::debug!(request.id = id, %method, path, http.status = status.as_u16(), "answered");
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

/// Whether a caller's id can stand in a log line as it is.
fn is_id(text: &str) -> bool {
    (1..=ID_LENGTH_MAX).contains(&text.len())
        && text
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_stand_in_a_log_line_is_taken_over() {
        assert!(is_id("a-1_B.2"));
        for text in ["", "a b", "a\nb", "é", &"x".repeat(ID_LENGTH_MAX + 1)] {
            assert!(!is_id(text), "{text:?}");
        }
    }

    #[test]
    fn no_id_is_given_twice() {
        let ids = Ids::new();
        assert_ne!(ids.next(), ids.clone().next());
    }
}
