//! The authenticated caller, as an argument of a handler.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderValue};
use meterhouse_edge::authenticate;
use meterhouse_engine::tokens::Caller;
use meterhouse_tls::ClientCertificate;

use crate::listener::AnonymousConnection;
use crate::options::Shared;
use crate::problem::Failure;

/// Returns the client certificate of a request's connection.
pub(crate) fn certificate(extensions: &Extensions) -> ClientCertificate {
    extensions.get().cloned().unwrap_or_default()
}

/// The holder of the request's token, who may use the operation. Nothing but the head is read before that is known, so
/// that a caller without the right learns nothing about the rest of the request.
pub(crate) struct Authenticated(pub(crate) Caller);

impl FromRequestParts<Shared> for Authenticated {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Failure> {
        let caller = authenticated(parts, shared).await?;
        shared.rights.check(&caller, parts).await?;
        Ok(Self(caller))
    }
}

/// The head of a request whose token, if there is one, counts only for some parameters.
pub(crate) struct PerhapsAuthenticated(Parts);

impl PerhapsAuthenticated {
    /// Returns the holder of the request's token. Returns nothing for a request without a token.
    ///
    /// # Errors
    /// `unauthenticated` if the token is not valid.
    pub(crate) async fn caller(&self, shared: &Shared) -> Result<Option<Caller>, Failure> {
        if !self.0.headers.contains_key(AUTHORIZATION) {
            return Ok(None);
        }
        authenticated(&self.0, shared).await.map(Some)
    }
}

impl FromRequestParts<Shared> for PerhapsAuthenticated {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Self, Infallible> {
        Ok(Self(parts.clone()))
    }
}

async fn authenticated(parts: &Parts, shared: &Shared) -> Result<Caller, Failure> {
    let header = parts.headers.get(AUTHORIZATION).map(HeaderValue::as_bytes);
    let certificate = certificate(&parts.extensions);
    let caller = authenticate::caller(&shared.engine, header, &certificate).await?;
    if let Some(connection) = parts.extensions.get::<AnonymousConnection>() {
        connection.mark_authenticated();
    }
    Ok(caller)
}
