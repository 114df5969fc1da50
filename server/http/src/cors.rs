//! Cross-origin requests: pages of the listed origins may call the API from a browser.

use std::time::Duration;

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, Method};
use tower_http::cors::CorsLayer;

use crate::problem::REPLAYED;
use crate::request_id::REQUEST_ID;

/// Time for which a browser remembers what it may send.
const REMEMBERED: Duration = Duration::from_mins(10);

/// Returns the layer that lets pages of these origins send what the API reads, and read what it answers. A token comes
/// in a header, so that no cookie and no other credential of the browser is let through.
pub(crate) fn layer(origins: &[HeaderValue]) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(origins.to_vec())
        .allow_methods([Method::GET, Method::PUT, Method::POST, Method::DELETE])
        .allow_headers([AUTHORIZATION, CONTENT_TYPE, REQUEST_ID])
        .expose_headers([REQUEST_ID, REPLAYED, RETRY_AFTER])
        .max_age(REMEMBERED)
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::Body;
    use axum::http::header::{
        ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS,
        ACCESS_CONTROL_REQUEST_METHOD, ORIGIN,
    };
    use axum::http::{HeaderMap, Request};
    use axum::routing::put;
    use tower::ServiceExt as _;

    use super::*;

    async fn ask(method: Method, origin: &str) -> HeaderMap {
        let origins = [HeaderValue::from_static("https://floor.example")];
        let router = Router::new()
            .route("/", put(|| async { "done" }))
            .layer(layer(&origins));
        let request = Request::builder()
            .method(method)
            .uri("/")
            .header(ORIGIN, origin)
            .header(ACCESS_CONTROL_REQUEST_METHOD, "PUT")
            .body(Body::empty());
        let response = router.oneshot(request.expect("a request")).await;
        response.expect("a response").headers().clone()
    }

    /// A listed origin may send and read, any other may not.
    #[tokio::test]
    async fn only_listed_origins_are_let_in() {
        let asked = ask(Method::OPTIONS, "https://floor.example").await;
        assert_eq!(asked[ACCESS_CONTROL_ALLOW_ORIGIN], "https://floor.example");
        assert_eq!(asked[ACCESS_CONTROL_ALLOW_METHODS], "GET,PUT,POST,DELETE");
        let sent = ask(Method::PUT, "https://floor.example").await;
        assert_eq!(sent[ACCESS_CONTROL_ALLOW_ORIGIN], "https://floor.example");
        let readable = sent[ACCESS_CONTROL_EXPOSE_HEADERS].to_str().expect("text");
        assert!(readable.contains("meterhouse-replayed"), "{readable}");
        for other in ["https://floor.example.evil", "http://floor.example", "null"] {
            let refused = ask(Method::OPTIONS, other).await;
            assert!(
                !refused.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN),
                "{other}"
            );
        }
    }
}
