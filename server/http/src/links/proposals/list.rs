//! `GET /v1/links/{link}/proposals`: the proposals of a link, newest first.

use axum::Json;
use axum::extract::State;
use meterhouse_api::change::ProposalPage;
use meterhouse_api::text::Text;
use meterhouse_api::values::{ProposalId, Time};
use meterhouse_edge::authorize;
use serde::Deserialize;
use utoipa::IntoParams;

use super::view::proposal;
use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{LIST_PAGE_MAX, PAGE_DEFAULT, PathOf, QueryOf, Whole, optional};
use crate::extract::paths::LinkPath;
use crate::extract::period::period;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::names::Names;

/// The parameters of a list of proposals.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ProposalsQuery {
    /// Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    after: Option<ProposalId>,
    /// Only proposals that were made at this time or later.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    from: Option<Time>,
    /// Only proposals that were made before this time.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    to: Option<Time>,
    /// Entries of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<Whole<LIST_PAGE_MAX>>,
}

/// Lists the proposals of a link.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/proposals",
    operation_id = "list_proposals",
    tag = "links",
    security(("token" = [])),
    params(LinkPath, ProposalsQuery),
    responses((status = 200, description = "A page of proposals", body = ProposalPage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    QueryOf(query): QueryOf<ProposalsQuery>,
) -> Result<Json<ProposalPage>, Failure> {
    authorize::read_link(&caller, &link)?;
    let after = query.after.map(|after| after.0);
    let limit = query.limit.map_or(PAGE_DEFAULT, |limit| limit.0);
    let period = period(query.from, query.to)?;
    let proposals = shared.engine.proposals(&link, after, period, limit);
    let page = proposals.await?;
    let of_link = shared.engine.link(&link).await?;
    let names = Names::of_view(&of_link);
    let proposals = page.items.iter();
    Ok(Json(ProposalPage {
        link,
        proposals: proposals.map(|view| proposal(names, view)).collect(),
        more: page.next.is_some(),
        next: page.next.map(Text),
    }))
}
