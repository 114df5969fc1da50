//! `POST /v1/evaluations`: what a hand pays, without a table.

use axum::Json;
use axum::extract::State;
use meterhouse_api::evaluation::Evaluation;
use meterhouse_domain::command::WageredHand;
use meterhouse_domain::ids::PaytableId;
use meterhouse_edge::authorize;
use meterhouse_edge::evaluation::{HandAsked, evaluation};
use meterhouse_edge::paytables::sheet;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::{JsonBody, Loose};
use crate::options::Shared;
use crate::problem::Failure;

/// A hand to be judged.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Evaluate)]
pub(crate) struct EvaluateBody {
    /// The paytable.
    #[schema(value_type = String, examples("pa-657a-five-card-c"))]
    paytable: Loose,
    /// The cards that the hand is formed of, own ones first.
    #[schema(value_type = Vec<String>)]
    cards: Vec<Loose>,
    /// The wager on it.
    #[schema(value_type = String, examples("1.00"))]
    wager: Loose,
    /// `own`, as if left out, or `dealer`: whose hand was wagered on.
    #[schema(value_type = Option<String>)]
    on: Option<Loose>,
    /// What the level displays of which the hand wins a percentage.
    #[schema(value_type = Option<String>, examples("12345.67"))]
    displayed: Option<Loose>,
}

/// Says what a hand pays, from where, how it is handed over and who validates it. Nothing is counted.
#[utoipa::path(
    post,
    path = "/v1/evaluations",
    operation_id = "evaluate",
    tag = "paytables",
    security(("token" = [])),
    request_body = EvaluateBody,
    responses((status = 200, description = "What it pays", body = Evaluation), WriteProblems),
)]
pub(crate) async fn evaluate(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    JsonBody(body): JsonBody<EvaluateBody>,
) -> Result<Json<Evaluation>, Failure> {
    authorize::read_everything(&caller)?;
    let id: PaytableId = body.paytable.name("paytable")?;
    let cards = Loose::cards("cards", &body.cards)?;
    let on = body.on.as_ref();
    let on = on.map(|it| it.word("on", WageredHand::ALL, WageredHand::name));
    let displayed = body.displayed.as_ref();
    let asked = HandAsked {
        cards: &cards,
        wager: body.wager.amount("wager")?,
        on: on.transpose()?.unwrap_or(WageredHand::Own),
        displayed: displayed.map(|it| it.amount("displayed")).transpose()?,
    };
    Ok(Json(evaluation(sheet(&shared.catalogue, &id)?, &asked)?))
}
