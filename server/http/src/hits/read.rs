//! `GET /v1/hits/{hit}`: one hit with everything that decides it.

use axum::Json;
use axum::extract::State;
use meterhouse_api::hit_detail::HitDetail;
use meterhouse_edge::authorize;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{NoParameters, PathOf, QueryOf};
use crate::extract::paths::HitPath;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::hit_detail::{hit_detail, hit_with_entries};
use crate::render::names::Names;

/// Reads a hit: its round, cards, the server's own evaluation, amounts, payouts, and the people who entered and decided it.
/// The journal's entries that moved its money follow.
#[utoipa::path(
    get,
    path = "/v1/hits/{hit}",
    operation_id = "read_hit",
    tag = "hits",
    security(("token" = [])),
    params(HitPath),
    responses((status = 200, description = "The hit", body = HitDetail), ReadProblems),
)]
pub(crate) async fn read(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(HitPath { hit }): PathOf<HitPath>,
    _: QueryOf<NoParameters>,
) -> Result<Json<HitDetail>, Failure> {
    authorize::read_everything(&caller)?;
    let view = shared.engine.hit(&hit).await?;
    let link = shared.engine.link(&view.link).await?;
    let entries = shared.engine.hit_entries(&view).await?;
    let detail = hit_detail(&view, Some(&link.terms));
    let names = Names::of_view(&link);
    Ok(Json(hit_with_entries(detail, names, &entries)))
}
