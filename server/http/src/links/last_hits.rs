//! `GET /v1/links/{link}/last-hits`: the last hits of each level.

use axum::extract::State;
use meterhouse_api::hit_detail::{LastHits, LevelHits};
use meterhouse_api::text::Text;
use meterhouse_edge::authorize;
use meterhouse_engine::view;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{LAST_HITS, PathOf, QueryOf, Whole, optional};
use crate::extract::paths::LinkPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::hit_detail::hit_detail;
use crate::report::{Format, Report};

/// The length of the lists of last hits.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LastHitsQuery {
    /// Hits of each level; 25 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 25)]
    limit: Option<Whole<LAST_HITS>>,
}

/// Reads the last hits of each level that were not undone, newest first.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/last-hits",
    operation_id = "read_last_hits",
    tag = "links",
    security(("token" = [])),
    params(LinkPath, LastHitsQuery),
    responses((status = 200, description = "The hits", body = LastHits), ReadProblems),
)]
pub(crate) async fn last_hits(
    State(shared): State<Shared>,
    format: Format,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    QueryOf(query): QueryOf<LastHitsQuery>,
) -> Result<Report<LastHits>, Failure> {
    authorize::read_link(&caller, &link)?;
    let limit = query.limit.map_or(LAST_HITS, |limit| limit.0);
    let view = shared.engine.last_hits(&link, limit).await?;
    Ok(Report(
        format,
        LastHits {
            link: Text(view.link),
            levels: view.levels.iter().map(level).collect(),
        },
    ))
}

fn level(view: &view::LevelHits) -> LevelHits {
    LevelHits {
        level: Text(view.level.clone()),
        hits: view.hits.iter().map(|hit| hit_detail(hit, None)).collect(),
        archived: view.archived,
    }
}
