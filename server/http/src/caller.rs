//! The authenticated caller, as an argument of a handler.

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

/// The holder of the request's token.
pub(crate) struct Authenticated(pub(crate) Caller);

impl FromRequestParts<Shared> for Authenticated {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Failure> {
        let header = parts.headers.get(AUTHORIZATION).map(HeaderValue::as_bytes);
        let certificate = certificate(&parts.extensions);
        let caller = authenticate::caller(&shared.engine, header, &certificate).await?;
        if let Some(connection) = parts.extensions.get::<AnonymousConnection>() {
            connection.mark_authenticated();
        }
        Ok(Self(caller))
    }
}
