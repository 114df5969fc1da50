//! The comparison of a database's schema with this release's.
//!
//! # Shape
//! A newer schema is not refused by itself. Each newer migration declares in the table
//! `migration_compatibility` the oldest schema whose programs run on its result. If this release is
//! not older than that, the schema was only expanded, and this program runs on it.

use std::collections::BTreeMap;

use sqlx::Row as _;
use sqlx::postgres::{PgConnection, PgRow};

use crate::database::{READ_WAIT_MAX, return_unless_timed_out};
use crate::error::StoreError;
use crate::migration_notes::MIGRATOR;
use crate::session::with_timeout;
use crate::sql::admin;
use crate::sql::statement::{ResultExt as _, Statement};
use crate::store::Store;

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
    /// Versions of a newer release are applied, and each declares that this release runs on its
    /// result.
    Expanded {
        /// Newer versions.
        versions: Vec<i64>,
    },
    /// Versions unknown to this release are applied, and at least one does not declare that this
    /// release runs on its result.
    Unknown {
        /// Versions without such a declaration.
        versions: Vec<i64>,
    },
    /// Applied versions differ from this release's.
    Changed {
        /// Changed versions.
        versions: Vec<i64>,
    },
}

impl Store {
    /// Compares the schema with this release's.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn migration_state(&self) -> Result<MigrationState, StoreError> {
        let mut connection = self.inner.reader().await?;
        let compared = async {
            let applied = applied(&mut connection).await?;
            compare(&mut connection, &applied).await
        };
        let compared = with_timeout("reading the migrations", READ_WAIT_MAX, compared).await;
        return_unless_timed_out(compared, connection)
    }
}

impl Store {
    /// Refuses a database that holds another program's tables and no migration of this release.
    ///
    /// # Errors
    /// [`StoreError::OtherProgram`], or if the query fails.
    pub async fn refuse_other_program(&self) -> Result<(), StoreError> {
        let mut connection = self.inner.reader().await?;
        let refused = refuse_other_program(&mut connection);
        let refused = with_timeout("reading the tables", READ_WAIT_MAX, refused).await;
        return_unless_timed_out(refused, connection)
    }
}

/// Refuses a database that holds another program's tables and no migration of this release.
pub(crate) async fn refuse_other_program(connection: &mut PgConnection) -> Result<(), StoreError> {
    let ours = MIGRATOR.iter().map(|migration| migration.version).min();
    let any =
        sqlx::query_scalar::<_, String>(admin::ANY_TABLE.sql).fetch_optional(&mut *connection);
    let Some(table) = any.await.in_statement(admin::ANY_TABLE)? else {
        return Ok(());
    };
    let applied = applied(connection).await?;
    if ours.is_some_and(|first| applied.contains_key(&first)) {
        return Ok(());
    }
    Err(StoreError::OtherProgram { table })
}

/// Compares the applied versions, with the checksums of their texts, with this release's.
pub(crate) async fn compare(
    connection: &mut PgConnection,
    applied: &BTreeMap<i64, Vec<u8>>,
) -> Result<MigrationState, StoreError> {
    let ours: BTreeMap<i64, &[u8]> = MIGRATOR
        .iter()
        .map(|migration| (migration.version, migration.checksum.as_ref()))
        .collect();
    let is_newer = |version: &&i64| !ours.contains_key(version);
    let newer: Vec<i64> = applied.keys().filter(is_newer).copied().collect();
    if !newer.is_empty() {
        let newest = ours.keys().next_back().copied().unwrap_or_default();
        let compatible = compatible_from(connection).await?;
        let is_refused = |version: &&i64| compatible.get(version).is_none_or(|from| *from > newest);
        let versions: Vec<i64> = newer.iter().filter(is_refused).copied().collect();
        if !versions.is_empty() {
            return Ok(MigrationState::Unknown { versions });
        }
    }
    let is_changed = |(version, checksum): (&i64, &&[u8])| {
        let found = applied.get(version)?;
        (found.as_slice() != *checksum).then_some(*version)
    };
    let versions: Vec<i64> = ours.iter().filter_map(is_changed).collect();
    if !versions.is_empty() {
        return Ok(MigrationState::Changed { versions });
    }
    let is_missing = |version: &&i64| !applied.contains_key(version);
    let missing: Vec<i64> = ours.keys().filter(is_missing).copied().collect();
    Ok(match (missing.is_empty(), newer.is_empty()) {
        (false, _) => MigrationState::Behind { missing },
        (true, false) => MigrationState::Expanded { versions: newer },
        (true, true) => MigrationState::Current,
    })
}

/// Returns the applied versions with the checksums of their texts.
pub(crate) async fn applied(
    connection: &mut PgConnection,
) -> Result<BTreeMap<i64, Vec<u8>>, StoreError> {
    if !is_true(connection, admin::HAS_MIGRATIONS).await? {
        return Ok(BTreeMap::new());
    }
    let pair = |row: &PgRow| Ok((row.try_get("version")?, row.try_get("checksum")?));
    let rows = sqlx::query(admin::MIGRATIONS.sql).fetch_all(connection);
    let rows = rows.await.in_statement(admin::MIGRATIONS)?;
    rows.iter()
        .map(pair)
        .collect::<Result<_, sqlx::Error>>()
        .in_statement(admin::MIGRATIONS)
}

/// Returns the oldest schema whose programs run on the result of each migration that declares one.
async fn compatible_from(connection: &mut PgConnection) -> Result<BTreeMap<i64, i64>, StoreError> {
    if !is_true(connection, admin::HAS_COMPATIBILITY).await? {
        return Ok(BTreeMap::new());
    }
    let pair = |row: &PgRow| Ok((row.try_get("version")?, row.try_get("compatible_from")?));
    let rows = sqlx::query(admin::COMPATIBILITY.sql).fetch_all(connection);
    let rows = rows.await.in_statement(admin::COMPATIBILITY)?;
    rows.iter()
        .map(pair)
        .collect::<Result<_, sqlx::Error>>()
        .in_statement(admin::COMPATIBILITY)
}

/// Returns the answer of a statement that returns one boolean.
pub(crate) async fn is_true(
    connection: &mut PgConnection,
    statement: Statement,
) -> Result<bool, StoreError> {
    let answer = sqlx::query_scalar(statement.sql).fetch_one(connection);
    answer.await.in_statement(statement)
}

/// Runs a statement that can't be prepared.
pub(crate) async fn execute(
    connection: &mut PgConnection,
    statement: Statement,
) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(statement.sql)
        .execute(connection)
        .await
        .map(drop)
}
