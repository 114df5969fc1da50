//! The plan of a migration: each pending one with its work, the time that was measured, and the callers
//! that wait. Reading the plan changes nothing.

use std::fmt::{self, Display, Formatter};

use sqlx::Row as _;
use sqlx::migrate::Migration;
use sqlx::postgres::PgConnection;

use crate::database::{READ_WAIT_MAX, return_unless_timed_out};
use crate::error::StoreError;
use crate::migration_notes::{Blocks, MIGRATOR, Work, note_of};
use crate::migration_state::{MigrationState, applied, compare};
use crate::session::with_timeout;
use crate::sql::admin;
use crate::sql::statement::ResultExt as _;
use crate::store::Store;

/// Bytes of a MiB.
const MIB: i64 = 1_048_576;

/// The plan of a migration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationPlan {
    /// State of the schema now.
    pub state: MigrationState,
    /// `true` if no migration was ever applied: a new database.
    pub is_new: bool,
    /// Pending migrations in their order.
    pub pending: Vec<PlannedMigration>,
}

/// A pending migration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedMigration {
    /// Version.
    pub version: i64,
    /// Purpose, as the file's first comment has it.
    pub purpose: String,
    /// Its work.
    pub work: Work,
    /// The time that was measured.
    pub measured: &'static str,
    /// The callers that wait.
    pub blocks: Blocks,
    /// Existing tables that are read or locked.
    pub tables: Vec<TableSize>,
    /// Oldest schema whose programs run on the result.
    pub compatible_from: i64,
}

/// The size of a table with its partitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSize {
    /// Name of the table.
    pub name: &'static str,
    /// Estimated number of rows: Postgres' statistics.
    pub rows: i64,
    /// Bytes without indexes.
    pub bytes: i64,
}

impl Store {
    /// Returns the plan of a migration of this database.
    ///
    /// # Errors
    /// If a query fails.
    pub async fn migration_plan(&self) -> Result<MigrationPlan, StoreError> {
        let mut connection = self.inner.reader().await?;
        let plan = read(&mut connection);
        let plan = with_timeout("reading the plan", READ_WAIT_MAX, plan).await;
        return_unless_timed_out(plan, connection)
    }
}

async fn read(connection: &mut PgConnection) -> Result<MigrationPlan, StoreError> {
    let applied = applied(connection).await?;
    let state = compare(connection, &applied).await?;
    let mut pending = Vec::new();
    let is_pending = |one: &&Migration| !applied.contains_key(&one.version);
    for migration in MIGRATOR.iter().filter(is_pending) {
        let note = note_of(migration.version);
        let mut tables = Vec::new();
        for name in note.tables {
            tables.push(size(connection, name).await?);
        }
        pending.push(PlannedMigration {
            version: migration.version,
            purpose: purpose(migration.sql.as_str()),
            work: note.work,
            measured: note.measured,
            blocks: note.blocks,
            tables,
            compatible_from: note.compatible_from,
        });
    }
    let is_new = applied.is_empty();
    Ok(MigrationPlan {
        state,
        is_new,
        pending,
    })
}

async fn size(connection: &mut PgConnection, name: &'static str) -> Result<TableSize, StoreError> {
    let statement = admin::TABLE_SIZE;
    let row = sqlx::query(statement.sql).bind(name).fetch_one(connection);
    let row = row.await.in_statement(statement)?;
    let size = || {
        Ok(TableSize {
            name,
            rows: row.try_get("rows")?,
            bytes: row.try_get("bytes")?,
        })
    };
    size().in_statement(statement)
}

/// Returns the first comment of a migration.
fn purpose(sql: &str) -> String {
    let lines = sql.lines().map_while(|line| line.strip_prefix("-- "));
    lines.collect::<Vec<&str>>().join(" ")
}

impl Display for MigrationPlan {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let count = self.pending.len();
        if self.is_new {
            return write!(
                out,
                "the database is new: {count} migrations create its schema"
            );
        }
        if let MigrationState::Expanded { versions } = &self.state {
            let newer = versions.len();
            write!(
                out,
                "the schema has {newer} migrations of a newer release, on which this program runs; "
            )?;
        }
        match count {
            0 => write!(out, "no migration is pending"),
            1 => write!(out, "1 migration is pending"),
            _ => write!(out, "{count} migrations are pending"),
        }?;
        for migration in &self.pending {
            write!(out, "\n\n{migration}")?;
        }
        Ok(())
    }
}

impl Display for PlannedMigration {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}  {}", self.version, self.purpose)?;
        let work = match self.work {
            Work::Instant => "an instant: no row is read",
            Work::ScansTable => "a read of each row",
            Work::BuildsIndex => "a concurrent build of an index on existing rows",
        };
        writeln!(out, "  takes     {work} (measured: {})", self.measured)?;
        for TableSize { name, rows, bytes } in &self.tables {
            let mib = bytes / MIB;
            writeln!(out, "  table     {name}: about {rows} rows, {mib} MiB")?;
        }
        let blocks = match self.blocks {
            Blocks::Nothing => "nothing: reads and writes go on",
            Blocks::Writes => "writes of these tables until it is done; reads go on",
            Blocks::ReadsAndWrites => "reads and writes of these tables until it is done",
        };
        writeln!(out, "  blocks    {blocks}")?;
        if self.compatible_from == self.version {
            write!(
                out,
                "  servers   none of an older release runs on it: replace all first"
            )
        } else {
            let from = self.compatible_from;
            write!(
                out,
                "  servers   those with the schema {from} or later run on it"
            )
        }
    }
}
