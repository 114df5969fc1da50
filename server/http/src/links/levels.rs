//! `PUT` and `DELETE /v1/links/{link}/levels/{level}/disabled`: switches a level off and on.

use axum::extract::State;
use meterhouse_api::link::{ReasonRequest, SwitchedLevel};
use meterhouse_edge::authorize;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::LevelPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Disables a level: it takes nothing, and only rounds that were locked before can win it.
///
/// If the paytable has lines on it, the whole link takes no coin-in until the level is enabled again.
#[utoipa::path(
    put,
    path = "/v1/links/{link}/levels/{level}/disabled",
    operation_id = "disable_level",
    tag = "links",
    security(("token" = [])),
    params(LevelPath),
    request_body = ReasonRequest,
    responses(
        (status = 201, description = "Disabled", body = SwitchedLevel),
        (status = 200, description = "Disabled before", body = SwitchedLevel,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn disable(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(LevelPath { link, level }): PathOf<LevelPath>,
    JsonBody(body): JsonBody<ReasonRequest>,
) -> Result<Written<SwitchedLevel>, Failure> {
    authorize::run_link(&caller)?;
    let (person, reason) = (&caller.person, body.reason.given());
    let done = shared.engine.disable_level(person, &link, &level, reason);
    let replayed = done.await?.replayed;
    Ok(Written {
        body: SwitchedLevel {
            link,
            level,
            disabled: true,
        },
        replayed,
    })
}

/// Enables a level: it plays on with its amounts.
#[utoipa::path(
    delete,
    path = "/v1/links/{link}/levels/{level}/disabled",
    operation_id = "enable_level",
    tag = "links",
    security(("token" = [])),
    params(LevelPath),
    responses(
        (status = 201, description = "Enabled", body = SwitchedLevel),
        (status = 200, description = "It was not off", body = SwitchedLevel,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn enable(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(LevelPath { link, level }): PathOf<LevelPath>,
) -> Result<Written<SwitchedLevel>, Failure> {
    authorize::run_link(&caller)?;
    let engine = &shared.engine;
    let enabled = engine.enable_level(&caller.person, &link, &level);
    let replayed = enabled.await?.replayed;
    Ok(Written {
        body: SwitchedLevel {
            link,
            level,
            disabled: false,
        },
        replayed,
    })
}
