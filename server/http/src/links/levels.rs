//! `PUT` and `DELETE /v1/links/{link}/levels/{level}/disabled`: a level is off, and on again.

use axum::extract::State;
use meterhouse_edge::authorize;
use serde::Serialize;
use utoipa::ToSchema;

use super::suspension::ReasonBody;
use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::{JsonBody, LevelOf, LinkOf};
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Whether a level is off.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LevelSwitched {
    /// The link.
    link: String,
    /// The level.
    #[schema(examples("minor"))]
    level: String,
    /// Whether it is off.
    disabled: bool,
}

/// Disables a level: it takes nothing, and only rounds that were locked before can win it.
///
/// Where the paytable has lines on it the whole link takes no coin-in until it is enabled again.
#[utoipa::path(
    put,
    path = "/v1/links/{link}/levels/{level}/disabled",
    operation_id = "disable_level",
    tag = "links",
    security(("token" = [])),
    params(
        ("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("level" = String, Path, description = "The level", pattern = "^[A-Za-z0-9-]{1,32}$"),
    ),
    request_body = ReasonBody,
    responses(
        (status = 201, description = "Disabled", body = LevelSwitched),
        (status = 200, description = "Disabled before", body = LevelSwitched,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn disable(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    LinkOf(link): LinkOf,
    LevelOf(level): LevelOf,
    JsonBody(body): JsonBody<ReasonBody>,
) -> Result<Written<LevelSwitched>, Failure> {
    authorize::run_link(&caller)?;
    let (person, reason) = (&caller.person, body.read()?);
    let done = shared.engine.disable_level(person, &link, &level, reason);
    let replayed = done.await?.replayed;
    Ok(Written {
        body: LevelSwitched {
            link: link.to_string(),
            level: level.to_string(),
            disabled: true,
        },
        replayed,
    })
}

/// Enables a level: it plays on with the amounts that it had.
#[utoipa::path(
    delete,
    path = "/v1/links/{link}/levels/{level}/disabled",
    operation_id = "enable_level",
    tag = "links",
    security(("token" = [])),
    params(
        ("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("level" = String, Path, description = "The level", pattern = "^[A-Za-z0-9-]{1,32}$"),
    ),
    responses(
        (status = 201, description = "Enabled", body = LevelSwitched),
        (status = 200, description = "It was not off", body = LevelSwitched,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn enable(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    LinkOf(link): LinkOf,
    LevelOf(level): LevelOf,
) -> Result<Written<LevelSwitched>, Failure> {
    authorize::run_link(&caller)?;
    let engine = &shared.engine;
    let enabled = engine.enable_level(&caller.person, &link, &level);
    let replayed = enabled.await?.replayed;
    Ok(Written {
        body: LevelSwitched {
            link: link.to_string(),
            level: level.to_string(),
            disabled: false,
        },
        replayed,
    })
}
