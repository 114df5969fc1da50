//! The authenticated caller, as an argument of a handler.
//!
//! # Shape
//! A request shows a token in the header `Authorization`, or the session of a person in a cookie. With both, the token
//! counts. A request that changes something by a session repeats the session's token against forged requests in the
//! header [`CSRF`], which another site can't read.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use axum::extract::FromRequestParts;
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue};
use meterhouse_edge::authenticate;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::access::{By, SessionHolder};
use meterhouse_engine::held_credentials::Held;
use meterhouse_engine::tokens::Caller;
use meterhouse_tls::ClientCertificate;

use crate::client_address::ClientAddress;
use crate::listener::anonymous_connection::AnonymousConnection;
use crate::options::Shared;
use crate::problem::Failure;

/// The cookie of a session. Browsers keep a cookie with this prefix on one host, and send it encrypted only.
pub(crate) const SESSION_COOKIE: &str = "__Host-meterhouse-session";
/// The header with the token against forged requests.
pub(crate) const CSRF: HeaderName = HeaderName::from_static("meterhouse-csrf");

/// A place where the handler's argument leaves who the caller is, for the record of the request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known(pub(crate) Arc<OnceLock<By>>);

/// Returns the client certificate of a request's connection.
pub(crate) fn certificate(extensions: &Extensions) -> ClientCertificate {
    extensions.get().cloned().unwrap_or_default()
}

/// Returns a caller of whom only the address is known.
pub(crate) fn stranger(address: Option<ClientAddress>) -> By {
    By {
        address: address.map(|address| address.0.to_string()),
        ..By::default()
    }
}

/// A caller whose name is not known yet: a person who logs in or sets a password, or a new screen.
pub(crate) struct Stranger(pub(crate) By);

impl FromRequestParts<Shared> for Stranger {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Self, Infallible> {
        Ok(Self(stranger(parts.extensions.get().copied())))
    }
}

/// The holder of the request's token or session, who may use the operation. Nothing but the head is read before that is
/// known, so that a caller without the right learns nothing about the rest of the request.
pub(crate) struct Authenticated(pub(crate) Caller);

impl FromRequestParts<Shared> for Authenticated {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Failure> {
        let identified = identified(parts, shared).await?;
        shared.rights.check(&identified.caller, parts).await?;
        Ok(Self(identified.caller))
    }
}

/// The holder of the request's token or session, and what the record of acts says of it.
pub(crate) struct Identified {
    /// Holder.
    pub(crate) caller: Caller,
    /// Person or program for the record.
    pub(crate) by: By,
    /// Session with its secret; `None` for a token.
    pub(crate) session: Option<(SessionHolder, String)>,
    /// Token, for a connection that holds it; `None` for a session.
    pub(crate) token: Option<Held<Caller>>,
}

impl Identified {
    /// Returns the session with its secret.
    ///
    /// # Errors
    /// `no_session` for a token.
    pub(crate) fn session(&self) -> Result<&(SessionHolder, String), EdgeError> {
        let session = self.session.as_ref();
        session.ok_or_else(|| EdgeError::new(EdgeCode::NoSession))
    }
}

impl FromRequestParts<Shared> for Identified {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Failure> {
        let identified = identified(parts, shared).await?;
        shared.rights.check(&identified.caller, parts).await?;
        Ok(identified)
    }
}

/// The head of a request whose token or session, if there is one, counts only for some parameters.
pub(crate) struct PerhapsAuthenticated(Parts);

impl PerhapsAuthenticated {
    /// Returns the holder of the request's token or session. Returns nothing for a request without.
    ///
    /// # Errors
    /// `unauthenticated` if the token or session is not valid.
    pub(crate) async fn caller(&self, shared: &Shared) -> Result<Option<Caller>, Failure> {
        if !has_credential(&self.0.headers) {
            return Ok(None);
        }
        let identified = identified(&self.0, shared).await?;
        Ok(Some(identified.caller))
    }
}

impl FromRequestParts<Shared> for PerhapsAuthenticated {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Self, Infallible> {
        Ok(Self(parts.clone()))
    }
}

async fn identified(parts: &Parts, shared: &Shared) -> Result<Identified, Failure> {
    let header = parts.headers.get(AUTHORIZATION).map(HeaderValue::as_bytes);
    let identified = match (header, secret(&parts.headers)) {
        (None, Some(secret)) => by_session(parts, shared, secret).await?,
        (header, _) => {
            let certificate = certificate(&parts.extensions);
            let held = authenticate::caller(&shared.engine, header, &certificate).await?;
            let proof = if held.is_signature {
                "signature"
            } else {
                "token"
            };
            Identified {
                by: known(parts, &held, proof),
                caller: (*held).clone(),
                session: None,
                token: Some(held),
            }
        }
    };
    if let Some(connection) = parts.extensions.get::<AnonymousConnection>() {
        connection.mark_authenticated();
    }
    Ok(identified)
}

async fn by_session(parts: &Parts, shared: &Shared, secret: &str) -> Result<Identified, Failure> {
    let holder = shared.engine.access().session(secret).await?;
    let holder = holder.ok_or_else(|| {
        let detail = "the session has ended or is unknown; log in again";
        EdgeError::because(EdgeCode::Unauthenticated, detail)
    })?;
    let by = known(parts, &holder.caller, "session");
    let sent = parts.headers.get(CSRF).map(HeaderValue::as_bytes);
    if !parts.method.is_safe() && sent != Some(holder.csrf.as_bytes()) {
        return Err(EdgeCode::CsrfMissing.into());
    }
    Ok(Identified {
        by,
        caller: holder.caller.clone(),
        session: Some((holder, secret.to_owned())),
        token: None,
    })
}

/// Returns who sends a request, and notes it for the record.
fn known(parts: &Parts, caller: &Caller, proof: &'static str) -> By {
    let by = By {
        actor: Some(caller.person.actor),
        name: Some(caller.person.name.to_string()),
        proof,
        ..stranger(parts.extensions.get().copied())
    };
    if let Some(known) = parts.extensions.get::<Known>() {
        // A request is identified once; a second time it is the same.
        let _ = known.0.set(by.clone());
    }
    by
}

/// Returns `true` if a request shows a token or a session.
pub(crate) fn has_credential(headers: &HeaderMap) -> bool {
    headers.contains_key(AUTHORIZATION) || secret(headers).is_some()
}

/// Returns the secret of the session in a request's cookies.
pub(crate) fn secret(headers: &HeaderMap) -> Option<&str> {
    cookie_of(headers, SESSION_COOKIE)
}

/// Returns the value of a cookie of a request.
pub(crate) fn cookie_of<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get_all(COOKIE).iter();
    let mut pairs = cookies
        .filter_map(|cookies| cookies.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    let found = pairs.find(|(found, _)| *found == name);
    found.map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_session_is_found_among_the_cookies() {
        let of = |cookies: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for cookie in cookies {
                headers.append(COOKIE, HeaderValue::from_static(cookie));
            }
            secret(&headers).map(str::to_owned)
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&["a=b; c"]), None);
        let expected = Some("s3".to_owned());
        assert_eq!(of(&["a=b; __Host-meterhouse-session=s3; c=d"]), expected);
        assert_eq!(of(&["a=b", "__Host-meterhouse-session=s3"]), expected);
        assert_eq!(of(&["x__Host-meterhouse-session=s3"]), None);
    }
}
