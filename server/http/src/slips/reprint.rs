//! `PUT /v1/slips/{slip}/reprints/{reprint}`: a further print of a slip.

use axum::extract::State;
use axum::response::Response;
use meterhouse_api::slip::{PayoutSlip, ReprintRequest};
use meterhouse_edge::authorize;

use super::answer;
use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::ReprintPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::pdf::Print;
use crate::problem::Failure;
use crate::render::slip::payout_slip;
use crate::replay::Written;
use crate::report::Format;

/// Records a further print of a slip, under the next number of its reprints.
#[utoipa::path(
    put,
    path = "/v1/slips/{slip}/reprints/{reprint}",
    operation_id = "reprint_slip",
    tag = "slips",
    security(("token" = [])),
    params(ReprintPath),
    request_body = ReprintRequest,
    responses(
        (status = 201, description = "Recorded", body = PayoutSlip),
        (status = 200, description = "Recorded before", body = PayoutSlip,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn reprint(
    State(shared): State<Shared>,
    format: Format,
    Authenticated(caller): Authenticated,
    PathOf(ReprintPath { slip, reprint }): PathOf<ReprintPath>,
    JsonBody(body): JsonBody<ReprintRequest>,
) -> Result<Response, Failure> {
    authorize::pay_hits(&caller)?;
    let (engine, reason) = (&shared.engine, body.reason.given());
    let made = engine.reprint_slip(&caller.person, slip.0, reprint.0, reason);
    let made = made.await?;
    let slip = Written {
        body: payout_slip(&made.value),
        replayed: made.replayed,
    };
    answer::written(engine, format, slip, Print::Reprint(reprint.0)).await
}
