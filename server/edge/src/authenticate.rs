//! Authentication of a caller by the token in the header `Authorization`.
//!
//! # Limits
//! A token has at most [`TOKEN_LENGTH_MAX`] bytes. The engine looks a token up by its digest.

use meterhouse_domain::ids::{LinkName, TableName};
use meterhouse_engine::Engine;
use meterhouse_engine::feed::feed_pass::FeedPass;
use meterhouse_engine::held_credentials::Held;
use meterhouse_engine::tokens::Caller;
use meterhouse_tls::ClientCertificate;

use crate::authorize;
use crate::codes::EdgeCode;
use crate::value::shown;
use crate::wire_error::{EdgeError, WireError};

/// Maximum length in bytes of a token that is looked up. Tokens of this server are 256 random bits
/// as text.
pub const TOKEN_LENGTH_MAX: usize = 256;
/// The scheme of RFC 6750, in any case.
const SCHEME: &str = "Bearer";
/// Detail of the error for a token that is not valid.
const UNKNOWN: &str = "the token is unknown, expired or revoked; make a new one";

/// Returns the caller that holds the token of this header. The token of a table needs the table's client certificate,
/// if the server asks for certificates.
///
/// # Errors
/// `unauthenticated` without a valid token, `certificate_missing` or `certificate_mismatch` for a table's token on a
/// connection without its certificate, or the engine's error if the lookup fails.
pub async fn caller(
    engine: &Engine,
    header: Option<&[u8]>,
    certificate: &ClientCertificate,
) -> Result<Held<Caller>, WireError> {
    let token = bearer(header)?;
    let caller = engine.authenticate(token).await?;
    let caller = caller.ok_or_else(|| refused(UNKNOWN))?;
    if let Some(table) = &caller.table {
        check_certificate(table, certificate)?;
    }
    Ok(caller)
}

/// Checks that a connection's client certificate is the table's.
fn check_certificate(table: &TableName, certificate: &ClientCertificate) -> Result<(), EdgeError> {
    match certificate {
        ClientCertificate::Unchecked => Ok(()),
        ClientCertificate::Missing => {
            Err(EdgeError::new(EdgeCode::CertificateMissing).with("table", table))
        }
        ClientCertificate::Names(names) if names.iter().any(|name| name == table.as_str()) => {
            Ok(())
        }
        ClientCertificate::Names(names) => Err(EdgeError::new(EdgeCode::CertificateMismatch)
            .with("table", table)
            .with("certificate", shown(&names.join(", ")))),
    }
}

/// Returns the pass with which a caller receives the feed of a link; `None` without a header. A caller that may not read
/// the link gets the players' feed. A paired screen gets the feeds of its own links only.
///
/// # Errors
/// As [`caller`], if there is a header; `forbidden` for another link of a screen.
pub async fn feed_pass(
    engine: &Engine,
    header: Option<&[u8]>,
    certificate: &ClientCertificate,
    link: &LinkName,
) -> Result<Option<FeedPass>, WireError> {
    if header.is_none() {
        return Ok(None);
    }
    let caller = caller(engine, header, certificate).await?;
    let token = bearer(header)?.to_owned();
    if authorize::read_link(&caller, link).is_ok() {
        return Ok(Some(FeedPass::Token(token)));
    }
    let links = engine.access().links_of_screen(&caller).await?;
    authorize::link_of_screen(links.as_deref(), link)?;
    Ok(Some(FeedPass::Display(token)))
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

    /// A table's token is used on a connection with a certificate of the table's name, if certificates are asked for.
    #[test]
    fn a_certificate_is_bound_to_its_table() {
        let table: TableName = "T1".parse().expect("a name");
        let names = |names: &[&str]| {
            let names = names.iter().map(ToString::to_string);
            ClientCertificate::Names(names.collect())
        };
        let code = |certificate: &ClientCertificate| {
            check_certificate(&table, certificate).map_err(|error| error.code)
        };
        assert_eq!(code(&ClientCertificate::Unchecked), Ok(()));
        assert_eq!(code(&names(&["T2", "T1"])), Ok(()));
        assert_eq!(
            code(&ClientCertificate::Missing),
            Err(EdgeCode::CertificateMissing)
        );
        for others in [&[] as &[&str], &["T2"], &["t1"], &["T1.example"]] {
            assert_eq!(
                code(&names(others)),
                Err(EdgeCode::CertificateMismatch),
                "{others:?}"
            );
        }
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
