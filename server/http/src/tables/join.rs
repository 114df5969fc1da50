//! `PUT /v1/tables/{table}`: a table joins a link.

use axum::extract::State;
use meterhouse_api::table::{JoinTableRequest, JoinedTable};
use meterhouse_api::text::Text;
use meterhouse_catalogue::Catalogue;
use meterhouse_domain::command::JoinTable;
use meterhouse_domain::ids::{LinkName, TableName};
use meterhouse_edge::authorize;
use meterhouse_edge::paytables::confirmed;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::answer::Idempotent;
use meterhouse_engine::view::TableView;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::parameters::PathOf;
use crate::extract::paths::TablePath;
use crate::extract::request::JsonBody;
use crate::options::Shared;
use crate::problem::Failure;
use crate::replay::Written;

/// Lets a table join a link.
///
/// It joins only with the same paytable content, wager and decks; the refusal lists every difference.
#[utoipa::path(
    put,
    path = "/v1/tables/{table}",
    operation_id = "join_table",
    tag = "tables",
    security(("token" = [])),
    params(TablePath),
    request_body = JoinTableRequest,
    responses(
        (status = 201, description = "Joined", body = JoinedTable),
        (status = 200, description = "Joined before", body = JoinedTable,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn join(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    PathOf(TablePath { table }): PathOf<TablePath>,
    JsonBody(body): JsonBody<JoinTableRequest>,
) -> Result<Written<JoinedTable>, Failure> {
    authorize::configure(&caller)?;
    let (link, join) = join_table(table.0, body, &shared.catalogue)?;
    let Idempotent {
        value: view,
        replayed,
    } = shared
        .engine
        .join_table(&caller.person, &link, join)
        .await?;
    Ok(Written {
        body: joined(&view)?,
        replayed,
    })
}

/// Returns the link and the command of a request to join.
fn join_table(
    name: TableName,
    request: JoinTableRequest,
    catalogue: &Catalogue,
) -> Result<(LinkName, JoinTable), EdgeError> {
    let confirm = request.confirm_inferred == Some(true);
    let join = JoinTable {
        name,
        game: request.game.0,
        seats: request.seats,
        paytable: confirmed(catalogue, &request.paytable, confirm)?,
        wager: request.wager.0.0,
        decks: request.decks,
    };
    Ok((request.link.0, join))
}

fn joined(view: &TableView) -> Result<JoinedTable, Failure> {
    let table = view.state.table(view.number);
    let table = table.ok_or_else(|| Failure::internal("a table is not in its link's state"))?;
    let terms = &view.state.terms;
    Ok(JoinedTable {
        table: Text(table.name.clone()),
        number: view.number.0,
        link: Text(terms.name.clone()),
        game: Text(table.game.clone()),
        seats: table.seats,
        paytable: Text(terms.paytable.id.clone()),
        wager: Text(terms.wager),
        decks: terms.decks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::request::parse;

    const GOOD: &str = r#"{"link":"main","game":"crazy-4-poker","seats":6,
        "paytable":"pa-657a-five-card-c","wager":"1.00","decks":1}"#;

    fn code(text: &str) -> Result<(), &'static str> {
        let catalogue = Catalogue::compiled_in().expect("our own files");
        let body = parse::<JoinTableRequest>("the body", text.as_bytes());
        let table: TableName = "T1".parse().expect("a name");
        let read = body.and_then(|body| join_table(table, body, &catalogue));
        read.map(|_| ()).map_err(|error| error.code.code())
    }

    #[test]
    fn what_a_table_has_is_read_strictly() {
        assert_eq!(code(GOOD), Ok(()));
        let with = |from: &str, to: &str| code(&GOOD.replace(from, to));
        assert_eq!(with("\"main\"", "\"ma in\""), Err("invalid_name"));
        assert_eq!(with("\"main\"", "7"), Err("invalid_name"));
        assert_eq!(with("\"1.00\"", "1.00"), Err("invalid_amount"));
        assert_eq!(with("five-card-c", "five-card-z"), Err("unknown_paytable"));
        assert_eq!(with(":6,", ":-6,"), Err("invalid_value"));
        assert_eq!(with("\"decks\":1", "\"decks\":256"), Err("invalid_value"));
        assert_eq!(with("\"decks\":1", "\"deck\":1"), Err("unknown_field"));
        assert_eq!(with(",\"decks\":1", ""), Err("malformed_body"));
    }
}
