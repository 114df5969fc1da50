//! The response to a write: 201 the first time, 200 and a header for an idempotent replay.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// The header of an idempotent replay.
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("meterhouse-replayed");

/// The result of a write.
pub(crate) struct Written<T> {
    /// The body, the same for a replay.
    pub(crate) body: T,
    /// True for an idempotent replay.
    pub(crate) replayed: bool,
}

impl<T: Serialize> IntoResponse for Written<T> {
    fn into_response(self) -> Response {
        if self.replayed {
            let headers = [(REPLAYED, HeaderValue::from_static("true"))];
            return (StatusCode::OK, headers, Json(self.body)).into_response();
        }
        (StatusCode::CREATED, Json(self.body)).into_response()
    }
}
