//! `GET /v1/links/{link}/proposals`: the proposals of a link, newest first.

use axum::Json;
use axum::extract::State;
use meterhouse_edge::{authorize, value};
use serde::Serialize;
use utoipa::ToSchema;

use super::view::ProposalNow;
use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::{LIST_PAGE_MAX, LinkOf, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::Names;

/// A page of a link's proposals.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProposalPage {
    /// The link.
    link: String,
    /// Newest first.
    proposals: Vec<ProposalNow>,
    /// Whether there is more.
    more: bool,
    /// What to write as `after` for the next page.
    next: Option<String>,
}

/// Lists the proposals of a link.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/proposals",
    operation_id = "list_proposals",
    tag = "links",
    security(("token" = [])),
    params(
        ("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("after" = Option<String>, Query, description = "What the page before has in next"),
        ("limit" = Option<u32>, Query, description = "Entries of the page; 100 if left out",
            minimum = 1, maximum = 200),
    ),
    responses((status = 200, description = "A page of proposals", body = ProposalPage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    LinkOf(link): LinkOf,
    query: Query,
) -> Result<Json<ProposalPage>, Failure> {
    authorize::read_link(&caller, &link)?;
    let query = query.only(&["after", "limit"])?;
    let after = query.get("after", value::proposal)?;
    let limit = query.limit(LIST_PAGE_MAX)?;
    let page = shared.engine.proposals(&link, after, limit).await?;
    let of_link = shared.engine.link(&link).await?;
    let names = Names::of_view(&of_link);
    let proposals = page.items.iter();
    Ok(Json(ProposalPage {
        link: link.to_string(),
        proposals: proposals
            .map(|proposal| ProposalNow::new(names, proposal))
            .collect(),
        more: page.next.is_some(),
        next: page.next.map(value::proposal_text),
    }))
}
