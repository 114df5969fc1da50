//! `GET /v1/links/{link}/closings`: the signed days of a link, newest first.

use axum::Json;
use axum::extract::State;
use meterhouse_api::closing::{ClosingPage, SignedDay};
use meterhouse_api::text::Text;
use meterhouse_api::values::Time;
use meterhouse_domain::ids::Timestamp;
use meterhouse_edge::authorize;
use meterhouse_engine::view::Day;
use serde::Deserialize;
use utoipa::IntoParams;

use super::view::date;
use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::date::Date;
use crate::extract::parameters::{LIST_PAGE_MAX, PAGE_DEFAULT, PathOf, QueryOf, Whole, optional};
use crate::extract::paths::LinkPath;
use crate::extract::period::period;
use crate::options::Shared;
use crate::problem::Failure;

/// The parameters of a list of signed days.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ClosingsQuery {
    /// Only days that begin at this time or later.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    from: Option<Time>,
    /// Only days that begin before this time.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    to: Option<Time>,
    /// Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>, format = Date)]
    after: Option<Date>,
    /// Entries of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<Whole<LIST_PAGE_MAX>>,
}

/// Lists the signed days of a link.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/closings",
    operation_id = "list_closings",
    tag = "links",
    security(("token" = [])),
    params(LinkPath, ClosingsQuery),
    responses((status = 200, description = "A page of signed days", body = ClosingPage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    QueryOf(query): QueryOf<ClosingsQuery>,
) -> Result<Json<ClosingPage>, Failure> {
    authorize::read_link(&caller, &link)?;
    let (from, to) = period(query.from, query.to)?;
    let first = |at: Option<Timestamp>, otherwise| at.map_or(Day(otherwise), Day::from);
    let (from, before) = (first(from, i32::MIN), first(to, i32::MAX));
    let before = query.after.map_or(before, |after| before.min(after.day()));
    let limit = query.limit.map_or(PAGE_DEFAULT, |limit| limit.0);
    let page = shared.engine.closings(&link, (from, before), limit).await?;
    let entry = |row: &meterhouse_engine::view::ClosingRow| SignedDay {
        date: date(Day(row.day)),
        by: row.actor_name.clone().unwrap_or_default(),
        at: Text(row.at),
        note: row.note.clone(),
        sha256: hex::encode(row.report_hash),
    };
    Ok(Json(ClosingPage {
        link,
        closings: page.items.iter().map(entry).collect(),
        more: page.next.is_some(),
        next: page.next.map(date),
    }))
}
