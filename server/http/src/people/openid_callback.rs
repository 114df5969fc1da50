//! `GET /v1/login/openid/callback`: the way back from the provider.

use axum::extract::State;
use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{Html, IntoResponse, Response};
use meterhouse_edge::admission::checked_subject;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::access::{By, LoginError, SESSION_LONGEST};
use meterhouse_openid::{Finished, OpenIdError, ReturnPath, Returned};
use serde::Deserialize;
use utoipa::IntoParams;

use super::cookie::{Cookie, OPENID, cookie, kept};
use super::openid_login::{failure, provider, second};
use crate::caller::{Stranger, cookie_of};
use crate::document::OpenIdProblems;
use crate::extract::parameters::{PlainText, QueryOf, optional};
use crate::options::Shared;
use crate::problem::Failure;

/// Nothing is loaded by the page, and no other page shows it.
const POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
/// The address with the code is sent nowhere.
const REFERRER: HeaderValue = HeaderValue::from_static("no-referrer");

/// The parameters that the provider sends the browser back with. Others are ignored (RFC 6749, section 4.1.2).
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FinishQuery {
    /// Code for the ID token.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>)]
    code: Option<PlainText>,
    /// Text that the login was begun with.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>)]
    state: Option<PlainText>,
    /// Word of an error, instead of a code.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>)]
    error: Option<PlainText>,
    /// Issuer that answers (RFC 9207).
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>)]
    iss: Option<PlainText>,
}

/// Finishes a login by OpenID Connect: the session is in a cookie, and the page goes on to the path of `next`.
///
/// The answer is a page and no redirect: a browser sends a cookie that is `SameSite=Strict` from a page of the same site only.
#[utoipa::path(
    get,
    path = "/v1/login/openid/callback",
    operation_id = "finish_openid_login",
    tag = "people",
    security(()),
    params(FinishQuery),
    responses(
        (status = 200, description = "Logged in; the page goes on", body = String, content_type = "text/html", headers(
            ("Set-Cookie" = String, description = "The session: HttpOnly, Secure, SameSite=Strict"))),
        OpenIdProblems,
    ),
)]
pub(crate) async fn finish_openid(
    State(shared): State<Shared>,
    Stranger(by): Stranger,
    headers: HeaderMap,
    QueryOf(query): QueryOf<FinishQuery>,
) -> Result<Response, Failure> {
    provider(&shared)?;
    let finished = session(&shared, &by, &headers, &query).await;
    let mut response = match finished {
        Ok((cookie, next)) => ([cookie], page(&next)).into_response(),
        Err(failure) => failure.into_response(),
    };
    // A login is finished once, also one that failed.
    let (name, ended) = kept(OPENID, "", 0)?;
    response.headers_mut().append(name, ended);
    Ok(response)
}

/// Begins the session of the person whom the provider vouches for. Returns its cookie, and the path to go on to.
async fn session(
    shared: &Shared,
    by: &By,
    headers: &HeaderMap,
    query: &FinishQuery,
) -> Result<(Cookie, ReturnPath), Failure> {
    let provider = provider(shared)?;
    let access = shared.engine.access();
    let returned = Returned {
        code: text(query.code.as_ref()),
        state: text(query.state.as_ref()),
        error: text(query.error.as_ref()),
        issuer: text(query.iss.as_ref()),
        cookie: cookie_of(headers, OPENID),
    };
    let finished = match provider.finish(returned, second()).await {
        Ok(finished) => finished,
        Err(error) => {
            if !matches!(error, OpenIdError::Unavailable(_)) {
                access.openid_failed(by, &error.to_string()).await?;
            }
            return Err(failure(&error));
        }
    };
    let Finished {
        subject,
        login,
        next,
    } = finished;
    let Ok(subject) = checked_subject(provider.issuer(), &subject) else {
        access
            .openid_failed(by, "a subject that nobody can have")
            .await?;
        return Err(EdgeCode::OpenIdNotAdmitted.into());
    };
    let logged_in = access.login_by_openid(by, &subject, login).await;
    let logged_in = logged_in.map_err(|error| match error {
        LoginError::Wrong => {
            let detail = "this login was used up, or the person's access was changed meanwhile: begin it again";
            EdgeError::because(EdgeCode::OpenIdNotBegun, detail).into()
        }
        error => Failure::from(error),
    })?;
    Ok((cookie(&logged_in.secret, SESSION_LONGEST.as_secs())?, next))
}

fn text(parameter: Option<&PlainText>) -> Option<&str> {
    parameter.map(|text| text.0.as_str())
}

/// Returns the page that goes on to a path. A path has no sign of HTML but `&`.
fn page(next: &ReturnPath) -> impl IntoResponse + use<> {
    let next = next.as_str().replace('&', "&amp;");
    let page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Meterhouse</title>\n\
         <meta http-equiv=\"refresh\" content=\"0;url={next}\">\n<p><a href=\"{next}\">Go on</a></p></html>\n"
    );
    let headers = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, REFERRER),
    ];
    (headers, Html(page))
}
