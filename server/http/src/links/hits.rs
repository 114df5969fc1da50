//! `GET /v1/links/{link}/hits`: the last hits of a link, or of one of its levels.

use axum::Json;
use axum::extract::State;
use meterhouse_api::hit_detail::HitPage;
use meterhouse_api::values::{LevelName, Time};
use meterhouse_edge::authorize;
use meterhouse_engine::view::HitFilter;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::JudgedProblems;
use crate::extract::cursor::Cursor;
use crate::extract::parameters::{HITS_PAGE_MAX, LAST_HITS, PathOf, QueryOf, Whole, optional};
use crate::extract::paths::LinkPath;
use crate::extract::period::period;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::hit_detail::hit_page;

/// The parameters of a list of a link's hits.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LinkHitsQuery {
    /// Only hits that took from this level.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    level: Option<LevelName>,
    /// Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>, pattern = r"^[0-9]{1,9}\.[0-9]{1,18}$")]
    after: Option<Cursor>,
    /// Only hits that were entered at this time or later.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    from: Option<Time>,
    /// Only hits that were entered before this time.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    to: Option<Time>,
    /// Entries of the page; 25 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<Whole<HITS_PAGE_MAX>>,
}

/// Lists the hits of a link, newest first.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/hits",
    operation_id = "list_link_hits",
    tag = "links",
    security(("token" = [])),
    params(LinkPath, LinkHitsQuery),
    responses((status = 200, description = "A page of hits", body = HitPage), JudgedProblems),
)]
pub(crate) async fn hits(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    QueryOf(query): QueryOf<LinkHitsQuery>,
) -> Result<Json<HitPage>, Failure> {
    authorize::read_link(&caller, &link)?;
    let (from, to) = period(query.from, query.to)?;
    let filter = HitFilter {
        from,
        to,
        state: None,
        link: Some(link.0),
        level: query.level.map(|level| level.0),
        newest_first: true,
        after: query.after.map(|after| after.0),
        limit: query.limit.map_or(LAST_HITS, |limit| limit.0),
    };
    Ok(Json(hit_page(&shared.engine.hits(filter).await?)))
}
