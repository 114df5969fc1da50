//! The judgement of an existing database's schema: this program runs on it, or not.

use meterhouse_store::{MigrationState, Store};

use crate::failure::Failure;

/// Failure to read the schema's version.
pub(crate) const UNREADABLE: &str = "could not read the schema's version";

/// Refuses an existing database on whose schema this program does not run.
pub(crate) async fn refuse_other_schema(store: &Store) -> Result<(), Failure> {
    let state = store
        .migration_state()
        .await
        .map_err(|error| Failure::database(UNREADABLE, error))?;
    match state {
        MigrationState::Current => Ok(()),
        MigrationState::Expanded { versions } => {
            tracing::warn!(
                schema.newer = versions.len(),
                "the schema is of a newer release: replace this program soon"
            );
            Ok(())
        }
        MigrationState::Behind { missing } => {
            let other = store.refuse_other_program().await;
            other.map_err(|error| Failure::database("can't use the database", error))?;
            Err(database(format!(
                "the database's schema is {} migrations behind: run `meterhouse migrate` with a role that owns it",
                missing.len()
            )))
        }
        other => refused(&other).map_or(Ok(()), Err),
    }
}

/// Returns the failure on a schema to which no migration of this program leads.
pub(crate) fn refused(state: &MigrationState) -> Option<Failure> {
    match state {
        MigrationState::Current
        | MigrationState::Behind { .. }
        | MigrationState::Expanded { .. } => None,
        MigrationState::Changed { versions } => Some(database(format!(
            "migrations {versions:?} of the database read differently from this program's: use the program that applied them"
        ))),
        MigrationState::Unknown { versions } => Some(database(format!(
            "the database's schema is newer than this program ({} unknown migrations): use a newer one",
            versions.len()
        ))),
    }
}

fn database(what: String) -> Failure {
    Failure::Database { what, source: None }
}
