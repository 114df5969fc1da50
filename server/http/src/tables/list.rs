//! `GET /v1/tables`: the tables of all links.

use axum::Json;
use axum::extract::State;
use meterhouse_edge::authorize;
use meterhouse_edge::value;
use meterhouse_engine::view::TableRow;
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::{LIST_PAGE_MAX, Query};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::At;

/// A page of tables.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TablePage {
    /// By link, then in the order of joining.
    tables: Vec<TableListed>,
    /// Whether there is more.
    more: bool,
    /// What to write as `after` for the next page.
    next: Option<String>,
}

/// A table of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableListed {
    /// The table.
    table: String,
    /// Its link.
    link: String,
    /// Its link's: `open`, `suspended`, `closed`, `faulted`, or `unavailable` where the link did not answer in time.
    #[schema(value_type = String)]
    link_state: &'static str,
    /// Its game.
    game: String,
    /// Seats on its layout.
    seats: u8,
    /// `in_service`, `lost` after too long a silence, `disabled` by a manager, or `left`: off its link for good.
    #[schema(value_type = String)]
    state: &'static str,
    /// When it was last heard, by a command or a heartbeat.
    heard_at: Option<At>,
}

/// Lists the tables of all links.
#[utoipa::path(
    get,
    path = "/v1/tables",
    operation_id = "list_tables",
    tag = "tables",
    security(("token" = [])),
    params(
        ("after" = Option<String>, Query, description = "What the page before has in next",
            pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("limit" = Option<u32>, Query, description = "Entries of the page; 100 if left out",
            minimum = 1, maximum = 200),
    ),
    responses((status = 200, description = "A page of tables", body = TablePage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    query: Query,
) -> Result<Json<TablePage>, Failure> {
    authorize::read_everything(&caller)?;
    let query = query.only(&["after", "limit"])?;
    let after = query.get("after", value::name)?;
    let limit = query.limit(LIST_PAGE_MAX)?;
    let page = shared.engine.tables(after.as_ref(), limit).await?;
    Ok(Json(TablePage {
        tables: page.items.iter().map(TableListed::from).collect(),
        more: page.next.is_some(),
        next: page.next.map(|table| table.to_string()),
    }))
}

impl From<&TableRow> for TableListed {
    fn from(row: &TableRow) -> Self {
        Self {
            table: row.name.to_string(),
            link: row.link.to_string(),
            link_state: row.link_state.name(),
            game: row.game.to_string(),
            seats: row.seats,
            state: row.status.name(),
            heard_at: row.heard_at.map(At),
        }
    }
}
