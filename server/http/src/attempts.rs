//! `GET /v1/attempts`: attempts that were refused before the rules saw them.

use axum::Json;
use axum::extract::State;
use meterhouse_domain::ids::LinkName;
use meterhouse_edge::authorize;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::value::{name, shown};
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::queries::attempts::AttemptRow;
use meterhouse_engine::view::Page;
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::{JOURNAL_PAGE_MAX, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::At;

/// Refused attempts, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Attempts)]
pub(crate) struct AttemptsPage {
    /// The attempts of this page.
    attempts: Vec<AttemptListed>,
    /// Whether older ones follow.
    more: bool,
    /// Where the next page begins.
    next: Option<String>,
}

/// A refused attempt.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Attempt)]
pub(crate) struct AttemptListed {
    /// Its number.
    #[schema(minimum = 1)]
    attempt: u64,
    /// When, by the clock of the node that refused it.
    at: At,
    /// `sequence_reused`: another command under a number that the table has used; `terms_changed`: other terms for a link
    /// that is open; `table_moved`: a table that is on another link; `proposal_reused`: another proposal under a used id.
    #[schema(value_type = String)]
    kind: &'static str,
    /// The name of the token's owner.
    actor: Option<String>,
    /// The link.
    link: String,
    /// The table, where it is about one.
    table: Option<String>,
    /// The number that was used, where it has one.
    sequence: Option<u64>,
    /// The server that refused it.
    node: String,
    /// What differs; empty for a command.
    detail: String,
    /// Attempts of the same kind at the same table or link just before this one that have no entry of their own.
    suppressed: u64,
}

/// Lists attempts that were refused before the rules saw them, newest first.
///
/// They are no part of the journal and use no number up. Ten of a kind at one table or link in a minute have an entry
/// each; of more the last has one, which counts the others.
#[utoipa::path(
    get,
    path = "/v1/attempts",
    operation_id = "list_attempts",
    tag = "operations",
    security(("token" = [])),
    params(
        ("link" = Option<String>, Query, description = "Of this link only", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("after" = Option<String>, Query, description = "Behind this place: `next` of the page before"),
        ("limit" = Option<u32>, Query, description = "At most so many; 100 if left out", minimum = 1, maximum = 500),
    ),
    responses((status = 200, description = "The attempts", body = AttemptsPage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    query: Query,
) -> Result<Json<AttemptsPage>, Failure> {
    authorize::read_everything(&caller)?;
    let query = query.only(&["link", "after", "limit"])?;
    let link: Option<LinkName> = query.get("link", name)?;
    let after = query.get("after", number)?;
    let limit = query.limit(JOURNAL_PAGE_MAX)?;
    let page = shared.engine.attempts(link.as_ref(), after, limit).await?;
    Ok(Json(AttemptsPage::from(&page)))
}

/// Reads the place of a page.
fn number(field: &str, text: &str) -> Result<u64, EdgeError> {
    let detail = "after is the next of the page before";
    let refused =
        || EdgeError::because(EdgeCode::InvalidParameter, detail).with(field, shown(text));
    text.parse().map_err(|_| refused())
}

impl From<&Page<AttemptRow, u64>> for AttemptsPage {
    fn from(page: &Page<AttemptRow, u64>) -> Self {
        Self {
            attempts: page.items.iter().map(AttemptListed::from).collect(),
            more: page.next.is_some(),
            next: page.next.map(|number| number.to_string()),
        }
    }
}

impl From<&AttemptRow> for AttemptListed {
    fn from(row: &AttemptRow) -> Self {
        Self {
            attempt: row.number,
            at: At(row.at),
            kind: row.kind.name(),
            actor: row.actor.clone(),
            link: row.link.clone(),
            table: row.table.clone(),
            sequence: row.sequence,
            node: row.node.clone(),
            detail: row.detail.clone(),
            suppressed: row.suppressed,
        }
    }
}
