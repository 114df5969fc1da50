//! `GET /v1/themes/{theme}`: one theme of the house, as signs read it.

use axum::Json;
use axum::extract::State;
use meterhouse_api::theme::HouseTheme;

use super::view::house_theme;
use crate::document::PublicProblems;
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::ThemePath;
use crate::options::Shared;
use crate::problem::Failure;

/// Reads a theme of the house.
#[utoipa::path(
    get,
    path = "/v1/themes/{theme}",
    operation_id = "read_theme",
    tag = "themes",
    security(()),
    params(ThemePath),
    responses((status = 200, description = "The theme", body = HouseTheme), PublicProblems),
)]
pub(crate) async fn read(
    State(shared): State<Shared>,
    PathOf(ThemePath { theme }): PathOf<ThemePath>,
    _: QueryOf<NoParameters>,
) -> Result<Json<HouseTheme>, Failure> {
    Ok(Json(house_theme(&shared.engine.theme(&theme).await?)))
}
