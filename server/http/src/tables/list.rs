//! `GET /v1/tables`: the tables of all links.

use axum::Json;
use axum::extract::State;
use meterhouse_api::table::{ListedTable, TablePage};
use meterhouse_api::text::Text;
use meterhouse_api::values::TableName;
use meterhouse_edge::authorize;
use meterhouse_engine::view::TableRow;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::caller::Authenticated;
use crate::document::ReadProblems;
use crate::extract::parameters::{LIST_PAGE_MAX, PAGE_DEFAULT, QueryOf, Whole, optional};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::value::{link_state, table_state};

/// The parameters of a list of tables.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TablesQuery {
    /// Value of `next` of the page before.
    #[serde(default, deserialize_with = "optional")]
    #[param(inline)]
    after: Option<TableName>,
    /// Entries of the page; 100 if left out.
    #[serde(default, deserialize_with = "optional")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<Whole<LIST_PAGE_MAX>>,
}

/// Lists the tables of all links.
#[utoipa::path(
    get,
    path = "/v1/tables",
    operation_id = "list_tables",
    tag = "tables",
    security(("token" = [])),
    params(TablesQuery),
    responses((status = 200, description = "A page of tables", body = TablePage), ReadProblems),
)]
pub(crate) async fn list(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    QueryOf(query): QueryOf<TablesQuery>,
) -> Result<Json<TablePage>, Failure> {
    authorize::read_everything(&caller)?;
    let limit = query.limit.map_or(PAGE_DEFAULT, |limit| limit.0);
    let after = query.after.as_deref();
    let page = shared.engine.tables(after, limit).await?;
    Ok(Json(TablePage {
        tables: page.items.iter().map(listed).collect(),
        more: page.next.is_some(),
        next: page.next.map(Text),
    }))
}

fn listed(row: &TableRow) -> ListedTable {
    ListedTable {
        table: Text(row.name.clone()),
        link: Text(row.link.clone()),
        link_state: link_state(row.link_state),
        game: Text(row.game.clone()),
        seats: row.seats,
        state: table_state(row.status),
        heard_at: row.heard_at.map(Text),
        pit: row.pit.clone().map(Text),
    }
}
