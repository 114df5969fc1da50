//! `GET /v1/manual/{game}`: a game's page, for everybody.

use axum::Json;
use axum::extract::State;
use meterhouse_api::manual::ManualPage;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;

use crate::document::PublicProblems;
use crate::extract::{GameOf, Query};
use crate::options::Shared;
use crate::problem::Failure;

/// Reads the manual's page of a game: its round, what a fold forfeits, and all its paytables.
#[utoipa::path(
    get,
    path = "/v1/manual/{game}",
    operation_id = "read_manual",
    tag = "paytables",
    security(()),
    params(("game" = String, Path, description = "The game", pattern = "^[A-Za-z0-9-]{1,32}$")),
    responses((status = 200, description = "The page", body = ManualPage), PublicProblems),
)]
pub(crate) async fn page(
    State(shared): State<Shared>,
    GameOf(game): GameOf,
    query: Query,
) -> Result<Json<ManualPage>, Failure> {
    query.only(&[])?;
    let unknown = || EdgeError::new(EdgeCode::UnknownGame).with("game", &game);
    let page = shared.manual.get(&game).ok_or_else(unknown)?;
    Ok(Json(page.clone()))
}
