//! `PUT /v1/links/{link}/values`: a manager accepts the opening values of the levels, before the first coin-in.

use axum::extract::State;
use meterhouse_api::link::{AcceptValuesRequest, AcceptedValues};
use meterhouse_api::text::Text;
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_edge::authorize;

use meterhouse_engine::answer::Idempotent;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::LinkPath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::value::level_amounts;
use crate::replay::Written;

/// Accepts the opening values of a link. Before that the link takes no coin-in.
///
/// Every level has to be named once, with exactly its opening amount (`values_differ`).
#[utoipa::path(
    put,
    path = "/v1/links/{link}/values",
    operation_id = "accept_values",
    tag = "links",
    security(("token" = [])),
    params(LinkPath),
    request_body = AcceptValuesRequest,
    responses(
        (status = 201, description = "Accepted", body = AcceptedValues),
        (status = 200, description = "Accepted before", body = AcceptedValues,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn accept(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    JsonBody(body): JsonBody<AcceptValuesRequest>,
) -> Result<Written<AcceptedValues>, Failure> {
    authorize::configure(&caller)?;
    let values = body.values.0.into_iter();
    let values: Vec<_> = values
        .map(|value| (value.level.0, value.amount.0.0))
        .collect();
    let accepting = shared.engine.accept_values(&caller.person, &link, &values);
    let Idempotent {
        value: view,
        replayed,
    } = accepting.await?;
    Ok(Written {
        body: accepted(&view.terms),
        replayed,
    })
}

fn accepted(terms: &LinkTerms) -> AcceptedValues {
    let levels = terms.content().levels.iter();
    let opened_with = levels.map(|level| terms.opened_with(level).unwrap_or(Money::ZERO));
    AcceptedValues {
        link: Text(terms.name.clone()),
        values: level_amounts(terms, &opened_with.collect::<Vec<_>>()),
    }
}
