//! The concurrent build of an index on existing rows, before the migration that adds it.
//!
//! # Shape
//! `CREATE INDEX CONCURRENTLY` lets writers go on, but it fits neither a transaction nor a
//! partitioned table. Therefore each partition gets its part of the index here. The migration's
//! `CREATE INDEX` on the parent then takes over these parts and reads no row. A part that a killed
//! build left behind is invalid: it is dropped and built again.
//!
//! # Limits
//! A build waits for every transaction that began before it, an hour at most
//! (`admin.limit_builds`). A partition that is made meanwhile is empty; the migration indexes it.

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Row as _};

use crate::error::StoreError;
use crate::migration_notes::IndexNote;
use crate::migration_state::execute;
use crate::sql::admin;
use crate::sql::statement::ResultExt as _;

/// These statements have names of the catalogue in their text, so that they can't be prepared.
const BUILD: &str = "admin.build_index";
const DROP: &str = "admin.drop_index";

/// Builds the missing parts of the indexes. A table that does not exist yet has none.
pub(crate) async fn build(
    connection: &mut PgConnection,
    indexes: &[IndexNote],
) -> Result<(), StoreError> {
    let limit = admin::LIMIT_BUILDS;
    execute(connection, limit).await.in_statement(limit)?;
    for index in indexes {
        build_one(connection, index).await?;
    }
    let limit = admin::LIMIT_LOCKS;
    execute(connection, limit).await.in_statement(limit)
}

async fn build_one(connection: &mut PgConnection, note: &IndexNote) -> Result<(), StoreError> {
    let statement = admin::INDEXED_TABLES;
    let tables = sqlx::query(statement.sql).bind(note.table).bind(note.name);
    let tables = tables.fetch_all(&mut *connection).await;
    for row in tables.in_statement(statement)? {
        let text = |column| row.try_get::<String, _>(column).map(|name| quoted(&name));
        let names = || Ok((text("schema")?, text("table")?, text("index")?));
        let (schema, table, index) = names().in_statement(statement)?;
        let is_valid = row.try_get::<Option<bool>, _>("is_valid");
        match is_valid.in_statement(statement)? {
            Some(true) => continue,
            Some(false) => {
                let drop = format!("/* {DROP} */ DROP INDEX CONCURRENTLY {schema}.{index}");
                run(connection, DROP, drop).await?;
            }
            None => {}
        }
        let definition = note.definition;
        let build = format!(
            "/* {BUILD} */ CREATE INDEX CONCURRENTLY {index} ON {schema}.{table} {definition}"
        );
        tracing::info!(
            db.index = note.name,
            db.table = table,
            "builds an index while play goes on"
        );
        run(connection, BUILD, build).await?;
    }
    Ok(())
}

async fn run(
    connection: &mut PgConnection,
    name: &'static str,
    sql: String,
) -> Result<(), StoreError> {
    let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await;
    done.map(drop)
        .map_err(|source| StoreError::Statement { name, source })
}

/// Returns a name of the catalogue in quotes.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
