//! `GET /v1/links`: every link, for everybody.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::LinkNow;
use crate::document::PublicProblems;
use crate::extract::Query;
use crate::options::Shared;
use crate::problem::Failure;

/// Every link.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Links {
    /// In the order of their opening.
    links: Vec<LinkNow>,
}

/// Lists the links with what their signs show.
#[utoipa::path(
    get,
    path = "/v1/links",
    operation_id = "list_links",
    tag = "links",
    security(()),
    responses((status = 200, description = "The links", body = Links), PublicProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    query: Query,
) -> Result<Json<Links>, Failure> {
    query.only(&[])?;
    let links = shared.engine.links().await?;
    Ok(Json(Links {
        links: links.iter().map(LinkNow::from).collect(),
    }))
}
