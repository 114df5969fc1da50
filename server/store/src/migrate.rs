//! Bringing a database to this release's schema, and telling whether it is there.
//!
//! # Shape
//! Roles first: they belong to the cluster, not to the database, and everything afterwards is made
//! as `meterhouse_owner`. Then sqlx applies the files of `migrations/` that are missing, each in
//! its transaction, and refuses where an applied one differs from ours. Then the partitions of this
//! month and the next three.
//!
//! # What bounds it
//! [`LOCK_WAIT_MAX`] for the other migrator, 10 s for a lock on a table. The steps themselves have no limit: an index on
//! a long journal takes what it takes, on a connection of its own.
//!
//! # What order or lock holds
//! One advisory lock of the session, polled: a migrator that blocked on it would keep a concurrent
//! index build from ending (as element-hq/matrix-authentication-service issue 5298 found).

use std::collections::BTreeMap;
use std::time::Duration;

use sqlx::AssertSqlSafe;
use sqlx::Row as _;
use sqlx::error::DatabaseError;
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::time::{Instant, sleep};

use crate::connections::connect;
use crate::database::{READ_WAIT_MAX, keep_unless_silent, limited};
use crate::error::StoreError;
use crate::sql::statement::Failed as _;
use crate::sql::{Statement, admin};
use crate::store::Store;

/// How long another migrator is waited for.
const LOCK_WAIT_MAX: Duration = Duration::from_mins(1);
/// How often it is looked whether it is done.
const LOCK_POLL: Duration = Duration::from_millis(50);
/// Months that have a partition before they begin.
pub const PERIODS_AHEAD: i32 = 3;

static MIGRATOR: Migrator = sqlx::migrate!("../../migrations");

/// What a migration did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrateReport {
    /// The versions that were applied now.
    pub applied: Vec<i64>,
    /// How many partitions were made.
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

/// How a database's schema compares with this release's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MigrationState {
    /// Equal.
    Current,
    /// Versions of ours are not applied.
    Behind {
        /// Which.
        missing: Vec<i64>,
    },
    /// Versions are applied that we don't know: a newer release was here.
    Unknown {
        /// Which.
        versions: Vec<i64>,
    },
    /// Versions were applied that read differently from ours.
    Changed {
        /// Which.
        versions: Vec<i64>,
    },
}

/// Applies what is missing. `connect` is a superuser or a member of `meterhouse_owner`.
///
/// # Errors
/// If this user may not, each way with its remedy; if a migration fails or an applied one was
/// changed.
pub async fn migrate(options: &PgConnectOptions) -> Result<MigrateReport, StoreError> {
    // The owner grants what everybody has on a schema of Postgres 15; Postgres warns of it at every first start.
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
        .of(admin::LIMIT_LOCKS)?;
    let before = applied(&mut connection).await?;
    // Without sqlx's own lock, which blocks; ours is held.
    let migrator = Migrator {
        locking: false,
        ..embedded()
    };
    let run = migrator.run_direct(None, &mut connection, false).await;
    run.map_err(|source| StoreError::Migrate { source })?;
    let mut versions = MIGRATOR.iter().map(|it| it.version).collect::<Vec<i64>>();
    versions.retain(|it| !before.contains_key(it));
    let periods = make_first_periods(&mut connection).await?;
    Ok(MigrateReport {
        applied: versions,
        periods,
    })
}

/// A database can't be made by a prepared statement, so this one is not among those that are.
const CREATE_DATABASE: &str = "/* admin.create_database */ CREATE DATABASE";

/// Makes the database of a private server if it is not there; `options` is a superuser of the
/// server.
///
/// # Errors
/// If the server can't be asked or refuses.
pub async fn create_database(options: &PgConnectOptions, name: &str) -> Result<(), StoreError> {
    let mut connection = connect(options).await?;
    let query = sqlx::query(admin::FIND_DATABASE.sql).bind(name);
    if query
        .fetch_optional(&mut connection)
        .await
        .of(admin::FIND_DATABASE)?
        .is_some()
    {
        return Ok(());
    }
    // A name can't be a parameter here; quoted it can be no statement.
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
    /// Whether the schema is the one this release works with.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn migration_state(&self) -> Result<MigrationState, StoreError> {
        let mut connection = self.inner.reader().await?;
        let applied = applied(&mut connection);
        let applied = limited("reading the migrations", READ_WAIT_MAX, applied).await;
        let applied = keep_unless_silent(applied, connection)?;
        let ours: BTreeMap<i64, &[u8]> = MIGRATOR
            .iter()
            .map(|it| (it.version, it.checksum.as_ref()))
            .collect();
        let newer: Vec<i64> = applied
            .keys()
            .filter(|it| !ours.contains_key(it))
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
            .filter(|it| !applied.contains_key(it))
            .copied()
            .collect();
        if missing.is_empty() {
            return Ok(MigrationState::Current);
        }
        Ok(MigrationState::Behind { missing })
    }
}

/// The files, borrowed: a [`Migrator`] can't be cloned.
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
        if locked.of(statement)? {
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

async fn execute(connection: &mut PgConnection, it: Statement) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(it.sql).execute(connection).await.map(drop)
}

/// The versions that were applied, with the checksums of their texts.
async fn applied(connection: &mut PgConnection) -> Result<BTreeMap<i64, Vec<u8>>, StoreError> {
    let has_any = sqlx::query_scalar(admin::HAS_MIGRATIONS.sql)
        .fetch_one(&mut *connection)
        .await;
    if !has_any.of(admin::HAS_MIGRATIONS)? {
        return Ok(BTreeMap::new());
    }
    let rows = sqlx::query(admin::MIGRATIONS.sql)
        .fetch_all(connection)
        .await;
    let rows = rows.of(admin::MIGRATIONS)?;
    let pair =
        |row: &sqlx::postgres::PgRow| Ok((row.try_get("version")?, row.try_get("checksum")?));
    rows.iter()
        .map(pair)
        .collect::<Result<_, sqlx::Error>>()
        .of(admin::MIGRATIONS)
}

async fn make_first_periods(connection: &mut PgConnection) -> Result<i32, StoreError> {
    let now = sqlx::query_scalar::<_, i32>(admin::CURRENT_PERIOD.sql).fetch_one(&mut *connection);
    let now = now.await.of(admin::CURRENT_PERIOD)?;
    let made = sqlx::query_scalar(admin::MAKE_PERIODS.sql)
        .bind(now)
        .bind(PERIODS_AHEAD + 1);
    made.fetch_one(connection).await.of(admin::MAKE_PERIODS)
}
