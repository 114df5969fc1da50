//! `PUT /v1/hits/{hit}/payouts/{payout}/slip`: the slip of a payout.

use axum::extract::State;
use axum::response::Response;
use meterhouse_api::slip::PayoutSlip;
use meterhouse_edge::authorize;

use super::answer;
use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::PayoutPath;
use crate::options::Shared;
use crate::pdf::Print;
use crate::problem::Failure;
use crate::render::slip::payout_slip;
use crate::replay::Written;
use crate::report::Format;

/// Makes the slip of a payout, under the next number of the house. The payout has to be validated and handed over by slip.
#[utoipa::path(
    put,
    path = "/v1/hits/{hit}/payouts/{payout}/slip",
    operation_id = "make_slip",
    tag = "slips",
    security(("token" = [])),
    params(PayoutPath),
    responses(
        (status = 201, description = "Made", body = PayoutSlip),
        (status = 200, description = "Made before with this amount", body = PayoutSlip,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn make(
    State(shared): State<Shared>,
    format: Format,
    Authenticated(caller): Authenticated,
    PathOf(PayoutPath { hit, payout }): PathOf<PayoutPath>,
) -> Result<Response, Failure> {
    authorize::pay_hits(&caller)?;
    let made = shared.engine.make_slip(&caller.person, &hit, payout.0);
    let made = made.await?;
    let slip = Written {
        body: payout_slip(&made.value),
        replayed: made.replayed,
    };
    answer::written(&shared.engine, format, slip, Print::Original).await
}
