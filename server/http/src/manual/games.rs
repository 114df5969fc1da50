//! `GET /v1/manual`: the games of the manual, without a token.

use axum::Json;
use axum::extract::State;
use meterhouse_api::manual::{ManualGame, ManualGames};

use crate::document::PublicProblems;
use crate::extract::parameters::{NoParameters, QueryOf};
use crate::options::Shared;
use crate::problem::Failure;

/// Lists the games of the manual.
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
    _: QueryOf<NoParameters>,
) -> Result<Json<ManualGames>, Failure> {
    let games = shared.manual().values().map(|page| ManualGame {
        game: page.game.clone(),
        title: page.title.clone(),
    });
    Ok(Json(ManualGames {
        games: games.collect(),
    }))
}
