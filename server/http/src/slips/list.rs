//! `GET /v1/slips`: the slips of the house.

use axum::Json;
use axum::extract::State;
use meterhouse_api::slip::SlipPage;
use meterhouse_api::values::Time;
use meterhouse_edge::authorize;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{LIST_PAGE_MAX, Ordinal, PAGE_DEFAULT, QueryOf, Whole, optional};
use crate::extract::period::period;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::slip::payout_slip;

/// The parameters of a list of slips.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SlipsQuery {
    /// Only slips that were made at this time or later.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    from: Option<Time>,
    /// Only slips that were made before this time.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    to: Option<Time>,
    /// Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u64>, minimum = 1)]
    after: Option<Ordinal>,
    /// Entries of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<Whole<LIST_PAGE_MAX>>,
}

/// Lists slips, in the order of their numbers.
#[utoipa::path(
    get,
    path = "/v1/slips",
    operation_id = "list_slips",
    tag = "slips",
    security(("token" = [])),
    params(SlipsQuery),
    responses((status = 200, description = "A page of slips", body = SlipPage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    QueryOf(query): QueryOf<SlipsQuery>,
) -> Result<Json<SlipPage>, Failure> {
    authorize::read_everything(&caller)?;
    let period = period(query.from, query.to)?;
    let after = query.after.map_or(0, |after| after.0);
    let limit = query.limit.map_or(PAGE_DEFAULT, |limit| limit.0);
    let page = shared.engine.slips(after, period, limit).await?;
    Ok(Json(SlipPage {
        slips: page.items.iter().map(payout_slip).collect(),
        more: page.next.is_some(),
        next: page.next,
    }))
}
