//! `GET /v1/proof`: the newest signed head of the house's chain, and the paths of its tree.

use axum::Json;
use axum::extract::State;
use meterhouse_api::proof::HouseProof;
use meterhouse_edge::authorize;
use meterhouse_engine::signing::proof::ProofQuery;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{Ordinal, QueryOf, optional};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::proof;

/// The parameters of the house's proof.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct HouseProofParameters {
    /// Proves that the newest head covers this entry.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u64>, minimum = 1)]
    entry: Option<Ordinal>,
    /// Proves that the newest head continues the one with this number.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u64>, minimum = 1)]
    since: Option<Ordinal>,
}

/// Reads the newest signed head of the house's chain, with proofs.
///
/// The chain has the people, their tokens, the paytables of the links, and the keys that sign.
#[utoipa::path(
    get,
    path = "/v1/proof",
    operation_id = "read_house_proof",
    tag = "witness",
    security(("token" = [])),
    params(HouseProofParameters),
    responses((status = 200, description = "The newest signed head", body = HouseProof), ReadProblems),
)]
pub(crate) async fn proof(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    QueryOf(query): QueryOf<HouseProofParameters>,
) -> Result<Json<HouseProof>, Failure> {
    authorize::read_everything(&caller)?;
    let asked = ProofQuery {
        batch: query.entry.map(|entry| entry.0),
        since: query.since.map(|since| since.0),
    };
    let view = shared.engine.house_proof(asked).await?;
    Ok(Json(HouseProof {
        entry: view.batch,
        head: view.head.as_ref().map(proof::head),
        inclusion: view.inclusion.as_ref().map(proof::inclusion),
        consistency: view.consistency.as_ref().map(proof::consistency),
    }))
}
