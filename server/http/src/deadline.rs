//! The deadline of a response. Only the wait is limited: a queued command is executed after the deadline as well.

use std::pin::Pin;
use std::time::Duration;

use axum::http::Method;
use axum::response::{IntoResponse, Response};
use meterhouse_edge::codes::EdgeCode;

use crate::problem::Failure;

/// Maximum wait for a response: five times the maximum wait of a command in its link's queue.
pub const WAIT_MAX: Duration = Duration::from_secs(10);

/// Handles a request until the deadline. After the deadline, answers a read with `busy`, and a write with
/// `outcome_unknown`: the write is safe to send again.
pub(crate) async fn in_time(
    method: &Method,
    handling: Pin<&mut impl Future<Output = Response>>,
) -> Response {
    let late = if method.is_safe() {
        EdgeCode::Busy
    } else {
        EdgeCode::OutcomeUnknown
    };
    match tokio::time::timeout(WAIT_MAX, handling).await {
        Ok(response) => response,
        Err(_) => Failure::from(late).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use axum::http::StatusCode;

    use super::*;

    async fn status(method: Method) -> StatusCode {
        let response = in_time(&method, pin!(std::future::pending())).await;
        assert_eq!(response.headers()["retry-after"], "1");
        response.status()
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_without_a_response_is_answered_at_the_deadline() {
        assert_eq!(status(Method::GET).await, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(status(Method::PUT).await, StatusCode::SERVICE_UNAVAILABLE);
    }
}
