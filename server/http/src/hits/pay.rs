//! `PUT /v1/hits/{hit}/payouts/{payout}/payment`: the documentation of a payout is complete.

use axum::extract::State;
use meterhouse_api::decision::{PaidPayout, PaymentRequest};
use meterhouse_api::text::Text;
use meterhouse_domain::ids::Timestamp;
use meterhouse_edge::authorize;
use meterhouse_engine::answer::Idempotent;
use meterhouse_engine::view::HitView;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::PayoutPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::value::amount;
use crate::replay::Written;

/// Records the document of a payout: it is paid. Each payout of a split is paid by itself.
#[utoipa::path(
    put,
    path = "/v1/hits/{hit}/payouts/{payout}/payment",
    operation_id = "pay_payout",
    tag = "hits",
    security(("token" = [])),
    params(PayoutPath),
    request_body = PaymentRequest,
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
    PathOf(PayoutPath { hit, payout }): PathOf<PayoutPath>,
    JsonBody(body): JsonBody<PaymentRequest>,
) -> Result<Written<PaidPayout>, Failure> {
    authorize::pay_hits(&caller)?;
    let (engine, document) = (&shared.engine, body.document.given());
    let paying = engine.pay_payout(&caller.person, &hit, payout.0, document);
    let Idempotent {
        value: view,
        replayed,
    } = paying.await?;
    Ok(Written {
        body: paid_payout(&view, payout.0)?,
        replayed,
    })
}

fn paid_payout(view: &HitView, number: u32) -> Result<PaidPayout, Failure> {
    let payments = view.documents.iter().zip(&view.paid_by);
    let mut payouts = view.row.payouts.iter().zip(payments);
    let payout = payouts.find(|(payout, _)| payout.number == number);
    let (payout, (document, paid_by)) =
        payout.ok_or_else(|| Failure::internal("a paid payout is not in its hit"))?;
    Ok(PaidPayout {
        hit: Text(view.name()),
        payout: number,
        amount: amount(payout.amount),
        document: document.clone().map(Text),
        paid_by: paid_by.clone(),
        at: payout.paid_at.map(|at| Text(Timestamp(at))),
    })
}
