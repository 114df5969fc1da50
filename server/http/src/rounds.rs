//! `POST /v1/rounds/settlements`: a whole round settled, without a table.

use axum::Json;
use axum::extract::State;
use meterhouse_api::round_settlement::{RoundSettlement, SettlementRequest};
use meterhouse_edge::authorize;
use meterhouse_edge::settlement::settlement;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;

/// Settles a whole round of wagers at fixed odds: result, pay, clause and chips of each. Nothing is counted.
///
/// Mistakes in the round come together, as `round_refused`: `fields` has the code of each by the path of its field.
#[utoipa::path(
    post,
    path = "/v1/rounds/settlements",
    operation_id = "settle_round",
    tag = "paytables",
    security(("token" = [])),
    request_body = SettlementRequest,
    responses((status = 200, description = "The settled round", body = RoundSettlement), WriteProblems),
)]
pub(crate) async fn settle(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    JsonBody(body): JsonBody<SettlementRequest>,
) -> Result<Json<RoundSettlement>, Failure> {
    authorize::read_everything(&caller)?;
    Ok(Json(settlement(&shared.catalogue, &body)?))
}
