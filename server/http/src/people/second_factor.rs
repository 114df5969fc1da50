//! `POST` and `PUT /v1/session/second-factor`, `DELETE /v1/people/{person}/second-factor`.

use axum::Json;
use axum::extract::State;
use meterhouse_api::access::{DrawnSecret, SecondFactor, SecondFactorRequest};
use meterhouse_edge::authorize;
use meterhouse_engine::access::Only;

use crate::caller::Identified;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::PersonPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;

/// Draws a secret for the authenticator app of the session's person. It counts once a code of it was sent.
#[utoipa::path(
    post,
    path = "/v1/session/second-factor",
    operation_id = "draw_second_factor",
    tag = "people",
    security(("token" = [])),
    responses((status = 201, description = "The secret", body = DrawnSecret), WriteProblems),
)]
pub(crate) async fn draw_factor(
    State(shared): State<Shared>,
    identified: Identified,
) -> Result<(axum::http::StatusCode, Json<DrawnSecret>), Failure> {
    identified.session()?;
    let name = identified.caller.person.name.to_string();
    let drawn = shared.engine.access().new_factor(&name)?;
    let body = DrawnSecret {
        secret: drawn.secret,
        link: drawn.link,
    };
    Ok((axum::http::StatusCode::CREATED, Json(body)))
}

/// Gives the session's person a second factor: from now on a login needs a code of the app.
///
/// A person who has one already sends a code of it as `old`.
#[utoipa::path(
    put,
    path = "/v1/session/second-factor",
    operation_id = "set_second_factor",
    tag = "people",
    security(("token" = [])),
    request_body = SecondFactorRequest,
    responses((status = 200, description = "Set", body = SecondFactor), WriteProblems),
)]
pub(crate) async fn set_factor(
    State(shared): State<Shared>,
    identified: Identified,
    JsonBody(body): JsonBody<SecondFactorRequest>,
) -> Result<Json<SecondFactor>, Failure> {
    identified.session()?;
    let name = identified.caller.person.name.to_string();
    let access = shared.engine.access();
    access
        .set_factor(
            &identified.by,
            &name,
            (&body.secret, &body.code),
            body.old.as_deref(),
        )
        .await?;
    Ok(Json(SecondFactor { name, set: true }))
}

/// Takes a person's second factor away, for example after the app was lost.
#[utoipa::path(
    delete,
    path = "/v1/people/{person}/second-factor",
    operation_id = "remove_second_factor",
    tag = "people",
    security(("token" = [])),
    params(PersonPath),
    responses((status = 200, description = "Removed", body = SecondFactor), WriteProblems),
)]
pub(crate) async fn remove_factor(
    State(shared): State<Shared>,
    identified: Identified,
    PathOf(PersonPath { person }): PathOf<PersonPath>,
) -> Result<Json<SecondFactor>, Failure> {
    authorize::admit(&identified.caller)?;
    let name = person.to_string();
    let access = shared.engine.access();
    access
        .remove_factor(&identified.by, Only::Always, &name)
        .await?;
    Ok(Json(SecondFactor { name, set: false }))
}
