//! `GET /v1/links/{link}/meters`: what the signs show, for whoever can't listen to the feed.

use axum::Json;
use axum::extract::State;
use meterhouse_engine::clock;
use serde::Serialize;
use utoipa::ToSchema;

use crate::document::PublicProblems;
use crate::extract::{LinkOf, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::{At, LevelAmount};

/// What the signs of a link show.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MetersNow {
    /// The link.
    link: String,
    /// `open`, `suspended`, `closed` or `faulted`.
    #[schema(value_type = String)]
    state: &'static str,
    /// The newest batch: amounts with a larger one are newer.
    sequence: u64,
    /// The server's time.
    at: At,
    /// What the signs show.
    levels: Vec<LevelAmount>,
}

/// Reads what the signs of a link show.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/meters",
    operation_id = "read_meters",
    tag = "displays",
    security(()),
    params(("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$")),
    responses((status = 200, description = "The amounts", body = MetersNow), PublicProblems),
)]
pub(crate) async fn meters(
    State(shared): State<Shared>,
    LinkOf(link): LinkOf,
    query: Query,
) -> Result<Json<MetersNow>, Failure> {
    query.only(&[])?;
    let view = shared.engine.link(&link).await?;
    Ok(Json(MetersNow {
        link: view.terms.name.to_string(),
        state: view.state.name(),
        sequence: view.batch,
        at: At(clock::now()),
        levels: LevelAmount::all(&view.terms, &view.displayed),
    }))
}
