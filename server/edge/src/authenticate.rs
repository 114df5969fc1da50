//! Authentication of a caller by the token in the header `Authorization`.
//!
//! # Limits
//! A token has at most [`TOKEN_LENGTH_MAX`] bytes. The engine looks a token up by its digest.

use meterhouse_domain::ids::LinkName;
use meterhouse_engine::Engine;
use meterhouse_engine::tokens::Caller;

use crate::authorize;
use crate::codes::EdgeCode;
use crate::wire_error::{EdgeError, WireError};

/// Maximum length in bytes of a token that is looked up. Tokens of this server are 256 random bits
/// as text.
pub const TOKEN_LENGTH_MAX: usize = 256;
/// The scheme of RFC 6750, in any case.
const SCHEME: &str = "Bearer";
/// Detail of the error for a token that is not valid.
const UNKNOWN: &str = "the token is unknown, expired or revoked; make a new one";

/// Returns the caller that holds the token of this header.
///
/// # Errors
/// `unauthenticated` without a valid token, or the engine's error if the lookup fails.
pub async fn caller(engine: &Engine, header: Option<&[u8]>) -> Result<Caller, WireError> {
    let token = bearer(header)?;
    let caller = engine.authenticate(token).await?;
    caller.ok_or_else(|| refused(UNKNOWN).into())
}

/// Returns the token with which a caller receives the floor's feed of a link. `None` means the
/// players' feed: without a header, and for a caller that may not read the link.
///
/// # Errors
/// As [`caller`], if there is a header.
pub async fn floor_token<'header>(
    engine: &Engine,
    header: Option<&'header [u8]>,
    link: &LinkName,
) -> Result<Option<&'header str>, WireError> {
    if header.is_none() {
        return Ok(None);
    }
    let caller = caller(engine, header).await?;
    let may_read = authorize::read_link(&caller, link).is_ok();
    Ok(may_read.then_some(bearer(header)?))
}

/// Returns the error of a feed whose token is no longer valid.
pub fn no_longer() -> EdgeError {
    refused(UNKNOWN)
}

/// Returns the token in a header.
///
/// # Errors
/// `unauthenticated` if the header is missing or is not `Bearer TOKEN`.
pub fn bearer(header: Option<&[u8]>) -> Result<&str, EdgeError> {
    let header = header.ok_or_else(|| EdgeError::new(EdgeCode::Unauthenticated))?;
    let malformed = || refused("the header Authorization has to be: Bearer TOKEN");
    let text = core::str::from_utf8(header).map_err(|_| malformed())?;
    let (scheme, token) = text.split_once(' ').ok_or_else(malformed)?;
    let token = token.trim_matches(' ');
    let is_token = (1..=TOKEN_LENGTH_MAX).contains(&token.len())
        && token.bytes().all(|byte| byte.is_ascii_graphic());
    if scheme.eq_ignore_ascii_case(SCHEME) && is_token {
        Ok(token)
    } else {
        Err(malformed())
    }
}

fn refused(detail: &str) -> EdgeError {
    EdgeError::because(EdgeCode::Unauthenticated, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_from_the_header() {
        assert_eq!(bearer(Some(b"Bearer abc")), Ok("abc"));
        assert_eq!(bearer(Some(b"bearer  abc ")), Ok("abc"));
    }

    #[test]
    fn another_header_is_unauthenticated() {
        let long = format!("Bearer {}", "x".repeat(TOKEN_LENGTH_MAX + 1));
        let headers: [Option<&[u8]>; 8] = [
            None,
            Some(b""),
            Some(b"Bearer"),
            Some(b"Bearer "),
            Some(b"Basic abc"),
            Some(b"Bearer a b"),
            Some(b"Bearer \xff"),
            Some(long.as_bytes()),
        ];
        for header in headers {
            let error = bearer(header).expect_err("no token");
            assert_eq!(error.code, EdgeCode::Unauthenticated, "{header:?}");
        }
    }
}
