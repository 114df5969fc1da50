//! `GET /v1/links/{link}/journal`: the entries of a link's journal.

use axum::Json;
use axum::extract::State;
use meterhouse_api::journal::JournalPage;
use meterhouse_api::values::{Position, Time};
use meterhouse_edge::authorize;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{
    JOURNAL_PAGE_MAX, PAGE_DEFAULT, PathOf, QueryOf, Whole, optional,
};
use crate::extract::paths::LinkPath;
use crate::extract::period::period;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::event::journal_page;
use crate::render::names::Names;

/// The parameters of a page of the journal.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct JournalQuery {
    /// Only entries after this position: BATCH.INDEX, BATCH for the end of a batch, 0 for the beginning.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    after: Option<Position>,
    /// Only entries at this time or later.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    from: Option<Time>,
    /// Only entries before this time.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    to: Option<Time>,
    /// Entries of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 500)]
    limit: Option<Whole<JOURNAL_PAGE_MAX>>,
}

/// Reads a link's journal.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/journal",
    operation_id = "read_journal",
    tag = "links",
    security(("token" = [])),
    params(LinkPath, JournalQuery),
    responses((status = 200, description = "A page of the journal", body = JournalPage), ReadProblems),
)]
pub(crate) async fn journal(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    QueryOf(query): QueryOf<JournalQuery>,
) -> Result<Json<JournalPage>, Failure> {
    authorize::read_link(&caller, &link)?;
    let after = query.after.map(|after| after.0);
    let period = period(query.from, query.to)?;
    let limit = query.limit.map_or(PAGE_DEFAULT, |limit| limit.0);
    // The page first: the link read afterwards has every table that the page names.
    let page = shared.engine.journal(&link, after, period, limit).await?;
    let view = shared.engine.link(&link).await?;
    Ok(Json(journal_page(Names::of_view(&view), &page)))
}
