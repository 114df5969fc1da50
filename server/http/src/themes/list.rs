//! `GET /v1/themes`: all themes of the house.

use axum::Json;
use axum::extract::State;
use meterhouse_api::theme::HouseThemes;

use super::view::house_theme;
use crate::document::PublicProblems;
use crate::extract::parameters::{NoParameters, QueryOf};
use crate::options::Shared;
use crate::problem::Failure;

/// Lists the themes of the house. The shipped ones are not among them.
#[utoipa::path(
    get,
    path = "/v1/themes",
    operation_id = "list_themes",
    tag = "themes",
    security(()),
    responses((status = 200, description = "The themes", body = HouseThemes), PublicProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    _: QueryOf<NoParameters>,
) -> Result<Json<HouseThemes>, Failure> {
    let themes = shared.engine.themes().await?;
    let themes = themes.iter().map(house_theme).collect();
    Ok(Json(HouseThemes { themes }))
}
