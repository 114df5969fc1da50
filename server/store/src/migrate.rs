//! Migration of a database to this release's schema.
//!
//! # Shape
//! The roles, which belong to the cluster and not to the database, come first. `meterhouse_owner`
//! creates everything else. Then sqlx applies the missing files of `migrations/`, each in its
//! transaction. An applied file that differs from this release's is refused, as is a newer schema on
//! which this release does not run. An index on existing rows is built concurrently before the
//! migration that adds it (`concurrent_index`). The partitions of this month and of the next three
//! come last.
//!
//! # Limits
//! [`LOCK_WAIT_MAX`] for another migration, 10 s for a lock on a table, an hour for the
//! transactions that a concurrent build has to wait for. The steps themselves have no limit: an
//! index on a long journal may take long, on a connection of its own.
//!
//! # Order and locking
//! One advisory lock of the session, which is polled. A migrator that blocked on the lock would
//! keep a concurrent index build from ending (element-hq/matrix-authentication-service issue 5298).

use std::collections::BTreeMap;
use std::time::Duration;

use sqlx::AssertSqlSafe;
use sqlx::error::DatabaseError;
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::time::{Instant, sleep};

use crate::concurrent_index;
use crate::error::StoreError;
use crate::migration_notes::{BASELINE, MIGRATOR, note_of};
use crate::migration_state::{
    MigrationState, applied, compare, execute, is_true, refuse_other_program,
};
use crate::session::connect;
use crate::sql::admin;
use crate::sql::statement::ResultExt as _;

/// Longest wait for another migration.
const LOCK_WAIT_MAX: Duration = Duration::from_mins(1);
/// Interval between two attempts to take the migration lock.
const LOCK_POLL: Duration = Duration::from_millis(50);
/// Number of months after the current one that have a partition.
pub const PERIODS_AHEAD: i32 = 3;

/// The result of a migration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrateReport {
    /// Versions that this run applied.
    pub applied: Vec<i64>,
    /// Number of partitions that were made.
    pub periods: i32,
}

impl std::fmt::Display for MigrateReport {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.applied.len() {
            0 => write!(out, "the schema was current")?,
            1 => write!(out, "1 migration was applied")?,
            count => write!(out, "{count} migrations were applied")?,
        }
        write!(out, "; {} months were given a partition", self.periods)
    }
}

/// Applies the missing migrations. `connect` is a superuser or a member of `meterhouse_owner`.
///
/// # Errors
/// If the database holds another program's tables; if this user lacks a right, each case with its remedy; if a migration fails or an applied one
/// was changed.
pub async fn migrate(options: &PgConnectOptions) -> Result<MigrateReport, StoreError> {
    // The owner grants rights on the schema that every role has on a schema of Postgres 15.
    // Postgres warns of that at every first start.
    let quiet = options.clone().options([("client_min_messages", "error")]);
    let mut connection = connect(&quiet).await?;
    lock(&mut connection).await?;
    refuse_other_program(&mut connection).await?;
    let run = admin::MAKE_ROLES;
    execute(&mut connection, run)
        .await
        .map_err(|source| StoreError::CannotMakeRoles { source })?;
    let run = admin::OPEN_SCHEMA;
    execute(&mut connection, run)
        .await
        .map_err(|source| StoreError::CannotOpenSchema { source })?;
    for run in [admin::JOIN_OWNER, admin::BECOME_OWNER] {
        let done = execute(&mut connection, run).await;
        done.map_err(|source| StoreError::CannotBecomeOwner { source })?;
    }
    execute(&mut connection, admin::LIMIT_LOCKS)
        .await
        .in_statement(admin::LIMIT_LOCKS)?;
    let before = applied(&mut connection).await?;
    if let MigrationState::Unknown { versions } = compare(&mut connection, &before).await? {
        return Err(StoreError::NewerSchema { versions });
    }
    let applied = apply(&mut connection, &before).await?;
    let periods = make_first_periods(&mut connection).await?;
    Ok(MigrateReport { applied, periods })
}

