//! The cookies of a session, and of a login by OpenID Connect.

use axum::http::header::SET_COOKIE;
use axum::http::{HeaderName, HeaderValue};

use crate::caller::SESSION_COOKIE;
use crate::problem::Failure;

/// The cookie of a login by OpenID Connect. Browsers keep a cookie with this prefix on one host, and send it encrypted only.
pub(super) const OPENID: &str = "__Host-meterhouse-openid";

/// A header that sets a cookie.
pub(super) type Cookie = (HeaderName, HeaderValue);

/// Returns the header that sets the session's cookie, or ends it after 0 seconds.
pub(super) fn cookie(secret: &str, seconds: u64) -> Result<Cookie, Failure> {
    set(SESSION_COOKIE, secret, seconds, "Strict")
}

/// Returns the header that sets a cookie which the browser also sends when another site leads it here, or ends it.
pub(super) fn kept(name: &str, text: &str, seconds: u64) -> Result<Cookie, Failure> {
    set(name, text, seconds, "Lax")
}

fn set(name: &str, text: &str, seconds: u64, same_site: &str) -> Result<Cookie, Failure> {
    let text =
        format!("{name}={text}; Path=/; Max-Age={seconds}; HttpOnly; Secure; SameSite={same_site}");
    let value = HeaderValue::try_from(text);
    let value = value.map_err(|_| Failure::internal("a cookie is no text of a header"))?;
    Ok((SET_COOKIE, value))
}
