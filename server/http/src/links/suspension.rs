//! `PUT` and `DELETE /v1/links/{link}/suspension`: no coin-in, and coin-in again.

use axum::extract::State;
use meterhouse_domain::ids::Note;
use meterhouse_edge::authorize;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use meterhouse_engine::answer::Idempotent;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::{JsonBody, LinkOf, Loose};
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Why something is taken out of play.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Reason)]
pub(crate) struct ReasonBody {
    /// For people to read: displays show it.
    #[schema(value_type = String, min_length = 1, max_length = 256, examples("shift change"))]
    reason: Loose,
}

impl ReasonBody {
    /// The reason.
    pub(crate) fn read(&self) -> Result<Note, Failure> {
        Ok(self.reason.free_text("reason")?)
    }
}

/// Whether a link is suspended.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Suspension {
    /// The link.
    link: String,
    /// Whether it takes no coin-in.
    suspended: bool,
    /// Why: the reason that was sent, or that of who suspended it before.
    reason: Option<String>,
}

/// Suspends a link: no coin-in; everything else of open rounds goes on.
///
/// Once no round is open and no hit unpaid, its state is `closed`. Suspended again it keeps the first reason.
#[utoipa::path(
    put,
    path = "/v1/links/{link}/suspension",
    operation_id = "suspend_link",
    tag = "links",
    security(("token" = [])),
    params(("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$")),
    request_body = ReasonBody,
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
    LinkOf(link): LinkOf,
    JsonBody(body): JsonBody<ReasonBody>,
) -> Result<Written<Suspension>, Failure> {
    authorize::run_link(&caller)?;
    let reason = body.read()?;
    let suspending = shared
        .engine
        .suspend_link(&caller.person, &link, reason.clone());
    let Idempotent {
        value: view,
        replayed,
    } = suspending.await?;
    // The link may have been resumed, and suspended by somebody else, since this suspended it.
    let reason = if replayed {
        view.reason
    } else {
        Some(reason.to_string())
    };
    Ok(Written {
        body: Suspension {
            link: link.to_string(),
            suspended: true,
            reason,
        },
        replayed,
    })
}

/// Resumes a link: coin-in again.
#[utoipa::path(
    delete,
    path = "/v1/links/{link}/suspension",
    operation_id = "resume_link",
    tag = "links",
    security(("token" = [])),
    params(("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$")),
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
    LinkOf(link): LinkOf,
) -> Result<Written<Suspension>, Failure> {
    authorize::run_link(&caller)?;
    let resuming = shared.engine.resume_link(&caller.person, &link);
    let replayed = resuming.await?.replayed;
    Ok(Written {
        body: Suspension {
            link: link.to_string(),
            suspended: false,
            reason: None,
        },
        replayed,
    })
}
