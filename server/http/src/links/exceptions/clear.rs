//! `POST /v1/links/{link}/exceptions/{batch}/{position}/clearance`: a person clears an exception.

use axum::extract::State;
use meterhouse_api::exception::{ClearanceRequest, ClearedException};
use meterhouse_api::text::Text;
use meterhouse_edge::authorize;
use meterhouse_engine::answer::Idempotent;
use meterhouse_journal::position::Position;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::ExceptionPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Clears an exception, with the reason. The person who caused it may not clear it.
///
/// The first clearance stays. Another person or reason afterwards is refused.
#[utoipa::path(
    post,
    path = "/v1/links/{link}/exceptions/{batch}/{position}/clearance",
    operation_id = "clear_exception",
    tag = "links",
    security(("token" = [])),
    params(ExceptionPath),
    request_body = ClearanceRequest,
    responses(
        (status = 201, description = "Cleared", body = ClearedException),
        (status = 200, description = "Cleared so before", body = ClearedException,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn clear(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(path): PathOf<ExceptionPath>,
    JsonBody(body): JsonBody<ClearanceRequest>,
) -> Result<Written<ClearedException>, Failure> {
    authorize::close_days(&caller)?;
    let link = path.link;
    let position = Position {
        batch: path.batch.0,
        index: path.position.0,
    };
    let engine = &shared.engine;
    let clearing = engine.clear_exception(&caller.person, &link, position, body.reason.given());
    let Idempotent { value, replayed } = clearing.await?;
    let cleared = value.clearance;
    let cleared = cleared.ok_or_else(|| Failure::internal("a cleared exception is open"))?;
    Ok(Written {
        body: ClearedException {
            link,
            position: Text(position),
            by: cleared.by,
            at: Text(cleared.at),
            reason: cleared.reason,
        },
        replayed,
    })
}
