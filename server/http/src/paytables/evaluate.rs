//! `POST /v1/evaluations`: the pay of a hand, without a table.

use axum::Json;
use axum::extract::State;
use meterhouse_api::evaluation::{Evaluation, EvaluationRequest};
use meterhouse_domain::command::WageredHand;
use meterhouse_edge::authorize;
use meterhouse_edge::evaluation::{HandAsked, evaluation};
use meterhouse_edge::paytables::sheet;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::tables::request::cards;

/// Evaluates a hand: its pay, the payer, the way of payment and the person who validates it. Nothing is counted.
#[utoipa::path(
    post,
    path = "/v1/evaluations",
    operation_id = "evaluate",
    tag = "paytables",
    security(("token" = [])),
    request_body = EvaluationRequest,
    responses((status = 200, description = "The pay", body = Evaluation), WriteProblems),
)]
pub(crate) async fn evaluate(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    JsonBody(body): JsonBody<EvaluationRequest>,
) -> Result<Json<Evaluation>, Failure> {
    authorize::read_everything(&caller)?;
    let cards = cards(body.cards);
    let hand = HandAsked {
        cards: &cards,
        wager: body.wager.0.0,
        on: body.on.map_or(WageredHand::Own, |on| on.0),
        displayed: body.displayed.map(|displayed| displayed.0.0),
    };
    let sheet = sheet(&shared.catalogue, &body.paytable)?;
    Ok(Json(evaluation(sheet, &hand)?))
}
