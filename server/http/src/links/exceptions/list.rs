//! `GET /v1/links/{link}/exceptions`: what someone has to look at and clear, newest first.

use axum::Json;
use axum::extract::State;
use meterhouse_api::exception::ExceptionPage;
use meterhouse_api::text::Text;
use meterhouse_api::values::{Position, Time};
use meterhouse_edge::authorize;
use meterhouse_engine::view::ExceptionFilter;
use serde::Deserialize;
use utoipa::IntoParams;

use super::view::exception;
use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{
    LIST_PAGE_MAX, PAGE_DEFAULT, PathOf, QueryOf, Switch, Whole, optional,
};
use crate::extract::paths::LinkPath;
use crate::extract::period::period;
use crate::options::Shared;
use crate::problem::Failure;

/// The parameters of a list of exceptions.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExceptionsQuery {
    /// True for cleared exceptions only, false for open ones only.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<bool>)]
    cleared: Option<Switch>,
    /// Only exceptions at this time or later.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    from: Option<Time>,
    /// Only exceptions before this time.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    to: Option<Time>,
    /// Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    after: Option<Position>,
    /// Entries of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<Whole<LIST_PAGE_MAX>>,
}

/// Lists the exceptions of a link: counts that differ, lost tables, short meters and faults.
///
/// They are found in the journal. Each stays open until a person clears it.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/exceptions",
    operation_id = "list_exceptions",
    tag = "links",
    security(("token" = [])),
    params(LinkPath, ExceptionsQuery),
    responses((status = 200, description = "A page of exceptions", body = ExceptionPage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    QueryOf(query): QueryOf<ExceptionsQuery>,
) -> Result<Json<ExceptionPage>, Failure> {
    authorize::read_link(&caller, &link)?;
    let (from, to) = period(query.from, query.to)?;
    let filter = ExceptionFilter {
        from,
        to,
        cleared: query.cleared.map(|cleared| cleared.0),
        after: query.after.map(|after| after.0),
        limit: query.limit.map_or(PAGE_DEFAULT, |limit| limit.0),
    };
    let page = shared.engine.exceptions(&link, filter).await?;
    Ok(Json(ExceptionPage {
        link,
        exceptions: page.items.iter().map(exception).collect(),
        more: page.next.is_some(),
        next: page.next.map(Text),
    }))
}
