//! `PUT /v1/tables/{table}/heartbeat`: a sign of life; the response has what the table needs to resume.

use axum::Json;
use axum::extract::State;
use meterhouse_api::table::{HeartbeatRequest, Table};
use meterhouse_api::text::Text;
use meterhouse_edge::authorize;

use super::read::present;
use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::TablePath;
use crate::extract::request::OptionalBody;
use crate::options::Shared;
use crate::problem::Failure;

/// Sends a heartbeat of a table.
///
/// A table that is silent for longer than its link's limit is lost: it takes no coin-in until its next command or
/// heartbeat. The response is that of `GET /v1/tables/{table}`: resume by its `next_sequence`. A table that has stored a
/// `seal` sends it with its first heartbeat: if the server's database was set back, the link is faulted.
#[utoipa::path(
    put,
    path = "/v1/tables/{table}/heartbeat",
    operation_id = "send_heartbeat",
    tag = "tables",
    security(("token" = [])),
    params(TablePath),
    request_body = Option<HeartbeatRequest>,
    responses((status = 200, description = "The table", body = Table), WriteProblems),
)]
pub(crate) async fn heartbeat(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(TablePath { table }): PathOf<TablePath>,
    OptionalBody(body): OptionalBody<HeartbeatRequest>,
) -> Result<Json<Table>, Failure> {
    authorize::command_table(&caller, &table)?;
    if let Some(Text(seal)) = body.and_then(|body| body.seal) {
        shared.engine.compare_table_seal(&table, &seal).await?;
    }
    let view = shared.engine.heartbeat(&table).await?;
    let own = shared.engine.table_paytable(&table).await?;
    Ok(Json(present(&view, &own)?))
}
