//! `DELETE /v1/people/{person}/openid`: the end of a person's login by OpenID Connect.

use axum::Json;
use axum::extract::State;
use meterhouse_api::access::OpenIdState;
use meterhouse_edge::authorize;
use meterhouse_engine::access::Only;

use crate::caller::Identified;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::PersonPath;
use crate::options::Shared;
use crate::problem::Failure;

/// Takes a person's subject of OpenID Connect away. All sessions of the person end.
#[utoipa::path(
    delete,
    path = "/v1/people/{person}/openid",
    operation_id = "remove_openid",
    tag = "people",
    security(("token" = [])),
    params(PersonPath),
    responses((status = 200, description = "Removed", body = OpenIdState), WriteProblems),
)]
pub(crate) async fn remove_openid(
    State(shared): State<Shared>,
    identified: Identified,
    PathOf(PersonPath { person }): PathOf<PersonPath>,
) -> Result<Json<OpenIdState>, Failure> {
    authorize::admit(&identified.caller)?;
    let name = person.to_string();
    let access = shared.engine.access();
    let by = &identified.by;
    access.remove_openid(by, Only::Always, &name).await?;
    Ok(Json(OpenIdState { name, set: false }))
}
