//! `POST /v1/login`: name and password for a session.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use meterhouse_api::access::{Holder, LoginRequest};
use meterhouse_engine::access::{LoginRequest as Asked, SESSION_LONGEST};

use super::cookie::cookie;
use super::session::holder;
use crate::caller::{Identified, Stranger};
use crate::document::WriteProblems;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;

/// Logs a person in: the session is in a cookie that no script reads.
///
/// Five wrong attempts in a row are free. Each later one makes the name wait, from a second up to 15 minutes.
#[utoipa::path(
    post,
    path = "/v1/login",
    operation_id = "log_in",
    tag = "people",
    security(()),
    request_body = LoginRequest,
    responses(
        (status = 201, description = "Logged in", body = Holder, headers(
            ("Set-Cookie" = String, description = "The session: HttpOnly, Secure, SameSite=Strict"))),
        WriteProblems,
    ),
)]
pub(crate) async fn login(
    State(shared): State<Shared>,
    Stranger(by): Stranger,
    JsonBody(body): JsonBody<LoginRequest>,
) -> Result<impl IntoResponse, Failure> {
    let access = shared.engine.access();
    let asked = Asked {
        name: &body.name,
        password: &body.password,
        code: body.code.as_deref(),
    };
    let logged_in = access.login(&by, asked).await?;
    let session = access.session(&logged_in.secret).await?;
    let session = session.ok_or_else(|| Failure::internal("a new session has ended"))?;
    let cookie = cookie(&logged_in.secret, SESSION_LONGEST.as_secs())?;
    let identified = Identified {
        caller: logged_in.caller,
        by,
        session: Some((session, logged_in.secret)),
        token: None,
    };
    Ok((StatusCode::CREATED, [cookie], Json(holder(&identified))))
}
