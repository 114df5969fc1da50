//! `GET /v1/screens`: the screens of the house.

use axum::Json;
use axum::extract::State;
use meterhouse_api::screen::{Screen, ScreenPage, Shown};
use meterhouse_api::text::Text;
use meterhouse_api::values::Badge;
use meterhouse_domain::ids::Timestamp;
use meterhouse_edge::authorize;
use meterhouse_engine::clock::now;
use meterhouse_engine::view::{ScreenRow, is_silent};
use serde::Deserialize;
use utoipa::IntoParams;

use super::shown::rendered;
use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{LIST_PAGE_MAX, PAGE_DEFAULT, QueryOf, Whole, optional};
use crate::options::Shared;
use crate::problem::Failure;

/// The parameters of a list of screens.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ScreensQuery {
    /// Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    after: Option<Badge>,
    /// Entries of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<Whole<LIST_PAGE_MAX>>,
}

/// Lists the screens, with what each shows, since when, and if the link ever displayed that.
#[utoipa::path(
    get,
    path = "/v1/screens",
    operation_id = "list_screens",
    tag = "displays",
    security(("token" = [])),
    params(ScreensQuery),
    responses((status = 200, description = "A page of screens", body = ScreenPage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    QueryOf(query): QueryOf<ScreensQuery>,
) -> Result<Json<ScreenPage>, Failure> {
    authorize::read_everything(&caller)?;
    let limit = query.limit.map_or(PAGE_DEFAULT, |limit| limit.0) as usize;
    let after = query.after.map(|after| after.to_string());
    let after = after.unwrap_or_default();
    let page = shared.engine.screens(&after, limit).await?;
    let now = now();
    let screens: Option<Vec<Screen>> = page.items.iter().map(|row| screen(row, now)).collect();
    Ok(Json(ScreenPage {
        screens: screens.ok_or_else(|| Failure::internal("a stored level has no name"))?,
        more: page.next.is_some(),
        next: page.next,
    }))
}

fn screen(row: &ScreenRow, now: Timestamp) -> Option<Screen> {
    let shown: Option<Vec<Shown>> = row.shown.iter().map(rendered).collect();
    Some(Screen {
        screen: row.name.clone(),
        links: row.links.clone(),
        paired_at: Text(row.paired_at),
        paired_by: row.paired_by.clone(),
        silent: is_silent(row, now),
        shown: shown?,
    })
}
