//! `GET /v1/links/{link}/proof`: the newest signed head, and the paths of its tree.

use axum::Json;
use axum::extract::State;
use meterhouse_api::proof::{Proof, ProofConsistency, ProofInclusion};
use meterhouse_api::values::LinkName;
use meterhouse_edge::authorize;
use meterhouse_engine::signing::proof::{ConsistencyView, InclusionView, ProofQuery, ProofView};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{Ordinal, PathOf, QueryOf, optional};
use crate::extract::paths::LinkPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::proof::{path, proof_head};

/// The parameters of a proof.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ProofParameters {
    /// Proves that the newest head covers this batch.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u64>, minimum = 1)]
    batch: Option<Ordinal>,
    /// Proves that the newest head continues the one with this number.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u64>, minimum = 1)]
    since: Option<Ordinal>,
}

/// Reads the newest signed head of a link, with proofs.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/proof",
    operation_id = "read_proof",
    tag = "links",
    security(("token" = [])),
    params(LinkPath, ProofParameters),
    responses((status = 200, description = "The newest signed head", body = Proof), ReadProblems),
)]
pub(crate) async fn proof(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    QueryOf(query): QueryOf<ProofParameters>,
) -> Result<Json<Proof>, Failure> {
    authorize::read_link(&caller, &link)?;
    let asked = ProofQuery {
        batch: query.batch.map(|batch| batch.0),
        since: query.since.map(|since| since.0),
    };
    let view = shared.engine.proof(&link, asked).await?;
    Ok(Json(rendered(link, &view)))
}

fn rendered(link: LinkName, view: &ProofView) -> Proof {
    Proof {
        link,
        batch: view.batch,
        head: view.head.as_ref().map(proof_head),
        inclusion: view.inclusion.as_ref().map(inclusion),
        consistency: view.consistency.as_ref().map(consistency),
    }
}

fn inclusion(view: &InclusionView) -> ProofInclusion {
    ProofInclusion {
        batch: view.batch,
        chain_hash: view.chain_hash.to_string(),
        path: path(&view.path),
    }
}

fn consistency(view: &ConsistencyView) -> ProofConsistency {
    ProofConsistency {
        since: proof_head(&view.since),
        path: path(&view.path),
    }
}
