//! Migration of a database to this release's schema, and the comparison of the two.
//!
//! # Shape
//! The roles, which belong to the cluster and not to the database, come first. `meterhouse_owner`
//! creates everything else. Then sqlx applies the missing files of `migrations/`, each in its
//! transaction. An applied file that differs from this release's is refused. The partitions of this
//! month and of the next three come last.
//!
//! # Limits
//! [`LOCK_WAIT_MAX`] for another migration, 10 s for a lock on a table. The steps themselves have
//! no limit: an index on a long journal may take long, on a connection of its own.
//!
//! # Order and locking
//! One advisory lock of the session, which is polled. A migrator that blocked on the lock would
//! keep a concurrent index build from ending (element-hq/matrix-authentication-service issue 5298).

use std::collections::BTreeMap;
use std::time::Duration;

use sqlx::AssertSqlSafe;
use sqlx::Row as _;
use sqlx::error::DatabaseError;
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::time::{Instant, sleep};

use crate::database::{READ_WAIT_MAX, return_unless_timed_out, with_timeout};
use crate::error::StoreError;
use crate::session::connect;
use crate::sql::statement::ResultExt as _;
use crate::sql::{Statement, admin};
use crate::store::Store;

/// Longest wait for another migration.
const LOCK_WAIT_MAX: Duration = Duration::from_mins(1);
/// Interval between two attempts to take the migration lock.
const LOCK_POLL: Duration = Duration::from_millis(50);
/// Number of months after the current one that have a partition.
pub const PERIODS_AHEAD: i32 = 3;

static MIGRATOR: Migrator = sqlx::migrate!("../../migrations");

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

/// The difference between a database's schema and this release's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MigrationState {
    /// No difference.
    Current,
    /// Versions of this release are not applied.
    Behind {
        /// Missing versions.
        missing: Vec<i64>,
    },
    /// Versions unknown to this release are applied: a newer release was used.
    Unknown {
        /// Unknown versions.
        versions: Vec<i64>,
    },
    /// Applied versions differ from this release's.
    Changed {
        /// Changed versions.
        versions: Vec<i64>,
    },
}

/// Applies the missing migrations. `connect` is a superuser or a member of `meterhouse_owner`.
///
/// # Errors
/// If this user lacks a right, each case with its remedy; if a migration fails or an applied one
/// was changed.
pub async fn migrate(options: &PgConnectOptions) -> Result<MigrateReport, StoreError> {
    // The owner grants rights on the schema that every role has on a schema of Postgres 15.
    // Postgres warns of that at every first start.
    let quiet = options.clone().options([("client_min_messages", "error")]);
    let mut connection = connect(&quiet).await?;
    lock(&mut connection).await?;
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
    // Without sqlx's own lock, which blocks; the lock above is held.
    let migrator = Migrator {
        locking: false,
        ..embedded()
    };
    let run = migrator.run_direct(None, &mut connection, false).await;
    run.map_err(|source| StoreError::Migrate { source })?;
    let mut versions = MIGRATOR
        .iter()
        .map(|migration| migration.version)
        .collect::<Vec<i64>>();
    versions.retain(|version| !before.contains_key(version));
    let periods = make_first_periods(&mut connection).await?;
    Ok(MigrateReport {
        applied: versions,
        periods,
    })
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

impl Store {
    /// Compares the schema with this release's.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn migration_state(&self) -> Result<MigrationState, StoreError> {
        let mut connection = self.inner.reader().await?;
        let applied = applied(&mut connection);
        let applied = with_timeout("reading the migrations", READ_WAIT_MAX, applied).await;
        let applied = return_unless_timed_out(applied, connection)?;
        let ours: BTreeMap<i64, &[u8]> = MIGRATOR
            .iter()
            .map(|migration| (migration.version, migration.checksum.as_ref()))
            .collect();
        let newer: Vec<i64> = applied
            .keys()
            .filter(|version| !ours.contains_key(version))
            .copied()
            .collect();
        if !newer.is_empty() {
            return Ok(MigrationState::Unknown { versions: newer });
        }
        let is_changed = |(version, checksum): (&i64, &Vec<u8>)| {
            (ours.get(version) != Some(&checksum.as_slice())).then_some(*version)
        };
        let changed: Vec<i64> = applied.iter().filter_map(is_changed).collect();
        if !changed.is_empty() {
            return Ok(MigrationState::Changed { versions: changed });
        }
        let missing: Vec<i64> = ours
            .keys()
            .filter(|version| !applied.contains_key(version))
            .copied()
            .collect();
        if missing.is_empty() {
            return Ok(MigrationState::Current);
        }
        Ok(MigrationState::Behind { missing })
    }
}

/// Returns a migrator that borrows the embedded files, because a [`Migrator`] can't be cloned.
fn embedded() -> Migrator {
    Migrator {
        migrations: std::borrow::Cow::Borrowed(&MIGRATOR.migrations),
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

async fn execute(connection: &mut PgConnection, statement: Statement) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(statement.sql)
        .execute(connection)
        .await
        .map(drop)
}

/// Returns the applied versions with the checksums of their texts.
async fn applied(connection: &mut PgConnection) -> Result<BTreeMap<i64, Vec<u8>>, StoreError> {
    let has_any = sqlx::query_scalar(admin::HAS_MIGRATIONS.sql)
        .fetch_one(&mut *connection)
        .await;
    if !has_any.in_statement(admin::HAS_MIGRATIONS)? {
        return Ok(BTreeMap::new());
    }
    let rows = sqlx::query(admin::MIGRATIONS.sql)
        .fetch_all(connection)
        .await;
    let rows = rows.in_statement(admin::MIGRATIONS)?;
    let pair =
        |row: &sqlx::postgres::PgRow| Ok((row.try_get("version")?, row.try_get("checksum")?));
    rows.iter()
        .map(pair)
        .collect::<Result<_, sqlx::Error>>()
        .in_statement(admin::MIGRATIONS)
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
