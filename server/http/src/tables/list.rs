//! `GET /v1/tables`: every table of every link.

use axum::Json;
use axum::extract::State;
use meterhouse_edge::authorize;
use meterhouse_edge::value::service;
use meterhouse_engine::view::TableRow;
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::Query;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::At;

/// Every table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Tables {
    /// By link, then in the order of joining.
    tables: Vec<TableListed>,
}

/// A table of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableListed {
    /// The table.
    table: String,
    /// Its link.
    link: String,
    /// Its game.
    game: String,
    /// Seats on its layout.
    seats: u8,
    /// `in_service`, or `lost` after too long a silence.
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
    responses((status = 200, description = "The tables", body = Tables), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    query: Query,
) -> Result<Json<Tables>, Failure> {
    authorize::read_everything(&caller)?;
    query.only(&[])?;
    let rows = shared.engine.tables().await?;
    Ok(Json(Tables {
        tables: rows.iter().map(TableListed::from).collect(),
    }))
}

impl From<&TableRow> for TableListed {
    fn from(row: &TableRow) -> Self {
        Self {
            table: row.name.to_string(),
            link: row.link.to_string(),
            game: row.game.to_string(),
            seats: row.seats,
            state: service(row.lost.is_some()),
            heard_at: row.heard_at.map(At),
        }
    }
}
