//! The security headers of every response.

use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

/// Policy that limits the page to its own server. `ws:` is for browsers whose `'self'` excludes
/// `WebSockets`.
const POLICY: &str = "default-src 'self'; connect-src 'self' ws: wss:; style-src 'self'; \
                      script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

const SECURITY: [(HeaderName, HeaderValue); 3] = [
    (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
];

/// Returns the response with the security headers.
pub(crate) fn secured(mut response: Response) -> Response {
    response.headers_mut().extend(SECURITY);
    response
}
