//! `PUT /v1/hits/{hit}/payouts/{payout}/payment`: the documentation of a payout is complete.

use axum::extract::State;
use meterhouse_domain::ids::Document;
use meterhouse_edge::authorize;
use meterhouse_engine::answer::Idempotent;
use meterhouse_engine::view::HitView;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::{HitOf, JsonBody, Loose, PayoutOf};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::{Amount, At};
use crate::replay::Written;

/// How a payout was documented.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Payment)]
pub(crate) struct PaymentBody {
    /// The document's number.
    #[schema(value_type = String, min_length = 1, max_length = 256, examples("JP-000123"))]
    document: Loose,
}

/// A payout that is paid: the same whenever it is asked for, whatever became of the hit later.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PaidPayout {
    /// The hit.
    hit: String,
    /// The payout's number.
    #[schema(minimum = 1)]
    payout: u32,
    /// How much.
    amount: Amount,
    /// The document.
    document: Option<String>,
    /// Whose token said so.
    paid_by: Option<String>,
    /// When.
    at: Option<At>,
}

/// Records the document of a payout: it is paid. Each payout of a split by itself.
#[utoipa::path(
    put,
    path = "/v1/hits/{hit}/payouts/{payout}/payment",
    operation_id = "pay_payout",
    tag = "hits",
    security(("token" = [])),
    params(
        ("hit" = String, Path, description = "The hit: TABLE.NUMBER or TABLE.NUMBER.N",
            pattern = r"^[A-Za-z0-9-]{1,32}\.[1-9][0-9]*(\.[1-9][0-9]*)?$"),
        ("payout" = u32, Path, description = "The payout's number, from 1", minimum = 1),
    ),
    request_body = PaymentBody,
    responses(
        (status = 201, description = "Paid", body = PaidPayout),
        (status = 200, description = "Paid before with this document", body = PaidPayout,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn pay(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    HitOf(hit): HitOf,
    PayoutOf(number): PayoutOf,
    JsonBody(body): JsonBody<PaymentBody>,
) -> Result<Written<PaidPayout>, Failure> {
    authorize::decide_hits(&caller)?;
    let document: Document = body.document.free_text("document")?;
    let answer = shared
        .engine
        .pay_payout(&caller.person, &hit, number, document)
        .await?;
    let Idempotent {
        value: view,
        replayed,
    } = answer;
    Ok(Written {
        body: PaidPayout::new(&view, number)?,
        replayed,
    })
}

impl PaidPayout {
    fn new(view: &HitView, number: u32) -> Result<Self, Failure> {
        let mut payouts = view.row.payouts.iter().zip(&view.paid_by);
        let payout = payouts.find(|(it, _)| it.number == number);
        let (payout, paid_by) =
            payout.ok_or_else(|| Failure::internal("a paid payout is not in its hit"))?;
        Ok(Self {
            hit: view.name().to_string(),
            payout: number,
            amount: Amount::from_micros(payout.amount),
            document: payout.document.clone(),
            paid_by: paid_by.clone(),
            at: payout.paid_at.map(At::from_micros),
        })
    }
}
