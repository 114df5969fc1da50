//! Errors as HTTP responses: problems with their headers.

use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use meterhouse_api::problem::MEDIA_TYPE;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::problem::Problem;
use meterhouse_edge::wire_error::WireError;

/// The header of an idempotent replay.
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("meterhouse-replayed");
/// The header `WWW-Authenticate` of a 401.
const SCHEME: HeaderValue = HeaderValue::from_static("Bearer");
/// The fallback body. Serialization of a problem's plain text never fails.
const UNWRITABLE: &str = r#"{"type":"about:blank","status":500,"code":"internal"}"#;

/// The code of a problem, as an extension of its response.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProblemCode(pub(crate) &'static str);

/// The error response of a handler.
#[derive(Debug)]
pub(crate) struct Failure {
    problem: Box<Problem>,
    replayed: bool,
}

impl Failure {
    /// Returns the response of a problem.
    pub(crate) fn of(problem: Problem) -> Self {
        Self {
            problem: Box::new(problem),
            replayed: false,
        }
    }

    /// Marks the refusal as an idempotent replay, or not.
    #[must_use]
    pub(crate) fn replayed(mut self, replayed: bool) -> Self {
        self.replayed = replayed;
        self
    }

    /// Returns an internal error, and logs its cause. No other place logs it.
    pub(crate) fn internal(cause: &str) -> Self {
        tracing::error!(what = cause, "a request could not be answered");
        EdgeCode::Internal.into()
    }
}

impl<E: Into<WireError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::of(Problem::from(error.into()))
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.problem.status);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body =
            serde_json::to_string(&self.problem.body()).unwrap_or_else(|_| UNWRITABLE.to_owned());
        let media_type = HeaderValue::from_static(MEDIA_TYPE);
        let mut response = (status, [(CONTENT_TYPE, media_type)], body).into_response();
        let code = ProblemCode(self.problem.code);
        response.extensions_mut().insert(code);
        let headers = response.headers_mut();
        if let Some(seconds) = self.problem.retry_after_seconds() {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, SCHEME);
        }
        if self.replayed {
            headers.insert(REPLAYED, HeaderValue::from_static("true"));
        }
        response
    }
}
