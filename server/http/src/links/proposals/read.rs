//! `GET /v1/links/{link}/proposals/{proposal}`: one proposal, with its decision and its effect.

use axum::Json;
use axum::extract::State;
use meterhouse_api::change::Proposal;
use meterhouse_edge::authorize;

use super::view::proposal;
use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::ProposalPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::names::Names;

/// Reads a proposal.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/proposals/{proposal}",
    operation_id = "read_proposal",
    tag = "links",
    security(("token" = [])),
    params(ProposalPath),
    responses((status = 200, description = "The proposal", body = Proposal), ReadProblems),
)]
pub(crate) async fn read(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(ProposalPath { link, proposal: id }): PathOf<ProposalPath>,
    _: QueryOf<NoParameters>,
) -> Result<Json<Proposal>, Failure> {
    authorize::read_link(&caller, &link)?;
    let found = shared.engine.proposal(&link, id.0).await?;
    let of_link = shared.engine.link(&link).await?;
    Ok(Json(proposal(Names::of_view(&of_link), &found)))
}
