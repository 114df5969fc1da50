//! `PUT /v1/tables/{table}`: a table joins a link with what it has.

use axum::extract::State;
use meterhouse_catalogue::Catalogue;
use meterhouse_domain::command::JoinTable;
use meterhouse_domain::ids::{LinkName, TableName};
use meterhouse_edge::authorize;
use meterhouse_edge::paytables::confirmed;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::answer::Idempotent;
use meterhouse_engine::view::TableView;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::caller::Authenticated;
use crate::document::WriteProblems;
use crate::extract::{JsonBody, Loose, TableOf};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::Amount;
use crate::replay::Written;

/// What a table has; the link has to have the same.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = JoinTable)]
pub(crate) struct JoinBody {
    /// The link.
    #[schema(value_type = String, pattern = "^[A-Za-z0-9-]{1,32}$", examples("main"))]
    link: Loose,
    /// The game.
    #[schema(value_type = String, examples("crazy-4-poker"))]
    game: Loose,
    /// Seats on the layout.
    #[schema(value_type = u8, minimum = 1, maximum = 15, examples(6))]
    seats: Loose,
    /// The paytable.
    #[schema(value_type = String, examples("pa-657a-five-card-c"))]
    paytable: Loose,
    /// True: what the paytable has from elsewhere, because its source doesn't print it, is what the operator filed.
    confirm_inferred: Option<bool>,
    /// The progressive wager.
    #[schema(value_type = String, examples("1.00"))]
    wager: Loose,
    /// Decks in play in one round.
    #[schema(value_type = u8, minimum = 1, maximum = 8, examples(1))]
    decks: Loose,
}

/// A table that has joined.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Joined {
    /// The table.
    table: String,
    /// Its number on the link, in the order of joining.
    #[schema(minimum = 1)]
    number: u32,
    /// The link.
    link: String,
    /// Its game.
    game: String,
    /// Seats on its layout.
    seats: u8,
    /// The link's paytable, whose content is the table's.
    paytable: String,
    /// The progressive wager.
    wager: Amount,
    /// Decks in play in one round.
    decks: u8,
}

/// Lets a table join a link.
///
/// It joins only with the same paytable content, wager and decks; the refusal lists every difference.
#[utoipa::path(
    put,
    path = "/v1/tables/{table}",
    operation_id = "join_table",
    tag = "tables",
    security(("token" = [])),
    params(("table" = String, Path, description = "The table", pattern = "^[A-Za-z0-9-]{1,32}$")),
    request_body = JoinBody,
    responses(
        (status = 201, description = "Joined", body = Joined),
        (status = 200, description = "Joined before", body = Joined,
            headers(("Meterhouse-Replayed" = bool, description = "true"))),
        WriteProblems,
    ),
)]
pub(crate) async fn join(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    TableOf(table): TableOf,
    JsonBody(body): JsonBody<JoinBody>,
) -> Result<Written<Joined>, Failure> {
    authorize::set_up(&caller)?;
    let (link, join) = body.read(table, &shared.catalogue)?;
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

impl JoinBody {
    fn read(
        &self,
        name: TableName,
        catalogue: &Catalogue,
    ) -> Result<(LinkName, JoinTable), EdgeError> {
        let id = self.paytable.name("paytable")?;
        let join = JoinTable {
            name,
            game: self.game.name("game")?,
            seats: self.seats.small("seats")?,
            paytable: confirmed(catalogue, &id, self.confirm_inferred == Some(true))?,
            wager: self.wager.amount("wager")?,
            decks: self.decks.small("decks")?,
        };
        Ok((self.link.name("link")?, join))
    }
}

fn joined(view: &TableView) -> Result<Joined, Failure> {
    let table = view.state.table(view.number);
    let table = table.ok_or_else(|| Failure::internal("a table is not in its link's state"))?;
    let terms = &view.state.terms;
    Ok(Joined {
        table: table.name.to_string(),
        number: view.number.0,
        link: terms.name.to_string(),
        game: table.game.to_string(),
        seats: table.seats,
        paytable: terms.paytable.id.to_string(),
        wager: Amount(terms.wager),
        decks: terms.decks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::parse;

    const GOOD: &str = r#"{"link":"main","game":"crazy-4-poker","seats":6,
        "paytable":"pa-657a-five-card-c","wager":"1.00","decks":1}"#;

    fn code(text: &str) -> Result<(), &'static str> {
        let catalogue = Catalogue::compiled_in().expect("our own files");
        let body = parse::<JoinBody>(text.as_bytes());
        let table: TableName = "T1".parse().expect("a name");
        let read = body.and_then(|body| body.read(table, &catalogue));
        read.map(|_| ()).map_err(|it| it.code.code())
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
