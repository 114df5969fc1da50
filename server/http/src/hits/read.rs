//! `GET /v1/hits/{hit}`: one hit with everything that decides it.

use axum::Json;
use axum::extract::State;
use meterhouse_edge::authorize;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::{HitOf, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::{HitDetail, Names};

/// Reads a hit: its round, cards, the server's own evaluation, amounts, payouts, who keyed and decided it, and
/// the journal's entries that moved its money.
#[utoipa::path(
    get,
    path = "/v1/hits/{hit}",
    operation_id = "read_hit",
    tag = "hits",
    security(("token" = [])),
    params(("hit" = String, Path, description = "The hit: TABLE.NUMBER or TABLE.NUMBER.N",
        pattern = r"^[A-Za-z0-9-]{1,32}\.[1-9][0-9]*(\.[1-9][0-9]*)?$")),
    responses((status = 200, description = "The hit", body = HitDetail), ReadProblems),
)]
pub(crate) async fn read(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    HitOf(hit): HitOf,
    query: Query,
) -> Result<Json<HitDetail>, Failure> {
    authorize::read_everything(&caller)?;
    query.only(&[])?;
    let view = shared.engine.hit(&hit).await?;
    let link = shared.engine.link(&view.link).await?;
    let entries = shared.engine.hit_entries(&view).await?;
    let detail = HitDetail::new(&view, Some(&link.terms));
    Ok(Json(detail.with_entries(Names::of_view(&link), &entries)))
}
