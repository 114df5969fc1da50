//! `PUT /v1/tables/{table}/heartbeat`: the table is there, and is told what it needs to resume.

use axum::Json;
use axum::extract::State;
use meterhouse_edge::authorize;
use serde::Deserialize;
use utoipa::ToSchema;

use super::read::{TableNow, now};
use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::{OptionalBody, TableOf};
use crate::options::Shared;
use crate::problem::Failure;

/// Nothing to say.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HeartbeatSent)]
pub(crate) struct HeartbeatBody {}

/// Says that a table is there.
///
/// A table that is silent for longer than its link's limit is lost: no coin-in there until it is heard again. The
/// answer is that of `GET /v1/tables/{table}`: resume by its `next_sequence`.
#[utoipa::path(
    put,
    path = "/v1/tables/{table}/heartbeat",
    operation_id = "send_heartbeat",
    tag = "tables",
    security(("token" = [])),
    params(("table" = String, Path, description = "The table", pattern = "^[A-Za-z0-9-]{1,32}$")),
    request_body = Option<HeartbeatBody>,
    responses((status = 200, description = "Heard", body = TableNow), WriteProblems),
)]
pub(crate) async fn heartbeat(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    TableOf(table): TableOf,
    OptionalBody(body): OptionalBody<HeartbeatBody>,
) -> Result<Json<TableNow>, Failure> {
    authorize::command_table(&caller, &table)?;
    // It was read for its shape alone.
    let HeartbeatBody {} = body.unwrap_or(HeartbeatBody {});
    let view = shared.engine.heartbeat(&table).await?;
    let own = shared.engine.table_paytable(&table).await?;
    Ok(Json(now(&view, &own)?))
}
