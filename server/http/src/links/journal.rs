//! `GET /v1/links/{link}/journal`: what happened, entry by entry.

use axum::Json;
use axum::extract::State;
use meterhouse_edge::{authorize, value};

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::{JOURNAL_PAGE_MAX, LinkOf, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::{JournalView, Names};

/// Reads a link's journal.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/journal",
    operation_id = "read_journal",
    tag = "links",
    security(("token" = [])),
    params(
        ("link" = String, Path, description = "The link", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("after" = Option<String>, Query, description = "Only entries behind this position: BATCH.POSITION, \
            BATCH for the end of a batch, 0 for the beginning", pattern = r"^[0-9]+(\.[0-9]+)?$"),
        ("limit" = Option<u32>, Query, description = "Entries of the page; 100 if left out",
            minimum = 1, maximum = 500),
    ),
    responses((status = 200, description = "A page of the journal", body = JournalView), ReadProblems),
)]
pub(crate) async fn journal(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    LinkOf(link): LinkOf,
    query: Query,
) -> Result<Json<JournalView>, Failure> {
    authorize::read_link(&caller, &link)?;
    let query = query.only(&["after", "limit"])?;
    let (after, limit) = (
        query.get("after", value::position)?,
        query.limit(JOURNAL_PAGE_MAX)?,
    );
    // The page first: the link read afterwards knows every table that the page names.
    let page = shared.engine.journal(&link, after, limit).await?;
    let view = shared.engine.link(&link).await?;
    Ok(Json(JournalView::new(Names::of_view(&view), &page)))
}
