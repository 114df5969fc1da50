//! `GET /v1/slips/{slip}`: one slip with its reprints.

use axum::extract::State;
use axum::response::Response;
use meterhouse_api::slip::PayoutSlip;
use meterhouse_edge::authorize;

use super::answer;
use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::SlipPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::slip::payout_slip;
use crate::report::Format;

/// Reads a slip.
#[utoipa::path(
    get,
    path = "/v1/slips/{slip}",
    operation_id = "read_slip",
    tag = "slips",
    security(("token" = [])),
    params(SlipPath),
    responses((status = 200, description = "The slip", body = PayoutSlip), ReadProblems),
)]
pub(crate) async fn read(
    State(shared): State<Shared>,
    format: Format,
    Authenticated(caller): Authenticated,
    PathOf(SlipPath { slip }): PathOf<SlipPath>,
    _: QueryOf<NoParameters>,
) -> Result<Response, Failure> {
    authorize::read_everything(&caller)?;
    let view = shared.engine.slip(slip.0).await?;
    answer::read(&shared.engine, format, payout_slip(&view)).await
}
