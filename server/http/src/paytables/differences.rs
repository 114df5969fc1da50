//! `GET /v1/paytables/{paytable}/differences?with=`: a comparison of two paytables.

use axum::Json;
use axum::extract::State;
use meterhouse_api::paytable::PaytableComparison;
use meterhouse_api::values::PaytableId;
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::comparison::comparison;
use meterhouse_edge::paytables::whole;
use meterhouse_edge::wire_error::EdgeError;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::JudgedProblems;
use crate::extract::parameters::{PathOf, QueryOf, optional};
use crate::extract::paths::PaytablePath;
use crate::options::Shared;
use crate::problem::Failure;

/// The parameters of a comparison.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DifferencesQuery {
    /// Other paytable.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    with: Option<PaytableId>,
}

/// Compares two paytables. Tables with equal contents may share a link; every difference is listed.
#[utoipa::path(
    get,
    path = "/v1/paytables/{paytable}/differences",
    operation_id = "compare_paytables",
    tag = "paytables",
    security(("token" = [])),
    params(PaytablePath, DifferencesQuery),
    responses((status = 200, description = "Both, side by side", body = PaytableComparison), JudgedProblems),
)]
pub(crate) async fn differences(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(PaytablePath { paytable }): PathOf<PaytablePath>,
    QueryOf(query): QueryOf<DifferencesQuery>,
) -> Result<Json<PaytableComparison>, Failure> {
    authorize::read_everything(&caller)?;
    let with = query.with.ok_or_else(|| {
        let detail = "write ?with= and the id of the other paytable";
        EdgeError::because(EdgeCode::InvalidParameter, detail)
    })?;
    let (first, second) = (
        whole(&shared.catalogue, &paytable)?,
        whole(&shared.catalogue, &with)?,
    );
    Ok(Json(comparison(first, second)))
}
