//! `GET /v1/manual/{game}`: the page of a game, without a token.

use axum::Json;
use axum::extract::State;
use meterhouse_api::manual::ManualPage;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;

use crate::document::PublicProblems;
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::GamePath;
use crate::options::Shared;
use crate::problem::Failure;

/// Reads the manual's page of a game: its round, what a fold forfeits, and all its paytables.
#[utoipa::path(
    get,
    path = "/v1/manual/{game}",
    operation_id = "read_manual",
    tag = "paytables",
    security(()),
    params(GamePath),
    responses((status = 200, description = "The page", body = ManualPage), PublicProblems),
)]
pub(crate) async fn page(
    State(shared): State<Shared>,
    PathOf(GamePath { game }): PathOf<GamePath>,
    _: QueryOf<NoParameters>,
) -> Result<Json<ManualPage>, Failure> {
    let unknown = || EdgeError::new(EdgeCode::UnknownGame).with("game", &game.0);
    let page = shared.manual().get(&game).ok_or_else(unknown)?;
    Ok(Json(page.clone()))
}
