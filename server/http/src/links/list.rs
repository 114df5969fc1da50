//! `GET /v1/links`: the links, for everybody.

use axum::Json;
use axum::extract::State;
use meterhouse_edge::value;
use serde::Serialize;
use utoipa::ToSchema;

use super::LinkNow;
use crate::document::PublicProblems;
use crate::extract::{LIST_PAGE_MAX, Query};
use crate::options::Shared;
use crate::problem::Failure;

/// A page of links.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LinkPage {
    /// In the order of their opening.
    links: Vec<LinkNow>,
    /// Whether there is more.
    more: bool,
    /// What to write as `after` for the next page.
    next: Option<String>,
}

/// Lists the links with what their signs show.
#[utoipa::path(
    get,
    path = "/v1/links",
    operation_id = "list_links",
    tag = "links",
    security(()),
    params(
        ("after" = Option<String>, Query, description = "What the page before has in next",
            pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("limit" = Option<u32>, Query, description = "Entries of the page; 100 if left out",
            minimum = 1, maximum = 200),
    ),
    responses((status = 200, description = "A page of links", body = LinkPage), PublicProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    query: Query,
) -> Result<Json<LinkPage>, Failure> {
    let query = query.only(&["after", "limit"])?;
    let after = query.get("after", value::name)?;
    let limit = query.limit(LIST_PAGE_MAX)?;
    let page = shared.engine.links(after.as_ref(), limit).await?;
    Ok(Json(LinkPage {
        links: page.items.iter().map(LinkNow::from).collect(),
        more: page.next.is_some(),
        next: page.next.map(|link| link.to_string()),
    }))
}
