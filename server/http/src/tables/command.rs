//! `PUT /v1/tables/{table}/commands/{sequence}`: a command of a table, under the table's own number.

use axum::extract::State;
use meterhouse_api::command::CommandRequest;
use meterhouse_api::outcome::CommandResponse;
use meterhouse_domain::ids::{ActorId, Sequence};
use meterhouse_edge::authorize;
use meterhouse_engine::Engine;
use meterhouse_engine::operations::pipelined::AttachedTable;
use meterhouse_engine::view::Sender;

use super::outcome::written;
use super::request::{Sent, To, sent};
use crate::caller::Identified;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::CommandPath;
use crate::extract::request::JsonBody;
use crate::known_tables::Offered;
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Sends a numbered command of a table.
///
/// The controller numbers its commands from 1. Table and number are the command's identity, so that it may always be sent
/// again and gets the same outcome. A refusal by the rules (422) is journaled and uses the number up. Every other error
/// uses no number up.
#[utoipa::path(
    put,
    path = "/v1/tables/{table}/commands/{sequence}",
    operation_id = "send_command",
    tag = "tables",
    security(("token" = [])),
    params(CommandPath),
    request_body = CommandRequest,
    responses(
        (status = 201, description = "Done", body = CommandResponse),
        (status = 200, description = "Done before: the same outcome", body = CommandResponse,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn command(
    State(shared): State<Shared>,
    identified: Identified,
    PathOf(CommandPath { table, sequence }): PathOf<CommandPath>,
    Offered(offer): Offered,
    JsonBody(body): JsonBody<CommandRequest>,
) -> Result<Written<CommandResponse>, Failure> {
    authorize::command_table(&identified.caller, &table)?;
    let attached = shared.engine.attach(&table).await?;
    let to = To {
        name: &table,
        game: attached.game(),
        catalogue: &shared.catalogue,
    };
    let sent = sent(body, to)?;
    if let (Some(offer), Some(token)) = (offer, identified.token) {
        offer.take(&shared, token, (&table, &attached));
    }
    let actor = identified.caller.person.actor;
    carry_out(&shared.engine, actor, &attached, sequence.0, sent).await
}

/// Carries a command out, and returns its outcome.
pub(crate) async fn carry_out(
    engine: &Engine,
    actor: ActorId,
    table: &AttachedTable,
    sequence: Sequence,
    sent: Sent,
) -> Result<Written<CommandResponse>, Failure> {
    let sender = Sender {
        actor,
        by: sent.by,
        device_time: sent.device_time,
    };
    let answer = engine.attached_command(table, sender, sequence, sent.command);
    written(&answer.await?)
}
