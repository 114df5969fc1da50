//! `GET /v1/hits`: the floor's list.

use axum::Json;
use axum::extract::State;
use meterhouse_edge::{authorize, value};
use meterhouse_engine::view::HitFilter;
use meterhouse_journal::hit::HitState;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::{HITS_PAGE_MAX, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::HitPage;

/// Lists hits, by link and their order on it.
#[utoipa::path(
    get,
    path = "/v1/hits",
    operation_id = "list_hits",
    tag = "hits",
    security(("token" = [])),
    params(
        ("state" = Option<String>, Query, description = "Only those in this state: pending, \
            validated_by_rule, validated, paid, cancelled, rejected, void or withdrawn"),
        ("link" = Option<String>, Query, description = "Only those of this link",
            pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("after" = Option<String>, Query, description = "What the page before has in next"),
        ("limit" = Option<u32>, Query, description = "Entries of the page; 100 if left out",
            minimum = 1, maximum = 200),
    ),
    responses((status = 200, description = "A page of hits", body = HitPage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    query: Query,
) -> Result<Json<HitPage>, Failure> {
    authorize::read_everything(&caller)?;
    let query = query.only(&["state", "link", "after", "limit"])?;
    let state = |field: &str, text: &str| value::word(field, text, HitState::ALL, HitState::name);
    let filter = HitFilter {
        state: query.get("state", state)?,
        link: query.get("link", value::name)?,
        level: None,
        newest_first: false,
        after: query.get("after", value::hit_cursor)?,
        limit: query.limit(HITS_PAGE_MAX)?,
    };
    Ok(Json(shared.engine.hits(filter).await?.into()))
}
