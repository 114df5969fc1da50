//! `PUT` and `DELETE /v1/tables/{table}/disabled`, `PUT /v1/tables/{table}/departure`: a table off, on, and gone.

use axum::extract::State;
use meterhouse_api::link::ReasonRequest;
use meterhouse_api::table::SwitchedTable;
use meterhouse_api::text::Text;
use meterhouse_edge::authorize;
use meterhouse_engine::answer::Idempotent;
use meterhouse_engine::view::TableView;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::TablePath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::value::table_state;
use crate::replay::Written;

/// Disables a table: it takes no coin-in; everything else of an open round goes on.
///
/// The other tables of the link play on. Disabled again, the table keeps the first reason.
#[utoipa::path(
    put,
    path = "/v1/tables/{table}/disabled",
    operation_id = "disable_table",
    tag = "tables",
    security(("token" = [])),
    params(TablePath),
    request_body = ReasonRequest,
    responses(
        (status = 201, description = "Disabled", body = SwitchedTable),
        (status = 200, description = "Disabled before", body = SwitchedTable,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn disable(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(TablePath { table }): PathOf<TablePath>,
    JsonBody(body): JsonBody<ReasonRequest>,
) -> Result<Written<SwitchedTable>, Failure> {
    authorize::run_link(&caller)?;
    let (person, reason) = (&caller.person, body.reason.given());
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
    params(TablePath),
    responses(
        (status = 201, description = "Enabled", body = SwitchedTable),
        (status = 200, description = "It was not disabled", body = SwitchedTable,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn enable(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(TablePath { table }): PathOf<TablePath>,
) -> Result<Written<SwitchedTable>, Failure> {
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
    params(TablePath),
    request_body = ReasonRequest,
    responses(
        (status = 201, description = "Left", body = SwitchedTable),
        (status = 200, description = "Left before", body = SwitchedTable,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn leave(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(TablePath { table }): PathOf<TablePath>,
    JsonBody(body): JsonBody<ReasonRequest>,
) -> Result<Written<SwitchedTable>, Failure> {
    authorize::configure(&caller)?;
    let (person, reason) = (&caller.person, body.reason.given());
    let done = shared.engine.leave_link(person, &table, reason).await?;
    switched(&done)
}

fn switched(done: &Idempotent<TableView>) -> Result<Written<SwitchedTable>, Failure> {
    let view = &done.value;
    let table = view.state.table(view.number);
    let table = table.ok_or_else(|| Failure::internal("a table is not in its link's state"))?;
    Ok(Written {
        body: SwitchedTable {
            table: Text(table.name.clone()),
            link: Text(view.state.terms.name.clone()),
            state: table_state(view.status()),
            disabled_reason: table.disabled.as_ref().map(ToString::to_string),
        },
        replayed: done.replayed,
    })
}
