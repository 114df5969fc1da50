//! The answer to a write: 201 the first time, 200 and a header when it was done before.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// The header that says that a write was done before and this is its answer again.
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("meterhouse-replayed");

/// What a write did.
pub(crate) struct Written<T> {
    /// The same body every time.
    pub(crate) body: T,
    /// Whether it was done before.
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
