//! The response to a write: 201 the first time, 200 and a header for an idempotent replay.

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::problem::{Failure, REPLAYED};

/// Bytes that are reserved for a body: enough for the outcome of a coin-in.
const BODY_BYTES: usize = 1_024;
/// Headers for which space is reserved: all that a write's response gets.
const HEADERS: usize = 6;

/// The result of a write.
pub(crate) struct Written<T> {
    /// The body, the same for a replay.
    pub(crate) body: T,
    /// True for an idempotent replay.
    pub(crate) replayed: bool,
}

impl<T: Serialize> IntoResponse for Written<T> {
    fn into_response(self) -> Response {
        let mut body = Vec::with_capacity(BODY_BYTES);
        if let Err(error) = serde_json::to_writer(&mut body, &self.body) {
            return Failure::internal(&error.to_string()).into_response();
        }
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = StatusCode::CREATED;
        let headers = response.headers_mut();
        headers.reserve(HEADERS);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if self.replayed {
            headers.insert(REPLAYED, HeaderValue::from_static("true"));
            *response.status_mut() = StatusCode::OK;
        }
        response
    }
}
