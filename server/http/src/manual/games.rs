//! `GET /v1/manual`: the games of the catalogue, for everybody.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::document::PublicProblems;
use crate::extract::Query;
use crate::options::Shared;
use crate::problem::Failure;

/// The games that a paytable is for.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ManualGames {
    /// By name.
    games: Vec<ManualGame>,
}

/// A game that the manual has a page of.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ManualGame {
    /// Its name.
    #[schema(examples("crazy-4-poker"))]
    game: String,
    /// What people call it.
    title: String,
}

/// Lists the games that the manual has a page of.
#[utoipa::path(
    get,
    path = "/v1/manual",
    operation_id = "list_games",
    tag = "paytables",
    security(()),
    responses((status = 200, description = "The games", body = ManualGames), PublicProblems),
)]
pub(crate) async fn games(
    State(shared): State<Shared>,
    query: Query,
) -> Result<Json<ManualGames>, Failure> {
    query.only(&[])?;
    let games = shared.manual.values().map(|it| ManualGame {
        game: it.game.to_string(),
        title: it.title.clone(),
    });
    Ok(Json(ManualGames {
        games: games.collect(),
    }))
}
