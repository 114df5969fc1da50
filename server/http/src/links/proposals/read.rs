//! `GET /v1/links/{link}/proposals/{proposal}`: one proposal, with who decided it and what it did.

use axum::Json;
use axum::extract::State;
use meterhouse_edge::authorize;

use super::view::ProposalNow;
use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::{LinkOf, ProposalOf, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::Names;

/// Reads a proposal.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/proposals/{proposal}",
    operation_id = "read_proposal",
    tag = "links",
    security(("token" = [])),
    params(
        ("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("proposal" = String, Path, description = "The proposal: a UUID", pattern = "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"),
    ),
    responses((status = 200, description = "The proposal", body = ProposalNow), ReadProblems),
)]
pub(crate) async fn read(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    LinkOf(link): LinkOf,
    ProposalOf(proposal): ProposalOf,
    query: Query,
) -> Result<Json<ProposalNow>, Failure> {
    authorize::read_link(&caller, &link)?;
    query.only(&[])?;
    let found = shared.engine.proposal(&link, proposal).await?;
    let of_link = shared.engine.link(&link).await?;
    Ok(Json(ProposalNow::new(Names::of_view(&of_link), &found)))
}
