//! `GET /v1/login/openid`: the way to the provider.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::IntoResponse;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::clock::now;
use meterhouse_openid::{LOGIN_GOOD, OpenIdError, Provider, ReturnPath};
use serde::Deserialize;
use utoipa::IntoParams;

use super::cookie::{OPENID, kept};
use crate::document::OpenIdProblems;
use crate::extract::parameters::{PlainText, QueryOf, optional};
use crate::options::Shared;
use crate::problem::Failure;

/// Microseconds of a second.
const SECOND_MICROS: i64 = 1_000_000;

/// The parameters of a login by OpenID Connect.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct BeginQuery {
    /// Path of this server to go on to after the login; `/` if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>, max_length = 200, pattern = "^/([A-Za-z0-9._~?=&%-][A-Za-z0-9._~/?=&%-]*)?$")]
    next: Option<PlainText>,
}

/// Sends the browser to the house's provider, to log in there.
///
/// State, nonce and the proof for the code (PKCE) are in a cookie that is good for ten minutes, for one login.
#[utoipa::path(
    get,
    path = "/v1/login/openid",
    operation_id = "begin_openid_login",
    tag = "people",
    security(()),
    params(BeginQuery),
    responses(
        (status = 303, description = "Go to the provider", headers(
            ("Location" = String, description = "Address at the provider"),
            ("Set-Cookie" = String, description = "What finishes the login: HttpOnly, Secure, SameSite=Lax"))),
        OpenIdProblems,
    ),
)]
pub(crate) async fn begin_openid(
    State(shared): State<Shared>,
    QueryOf(query): QueryOf<BeginQuery>,
) -> Result<impl IntoResponse, Failure> {
    let next = match query.next {
        Some(path) => path.0.parse().map_err(|error| {
            let detail = format!("next: {error}");
            EdgeError::because(EdgeCode::InvalidParameter, detail).with("parameter", "next")
        })?,
        None => ReturnPath::default(),
    };
    let begun = provider(&shared)?.begin(next, second()).await;
    let begun = begun.map_err(|error| failure(&error))?;
    let cookie = kept(OPENID, &begun.cookie, LOGIN_GOOD.as_secs())?;
    Ok((StatusCode::SEE_OTHER, [cookie], [(LOCATION, begun.address)]))
}

/// Returns the provider of the house.
pub(super) fn provider(shared: &Shared) -> Result<&Arc<Provider>, Failure> {
    let provider = shared.options.openid.as_ref();
    provider.ok_or_else(|| EdgeCode::OpenIdNotConfigured.into())
}

/// Returns the second since 1970.
pub(super) fn second() -> i64 {
    now().0 / SECOND_MICROS
}

/// Returns the failure of a login that did not succeed.
pub(super) fn failure(error: &OpenIdError) -> Failure {
    let code = match error {
        OpenIdError::NotBegun(_) => EdgeCode::OpenIdNotBegun,
        OpenIdError::Refused(_) => EdgeCode::OpenIdRefused,
        OpenIdError::NotProven(_) => EdgeCode::OpenIdNotProven,
        // The log has why; strangers need not know the house's network.
        OpenIdError::Unavailable(_) => return EdgeCode::OpenIdUnavailable.into(),
    };
    EdgeError::because(code, format!("{error}; {}", code.advice())).into()
}
