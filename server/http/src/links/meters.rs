//! `GET /v1/links/{link}/meters`: the displayed amounts, for programs without the feed.

use axum::Json;
use axum::extract::State;
use meterhouse_api::link::LinkMeters;
use meterhouse_api::text::Text;
use meterhouse_engine::clock;

use crate::document::PublicProblems;
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::LinkPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::value::{level_amounts, link_state};

/// Reads the displayed amounts of a link.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/meters",
    operation_id = "read_meters",
    tag = "displays",
    security(()),
    params(LinkPath),
    responses((status = 200, description = "The amounts", body = LinkMeters), PublicProblems),
)]
pub(crate) async fn meters(
    State(shared): State<Shared>,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    _: QueryOf<NoParameters>,
) -> Result<Json<LinkMeters>, Failure> {
    let view = shared.engine.link(&link).await?;
    Ok(Json(LinkMeters {
        link: Text(view.terms.name.clone()),
        state: link_state(view.state),
        batch: view.batch,
        at: Text(clock::now()),
        levels: level_amounts(&view.terms, &view.displayed),
    }))
}
