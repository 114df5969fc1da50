//! `PUT` and `DELETE /v1/links/{link}/suspension`: suspends a link and resumes it.

use axum::extract::State;
use meterhouse_api::link::{ReasonRequest, Suspension};
use meterhouse_edge::authorize;

use meterhouse_engine::answer::Idempotent;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::LinkPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Suspends a link: it takes no coin-in, and open rounds continue.
///
/// Once no round is open and no hit unpaid, its state is `closed`. A second suspension keeps the first reason.
#[utoipa::path(
    put,
    path = "/v1/links/{link}/suspension",
    operation_id = "suspend_link",
    tag = "links",
    security(("token" = [])),
    params(LinkPath),
    request_body = ReasonRequest,
    responses(
        (status = 201, description = "Suspended", body = Suspension),
        (status = 200, description = "Suspended before", body = Suspension,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn suspend(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    JsonBody(body): JsonBody<ReasonRequest>,
) -> Result<Written<Suspension>, Failure> {
    authorize::run_link(&caller)?;
    let reason = body.reason.given();
    let suspending = shared
        .engine
        .suspend_link(&caller.person, &link, reason.clone());
    let Idempotent {
        value: view,
        replayed,
    } = suspending.await?;
    // Since this suspension the link may have been resumed, and suspended by another person.
    let reason = if replayed {
        view.reason
    } else {
        Some(reason.to_string())
    };
    Ok(Written {
        body: Suspension {
            link,
            suspended: true,
            reason,
        },
        replayed,
    })
}

/// Resumes a link: it takes coin-in again.
#[utoipa::path(
    delete,
    path = "/v1/links/{link}/suspension",
    operation_id = "resume_link",
    tag = "links",
    security(("token" = [])),
    params(LinkPath),
    responses(
        (status = 201, description = "Resumed", body = Suspension),
        (status = 200, description = "It was not suspended", body = Suspension,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn resume(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
) -> Result<Written<Suspension>, Failure> {
    authorize::run_link(&caller)?;
    let resuming = shared.engine.resume_link(&caller.person, &link);
    let replayed = resuming.await?.replayed;
    Ok(Written {
        body: Suspension {
            link,
            suspended: false,
            reason: None,
        },
        replayed,
    })
}