/// Applies the missing migrations. Indexes on existing rows are built before theirs. Returns the
/// versions that were applied.
async fn apply(
    connection: &mut PgConnection,
    before: &BTreeMap<i64, Vec<u8>>,
) -> Result<Vec<i64>, StoreError> {
    let migrator = embedded();
    let missing = MIGRATOR.iter().map(|migration| migration.version);
    let missing: Vec<i64> = missing
        .filter(|version| !before.contains_key(version))
        .collect();
    declare(connection).await?;
    for version in &missing {
        let indexes = note_of(*version).indexes;
        if !indexes.is_empty() {
            let earlier = Some(*version - 1);
            let run = migrator.run_direct(earlier, connection, false).await;
            run.map_err(|source| StoreError::Migrate { source })?;
            concurrent_index::build(connection, indexes).await?;
        }
    }
    let run = migrator.run_direct(None, connection, false).await;
    run.map_err(|source| StoreError::Migrate { source })?;
    declare(connection).await?;
    Ok(missing)
}

/// Declares which programs run on the result of each migration of this release, once the table for
/// that exists: before they are applied, so that an older server may start in between.
async fn declare(connection: &mut PgConnection) -> Result<(), StoreError> {
    if !is_true(connection, admin::HAS_COMPATIBILITY).await? {
        return Ok(());
    }
    let versions = MIGRATOR.iter().map(|migration| migration.version);
    let versions: Vec<i64> = versions.filter(|version| *version > BASELINE).collect();
    let from: Vec<i64> = versions
        .iter()
        .map(|version| note_of(*version).compatible_from)
        .collect();
    let added = sqlx::query(admin::DECLARE_COMPATIBILITY.sql)
        .bind(versions)
        .bind(from)
        .execute(connection)
        .await;
    added.map(drop).in_statement(admin::DECLARE_COMPATIBILITY)
}

/// CREATE DATABASE can't be prepared, so this statement is not in the list of prepared ones.
const CREATE_DATABASE: &str = "/* admin.create_database */ CREATE DATABASE";

/// Creates the database of a private server if it is missing; `options` is a superuser of the
/// server.
///
/// # Errors
/// If the query fails or the server refuses.
pub async fn create_database(options: &PgConnectOptions, name: &str) -> Result<(), StoreError> {
    let mut connection = connect(options).await?;
    let query = sqlx::query(admin::FIND_DATABASE.sql).bind(name);
    if query
        .fetch_optional(&mut connection)
        .await
        .in_statement(admin::FIND_DATABASE)?
        .is_some()
    {
        return Ok(());
    }
    // A name can't be a parameter here. Quoting keeps it from being a statement.
    let quoted = name.replace('"', "\"\"");
    let create = AssertSqlSafe(format!("{CREATE_DATABASE} \"{quoted}\""));
    match sqlx::raw_sql(create).execute(&mut connection).await {
        Ok(_) => Ok(()),
        // Another process was first.
        Err(error) if is_duplicate_database(&error) => Ok(()),
        Err(source) => Err(StoreError::Statement {
            name: "admin.create_database",
            source,
        }),
    }
}

fn is_duplicate_database(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(DatabaseError::code);
    code.is_some_and(|code| code == "42P04" || code == "23505")
}

/// Returns a migrator that borrows the embedded files, because a [`Migrator`] can't be cloned.
/// sqlx's own lock would block, and versions of a newer release were judged before.
fn embedded() -> Migrator {
    Migrator {
        migrations: std::borrow::Cow::Borrowed(&MIGRATOR.migrations),
        locking: false,
        ignore_missing: true,
        ..Migrator::DEFAULT
    }
}

async fn lock(connection: &mut PgConnection) -> Result<(), StoreError> {
    let statement = admin::TRY_MIGRATION_LOCK;
    let start = Instant::now();
    loop {
        let locked = sqlx::query_scalar(statement.sql)
            .fetch_one(&mut *connection)
            .await;
        if locked.in_statement(statement)? {
            return Ok(());
        }
        if start.elapsed() >= LOCK_WAIT_MAX {
            let what = "waiting for another migration";
            return Err(StoreError::TooSlow {
                what,
                limit: LOCK_WAIT_MAX,
            });
        }
        sleep(LOCK_POLL).await;
    }
}

async fn make_first_periods(connection: &mut PgConnection) -> Result<i32, StoreError> {
    let now = sqlx::query_scalar::<_, i32>(admin::CURRENT_PERIOD.sql).fetch_one(&mut *connection);
    let now = now.await.in_statement(admin::CURRENT_PERIOD)?;
    let made = sqlx::query_scalar(admin::MAKE_PERIODS.sql)
        .bind(now)
        .bind(PERIODS_AHEAD + 1);
    made.fetch_one(connection)
        .await
        .in_statement(admin::MAKE_PERIODS)
}
