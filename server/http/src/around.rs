//! What is done around every request, whatever its operation: id, span and time, headers of the response, panics, unread
//! bodies, and the deadline.
//!
//! # Order
//! From the outside: the observation, the id, the headers, panics, unread bodies, the deadline, the operation.
//!
//! # Size
//! Each step takes the future of the next one by reference. A future that is passed by value is stored twice: as the argument,
//! and as what is awaited.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};

use axum::extract::{MatchedPath, Request};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use meterhouse_edge::codes::EdgeCode;

use crate::deadline::in_time;
use crate::observe::{Observed, Route};
use crate::problem::Failure;
use crate::request_id::{REQUEST_ID, id_of};
use crate::unread_body::announcing_close;

/// Handles a request of the router.
pub(crate) async fn around(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.map_or(Route::None, Route::Matched);
    let method = request.method().clone();
    let around = Around::begin(&request, route);
    let operation = announcing_close(request, move |request| async move {
        in_time(&method, pin!(next.run(request))).await
    });
    around.handled(pin!(operation)).await
}

/// A request that is about to be handled.
pub(crate) struct Around {
    id: HeaderValue,
    observed: Observed,
}

impl Around {
    /// Begins the handling of a request.
    pub(crate) fn begin<B>(request: &axum::http::Request<B>, route: Route) -> Self {
        let id = id_of(request.headers());
        Self {
            observed: Observed::begin(request, route),
            id,
        }
    }

    /// Handles the request by its operation, and completes the response.
    pub(crate) async fn handled(
        self,
        operation: Pin<&mut impl Future<Output = Response>>,
    ) -> Response {
        let Self { id, observed } = self;
        let protected = async {
            let response = AssertUnwindSafe(operation).catch_unwind().await;
            let mut response = response.unwrap_or_else(|cause| panicked(&*cause));
            let headers = response.headers_mut();
            if !headers.contains_key(CACHE_CONTROL) {
                headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
            }
            let no_sniff = HeaderValue::from_static("nosniff");
            headers.insert(X_CONTENT_TYPE_OPTIONS, no_sniff);
            response
        };
        let mut response = observed.handled(&id, pin!(protected)).await;
        let headers = response.headers_mut();
        if !headers.contains_key(REQUEST_ID) {
            headers.insert(REQUEST_ID, id);
        }
        response
    }
}

/// Answers a request whose handler panicked, so that a fault of one request ends no other.
fn panicked(cause: &(dyn Any + Send)) -> Response {
    let message = cause
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| cause.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    tracing::error!(message, "a handler panicked");
    Failure::from(EdgeCode::Internal).into_response()
}
