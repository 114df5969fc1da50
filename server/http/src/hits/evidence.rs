//! `GET /v1/hits/{hit}/evidence`: everything about a hit in one file, which proves itself.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_DISPOSITION;
use axum::response::IntoResponse;
use meterhouse_api::evidence::Evidence;
use meterhouse_edge::authorize;
use meterhouse_engine::clock::now;

use super::payoff::report;
use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::HitPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::evidence::{Unproven, evidence};

/// Reads the evidence of a hit: one file that `meterhouse verify` checks without a database.
#[utoipa::path(
    get,
    path = "/v1/hits/{hit}/evidence",
    operation_id = "read_evidence",
    tag = "hits",
    security(("token" = [])),
    params(HitPath),
    responses((status = 200, description = "The evidence", body = Evidence), ReadProblems),
)]
pub(crate) async fn read_evidence(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(HitPath { hit }): PathOf<HitPath>,
    _: QueryOf<NoParameters>,
) -> Result<impl IntoResponse, Failure> {
    authorize::read_everything(&caller)?;
    let view = shared.engine.evidence(&hit).await?;
    let unproven = Unproven {
        written_at: now(),
        program: format!("meterhouse {}", env!("CARGO_PKG_VERSION")),
        payoff: view.payoff.as_ref().map(report),
    };
    let body = evidence(&view.proof, &view.derived, unproven);
    let file = format!("attachment; filename=\"evidence-{hit}.json\"");
    Ok(([(CONTENT_DISPOSITION, file)], Json(body)))
}
