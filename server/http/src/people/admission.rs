//! `POST /v1/people` and what an administrator does with one person.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use meterhouse_api::access::{
    AccessState, EndAccessRequest, EndedCredentials, EndedDelay, PasswordCode, PersonRequest,
};
use meterhouse_api::text::Text;
use meterhouse_edge::admission::{Admission, checked, checked_subject};
use meterhouse_edge::authorize;
use meterhouse_engine::access::Only;

use super::openid_login::provider;
use super::session::holder_role;
use crate::caller::Identified;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::PersonPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;

/// Admits a person, and makes a code with which the person sets a password. For a person who is known it makes a new code.
///
/// The code is good for 24 hours and once. Older codes of the person end. With `openid_subject` no code is made: the person
/// logs in by OpenID Connect, by this subject from now on, and all sessions of the person end.
#[utoipa::path(
    post,
    path = "/v1/people",
    operation_id = "admit_person",
    tag = "people",
    security(("token" = [])),
    request_body = PersonRequest,
    responses((status = 201, description = "The code", body = PasswordCode), WriteProblems),
)]
pub(crate) async fn admit(
    State(shared): State<Shared>,
    identified: Identified,
    JsonBody(body): JsonBody<PersonRequest>,
) -> Result<(StatusCode, Json<PasswordCode>), Failure> {
    authorize::admit(&identified.caller)?;
    let who = checked(Admission {
        name: body.name.to_string(),
        role: holder_role(body.role.name())?,
        table: None,
        link: None,
        department: body.department.map(|department| department.to_string()),
        rights: body.rights,
    })?;
    let name = who.name.clone();
    let (access, by) = (shared.engine.access(), &identified.by);
    let made = match body.openid_subject {
        Some(subject) => {
            let subject = checked_subject(provider(&shared)?.issuer(), &subject)?;
            access.set_openid(by, Only::Always, who, subject).await?;
            None
        }
        None => Some(access.new_code(by, Only::Always, who).await?),
    };
    let (code, expires_at) = made.map(|made| (made.code, Text(made.expires_at))).unzip();
    let body = PasswordCode {
        name,
        code,
        expires_at,
    };
    Ok((StatusCode::CREATED, Json(body)))
}

/// Ends the access of a person or program, with all its sessions and tokens.
#[utoipa::path(
    put,
    path = "/v1/people/{person}/access-end",
    operation_id = "end_access",
    tag = "people",
    security(("token" = [])),
    params(PersonPath),
    request_body = EndAccessRequest,
    responses((status = 200, description = "Ended", body = AccessState), WriteProblems),
)]
pub(crate) async fn end_access(
    State(shared): State<Shared>,
    identified: Identified,
    PathOf(PersonPath { person }): PathOf<PersonPath>,
    JsonBody(body): JsonBody<EndAccessRequest>,
) -> Result<Json<AccessState>, Failure> {
    authorize::admit(&identified.caller)?;
    let mut by = identified.by;
    let reason = ("reason".to_owned(), body.reason.to_string());
    by.details.push(reason);
    let name = person.to_string();
    let access = shared.engine.access();
    access.set_access(&by, Only::Always, &name, true).await?;
    Ok(Json(AccessState {
        name,
        access_ended: true,
    }))
}

/// Restores the access of a person or program. Its old sessions and tokens stay ended.
#[utoipa::path(
    delete,
    path = "/v1/people/{person}/access-end",
    operation_id = "restore_access",
    tag = "people",
    security(("token" = [])),
    params(PersonPath),
    responses((status = 200, description = "Restored", body = AccessState), WriteProblems),
)]
pub(crate) async fn restore_access(
    State(shared): State<Shared>,
    identified: Identified,
    PathOf(PersonPath { person }): PathOf<PersonPath>,
) -> Result<Json<AccessState>, Failure> {
    authorize::admit(&identified.caller)?;
    let name = person.to_string();
    let access = shared.engine.access();
    let by = &identified.by;
    access.set_access(by, Only::Always, &name, false).await?;
    Ok(Json(AccessState {
        name,
        access_ended: false,
    }))
}

/// Ends all sessions of a person.
#[utoipa::path(
    delete,
    path = "/v1/people/{person}/sessions",
    operation_id = "end_sessions",
    tag = "people",
    security(("token" = [])),
    params(PersonPath),
    responses((status = 200, description = "Ended", body = EndedCredentials), WriteProblems),
)]
pub(crate) async fn end_sessions(
    State(shared): State<Shared>,
    identified: Identified,
    PathOf(PersonPath { person }): PathOf<PersonPath>,
) -> Result<Json<EndedCredentials>, Failure> {
    authorize::admit(&identified.caller)?;
    let name = person.to_string();
    let access = shared.engine.access();
    let by = &identified.by;
    let ended = access.end_sessions(by, Only::Always, &name).await?;
    Ok(Json(EndedCredentials { name, ended }))
}

/// Lets a person who waits after wrong logins try again at once.
#[utoipa::path(
    delete,
    path = "/v1/people/{person}/login-delay",
    operation_id = "end_delay",
    tag = "people",
    security(("token" = [])),
    params(PersonPath),
    responses((status = 200, description = "Ended", body = EndedDelay), WriteProblems),
)]
pub(crate) async fn end_delay(
    State(shared): State<Shared>,
    identified: Identified,
    PathOf(PersonPath { person }): PathOf<PersonPath>,
) -> Result<Json<EndedDelay>, Failure> {
    authorize::admit(&identified.caller)?;
    let name = person.to_string();
    let access = shared.engine.access();
    let ended = access.end_delay(&identified.by, &name).await?;
    Ok(Json(EndedDelay { name, ended }))
}
