//! `PUT /v1/tables/{table}/commands/{sequence}`: what a table does, in its own numbering.

use axum::extract::State;
use meterhouse_edge::authorize;
use meterhouse_engine::view::Sender;

use super::answer::written;
use super::done::CommandAnswer;
use super::request::CommandBody;
use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::{JsonBody, SequenceOf, TableOf};
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Sends a numbered command of a table.
///
/// The controller counts its commands from 1; table and number are the command's identity. Sending it again is
/// always safe and is answered with the same body. A refusal by the rules (422) is journaled and uses the
/// number up; every other error uses nothing up.
#[utoipa::path(
    put,
    path = "/v1/tables/{table}/commands/{sequence}",
    operation_id = "send_command",
    tag = "tables",
    security(("token" = [])),
    params(
        ("table" = String, Path, description = "The table", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("sequence" = u64, Path, description = "The command's number", minimum = 1,
            maximum = 9_223_372_036_854_775_807_u64),
    ),
    request_body = CommandBody,
    responses(
        (status = 201, description = "Done", body = CommandAnswer),
        (status = 200, description = "Done before: the first answer again", body = CommandAnswer,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn command(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    TableOf(table): TableOf,
    SequenceOf(sequence): SequenceOf,
    JsonBody(body): JsonBody<CommandBody>,
) -> Result<Written<CommandAnswer>, Failure> {
    authorize::command_table(&caller, &table)?;
    let sent = body.read(&table)?;
    let sender = Sender {
        actor: caller.person.actor,
        by: sent.by,
        device_time: sent.device_time,
    };
    let answer = shared
        .engine
        .table_command(&table, sender, sequence, sent.command)
        .await?;
    written(&answer)
}
