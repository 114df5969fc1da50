//! `GET /v1/links/{link}/proposals`: what waits for a second person, and what was decided last.

use axum::Json;
use axum::extract::State;
use meterhouse_edge::authorize;
use serde::Serialize;
use utoipa::ToSchema;

use super::view::ProposalNow;
use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::{LinkOf, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::Names;

/// Proposals of a link.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Proposals {
    /// The link.
    link: String,
    /// Those that wait, oldest first, then those decided last.
    proposals: Vec<ProposalNow>,
}

/// Lists the proposals of a link.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/proposals",
    operation_id = "list_proposals",
    tag = "links",
    security(("token" = [])),
    params(("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$")),
    responses((status = 200, description = "The proposals", body = Proposals), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    LinkOf(link): LinkOf,
    query: Query,
) -> Result<Json<Proposals>, Failure> {
    authorize::read_link(&caller, &link)?;
    query.only(&[])?;
    let found = shared.engine.proposals(&link).await?;
    let of_link = shared.engine.link(&link).await?;
    let names = Names::of_view(&of_link);
    let proposals = found.iter().map(|it| ProposalNow::new(names, it));
    Ok(Json(Proposals {
        link: link.to_string(),
        proposals: proposals.collect(),
    }))
}
