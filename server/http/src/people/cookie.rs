//! The cookie of a session.

use axum::http::header::SET_COOKIE;
use axum::http::{HeaderName, HeaderValue};

use crate::caller::SESSION_COOKIE;
use crate::problem::Failure;

/// Returns the header that sets the session's cookie, or ends it after 0 seconds.
pub(super) fn cookie(secret: &str, seconds: u64) -> Result<(HeaderName, HeaderValue), Failure> {
    let text = format!(
        "{SESSION_COOKIE}={secret}; Path=/; Max-Age={seconds}; HttpOnly; Secure; SameSite=Strict"
    );
    let value = HeaderValue::try_from(text);
    let value = value.map_err(|_| Failure::internal("a session is no text of a header"))?;
    Ok((SET_COOKIE, value))
}
