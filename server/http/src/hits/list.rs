//! `GET /v1/hits`: the hits, for the floor.

use axum::Json;
use axum::extract::State;
use meterhouse_api::hit_detail::HitPage;
use meterhouse_api::values::{HitState, LinkName, Time};
use meterhouse_edge::authorize;
use meterhouse_engine::view::HitFilter;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::cursor::Cursor;
use crate::extract::parameters::{HITS_PAGE_MAX, PAGE_DEFAULT, QueryOf, Whole, optional};
use crate::extract::period::period;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::hit_detail::hit_page;

/// The parameters of a list of hits.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct HitsQuery {
    /// Only hits in this state.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    state: Option<HitState>,
    /// Only hits of this link.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    link: Option<LinkName>,
    /// Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<String>, pattern = r"^[0-9]{1,9}\.[0-9]{1,18}$")]
    after: Option<Cursor>,
    /// Only hits that were entered at this time or later.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    from: Option<Time>,
    /// Only hits that were entered before this time.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    to: Option<Time>,
    /// Entries of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<Whole<HITS_PAGE_MAX>>,
}

/// Lists hits, by link and their order on it.
#[utoipa::path(
    get,
    path = "/v1/hits",
    operation_id = "list_hits",
    tag = "hits",
    security(("token" = [])),
    params(HitsQuery),
    responses((status = 200, description = "A page of hits", body = HitPage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    QueryOf(query): QueryOf<HitsQuery>,
) -> Result<Json<HitPage>, Failure> {
    authorize::read_everything(&caller)?;
    let (from, to) = period(query.from, query.to)?;
    let filter = HitFilter {
        from,
        to,
        state: query.state.map(|state| state.0),
        link: query.link.map(|link| link.0),
        level: None,
        newest_first: false,
        after: query.after.map(|after| after.0),
        limit: query.limit.map_or(PAGE_DEFAULT, |limit| limit.0),
    };
    Ok(Json(hit_page(&shared.engine.hits(filter).await?)))
}
