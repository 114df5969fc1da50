//! The purpose of a database: a casino's, or play money of the demo or the load generator.

use meterhouse_domain::ids::Timestamp;
use sqlx::Row as _;

use crate::error::StoreError;
use crate::sql::purpose;
use crate::sql::statement::ResultExt as _;
use crate::store::Store;

/// The purpose that a database was made for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A casino's meters.
    Casino,
    /// Play money of `meterhouse demo`.
    Demo,
    /// Play money of `meterhouse load`.
    Load,
}

impl Purpose {
    /// Returns the purpose's name: `casino`, `demo` or `load`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Casino => "casino",
            Self::Demo => "demo",
            Self::Load => "load",
        }
    }
}

impl Store {
    /// Returns the purpose that the database was made for.
    ///
    /// # Errors
    /// If the query fails, or the database has a purpose that this release doesn't know.
    pub async fn purpose(&self) -> Result<Purpose, StoreError> {
        let query = sqlx::query(purpose::PURPOSE.sql);
        let Some(row) = self.inner.row(purpose::PURPOSE, query).await? else {
            return Ok(Purpose::Casino);
        };
        match row
            .try_get::<&str, _>("purpose")
            .in_statement(purpose::PURPOSE)?
        {
            "demo" => Ok(Purpose::Demo),
            "load" => Ok(Purpose::Load),
            _ => Err(StoreError::Inconsistent {
                table: "database_purpose",
                column: "purpose",
            }),
        }
    }

    /// Marks the database for this purpose if no casino's data is in it. Returns the purpose that
    /// it then has.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn make_for(&self, wanted: Purpose, at: Timestamp) -> Result<Purpose, StoreError> {
        let set = sqlx::query(purpose::SET_PURPOSE.sql)
            .bind(wanted.name())
            .bind(at.0);
        match self.inner.run(purpose::SET_PURPOSE, set).await {
            Ok(_) => {}
            // The database has links or people.
            Err(error) if error.constraint() == Some("database_purpose_unused") => {}
            Err(error) => return Err(error),
        }
        self.purpose().await
    }
}
