//! `GET /v1/paytables/{paytable}/differences?with=`: whether tables of two paytables may share a link.

use axum::Json;
use axum::extract::State;
use meterhouse_api::paytable::PaytableComparison;
use meterhouse_domain::ids::PaytableId;
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::comparison::comparison;
use meterhouse_edge::paytables::whole;
use meterhouse_edge::value;
use meterhouse_edge::wire_error::EdgeError;

use crate::caller::Authenticated;
use crate::document::JudgedProblems;
use crate::extract::{PaytableOf, Query};
use crate::options::Shared;
use crate::problem::Failure;

/// Compares two paytables: equality of content decides who may share a link, and every difference is said.
#[utoipa::path(
    get,
    path = "/v1/paytables/{paytable}/differences",
    operation_id = "compare_paytables",
    tag = "paytables",
    security(("token" = [])),
    params(
        ("paytable" = String, Path, description = "The paytable", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("with" = String, Query, description = "The other one", pattern = "^[A-Za-z0-9-]{1,32}$"),
    ),
    responses((status = 200, description = "Both, side by side", body = PaytableComparison), JudgedProblems),
)]
pub(crate) async fn differences(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PaytableOf(id): PaytableOf,
    query: Query,
) -> Result<Json<PaytableComparison>, Failure> {
    authorize::read_everything(&caller)?;
    let with: Option<PaytableId> = query.only(&["with"])?.get("with", value::name)?;
    let with = with.ok_or_else(|| {
        let detail = "write ?with= and the id of the other paytable";
        EdgeError::because(EdgeCode::InvalidParameter, detail)
    })?;
    let (first, second) = (
        whole(&shared.catalogue, &id)?,
        whole(&shared.catalogue, &with)?,
    );
    Ok(Json(comparison(first, second)))
}
