//! `GET /v1/links/{link}/hits`: the last hits of a link, or of one of its levels.

use axum::Json;
use axum::extract::State;
use meterhouse_edge::{authorize, value};
use meterhouse_engine::view::HitFilter;

use crate::caller::Authenticated;
use crate::document::JudgedProblems;
use crate::extract::{HITS_PAGE_MAX, LAST_HITS, LinkOf, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::HitPage;

/// Lists the hits of a link, newest first: the last 25 unless told otherwise.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/hits",
    operation_id = "list_link_hits",
    tag = "links",
    security(("token" = [])),
    params(
        ("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("level" = Option<String>, Query, description = "Only those that took from this level",
            pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("after" = Option<String>, Query, description = "What the page before has in next"),
        ("limit" = Option<u32>, Query, description = "Entries of the page; 25 if left out",
            minimum = 1, maximum = 200),
    ),
    responses((status = 200, description = "A page of hits", body = HitPage), JudgedProblems),
)]
pub(crate) async fn hits(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    LinkOf(link): LinkOf,
    query: Query,
) -> Result<Json<HitPage>, Failure> {
    authorize::read_link(&caller, &link)?;
    let query = query.only(&["level", "after", "limit"])?;
    let filter = HitFilter {
        state: None,
        link: Some(link),
        level: query.get("level", value::name)?,
        newest_first: true,
        after: query.get("after", value::hit_cursor)?,
        limit: query.limit_or(HITS_PAGE_MAX, LAST_HITS)?,
    };
    Ok(Json(shared.engine.hits(filter).await?.into()))
}
