//! `PUT` and `DELETE /v1/tables/{table}/disabled`, `PUT /v1/tables/{table}/departure`: a table off, on, and gone.

use axum::extract::State;
use meterhouse_edge::authorize;
use meterhouse_engine::answer::Idempotent;
use meterhouse_engine::view::TableView;
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::{JsonBody, TableOf};
use crate::links::ReasonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// The state of a table after a manager's change.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableSwitched {
    /// The table.
    table: String,
    /// Its link.
    link: String,
    /// `in_service`, `lost`, `disabled`, or `left`.
    #[schema(value_type = String)]
    state: &'static str,
    /// Why it is disabled: the reason that was sent first.
    disabled_reason: Option<String>,
}

/// Disables a table: it takes no coin-in; everything else of an open round goes on.
///
/// The other tables of the link play on. Disabled again, the table keeps the first reason.
#[utoipa::path(
    put,
    path = "/v1/tables/{table}/disabled",
    operation_id = "disable_table",
    tag = "tables",
    security(("token" = [])),
    params(("table" = String, Path, description = "The table", pattern = "^[A-Za-z0-9-]{1,32}$")),
    request_body = ReasonBody,
    responses(
        (status = 201, description = "Disabled", body = TableSwitched),
        (status = 200, description = "Disabled before", body = TableSwitched,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn disable(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    TableOf(table): TableOf,
    JsonBody(body): JsonBody<ReasonBody>,
) -> Result<Written<TableSwitched>, Failure> {
    authorize::run_link(&caller)?;
    let (person, reason) = (&caller.person, body.read()?);
    let done = shared.engine.disable_table(person, &table, reason).await?;
    switched(&done)
}

/// Enables a table: it plays again.
#[utoipa::path(
    delete,
    path = "/v1/tables/{table}/disabled",
    operation_id = "enable_table",
    tag = "tables",
    security(("token" = [])),
    params(("table" = String, Path, description = "The table", pattern = "^[A-Za-z0-9-]{1,32}$")),
    responses(
        (status = 201, description = "Enabled", body = TableSwitched),
        (status = 200, description = "It was not disabled", body = TableSwitched,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn enable(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    TableOf(table): TableOf,
) -> Result<Written<TableSwitched>, Failure> {
    authorize::run_link(&caller)?;
    let done = shared.engine.enable_table(&caller.person, &table).await?;
    switched(&done)
}

/// Lets a table leave its link for good.
///
/// It leaves only without an open round and without an unpaid hit. Its id never joins a link again; its past stays in
/// the journal and in every report.
#[utoipa::path(
    put,
    path = "/v1/tables/{table}/departure",
    operation_id = "leave_link",
    tag = "tables",
    security(("token" = [])),
    params(("table" = String, Path, description = "The table", pattern = "^[A-Za-z0-9-]{1,32}$")),
    request_body = ReasonBody,
    responses(
        (status = 201, description = "Left", body = TableSwitched),
        (status = 200, description = "Left before", body = TableSwitched,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn leave(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    TableOf(table): TableOf,
    JsonBody(body): JsonBody<ReasonBody>,
) -> Result<Written<TableSwitched>, Failure> {
    authorize::set_up(&caller)?;
    let (person, reason) = (&caller.person, body.read()?);
    let done = shared.engine.leave_link(person, &table, reason).await?;
    switched(&done)
}

fn switched(done: &Idempotent<TableView>) -> Result<Written<TableSwitched>, Failure> {
    let view = &done.value;
    let table = view.state.table(view.number);
    let table = table.ok_or_else(|| Failure::internal("a table is not in its link's state"))?;
    Ok(Written {
        body: TableSwitched {
            table: table.name.to_string(),
            link: view.state.terms.name.to_string(),
            state: view.status().name(),
            disabled_reason: table.disabled.as_ref().map(ToString::to_string),
        },
        replayed: done.replayed,
    })
}
