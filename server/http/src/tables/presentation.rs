//! `PUT /v1/tables/{table}/presentation`: the pit in which a table stands.

use axum::extract::State;
use meterhouse_api::presentation::{PresentTableRequest, PresentedTable};
use meterhouse_api::text::Text;
use meterhouse_edge::authorize;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::TablePath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Names the pit in which a table stands, for lists of tables.
///
/// The body is the whole presentation: without a pit the table has none. It touches no money, and is in the record of
/// acts, not in the journal.
#[utoipa::path(
    put,
    path = "/v1/tables/{table}/presentation",
    operation_id = "present_table",
    tag = "tables",
    security(("token" = [])),
    params(TablePath),
    request_body = PresentTableRequest,
    responses(
        (status = 201, description = "Presented", body = PresentedTable),
        (status = 200, description = "Presented so before", body = PresentedTable,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn present(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(TablePath { table }): PathOf<TablePath>,
    JsonBody(body): JsonBody<PresentTableRequest>,
) -> Result<Written<PresentedTable>, Failure> {
    authorize::configure(&caller)?;
    let pit = body.pit.map(|pit| pit.0);
    let presented = shared.engine.present_table(&caller.person, &table, pit);
    let presented = presented.await?;
    Ok(Written {
        body: PresentedTable {
            table,
            pit: presented.value.map(Text),
        },
        replayed: presented.replayed,
    })
}
