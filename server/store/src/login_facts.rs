//! The rows of passwords, second factors, subjects of OpenID Connect, PINs and changes of access, as facts of the house's chain.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_journal::access::AccessFact;
use meterhouse_journal::house::HouseFact;
use sqlx::postgres::PgRow;

use crate::error::StoreError;
use crate::house_chain::HOUSE_PAGE_MAX;
use crate::numbers::bounded;
use crate::rows::RowReader;
use crate::sql::statement::Statement;
use crate::sql::{login, pin};
use crate::store::Store;

/// The table of a fact about logins.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LoginTable {
    /// Passwords.
    Password,
    /// Second factors.
    SecondFactor,
    /// Subjects of OpenID Connect.
    OpenId,
    /// PINs.
    Pin,
    /// Changes of access.
    Access,
}

impl LoginTable {
    /// All tables.
    pub const ALL: [Self; 5] = [
        Self::Password,
        Self::SecondFactor,
        Self::OpenId,
        Self::Pin,
        Self::Access,
    ];

    const fn statement(self) -> Statement {
        match self {
            Self::Password => login::PASSWORDS,
            Self::SecondFactor => login::FACTORS,
            Self::OpenId => login::OPENIDS,
            Self::Pin => pin::PINS,
            Self::Access => login::ACCESSES,
        }
    }

    /// Returns the name of the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::SecondFactor => "second_factor",
            Self::OpenId => "openid_subject",
            Self::Pin => "pin",
            Self::Access => "actor_access",
        }
    }
}

impl Store {
    /// Returns the facts in the rows of a table after one, at most [`HOUSE_PAGE_MAX`], each with its place.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn house_logins(
        &self,
        table: LoginTable,
        after: (ActorId, Timestamp),
    ) -> Result<Vec<((ActorId, Timestamp), HouseFact)>, StoreError> {
        let statement = table.statement();
        let query = sqlx::query(statement.sql)
            .bind(after.0.0)
            .bind(after.1.0)
            .bind(bounded(HOUSE_PAGE_MAX, HOUSE_PAGE_MAX));
        let rows = self.inner.rows(statement, query).await?;
        let fact = |row: &PgRow| {
            let row = RowReader::new(statement, table.name(), row);
            let actor = ActorId(row.get("actor_id")?);
            let set_at = Timestamp(row.get("set_at")?);
            let fact = match table {
                LoginTable::Password => AccessFact::password(actor, row.get("hash")?, set_at),
                LoginTable::SecondFactor => {
                    AccessFact::second_factor(actor, row.get("secret")?, set_at)
                }
                LoginTable::OpenId => {
                    let issuer: Option<&str> = row.get("issuer")?;
                    AccessFact::openid(actor, issuer.zip(row.get("subject")?), set_at)
                }
                LoginTable::Pin => AccessFact::pin(actor, row.get("hash")?, set_at),
                LoginTable::Access => AccessFact::Ended {
                    actor,
                    is_ended: row.get("is_ended")?,
                    changed_at: set_at,
                },
            };
            Ok(((actor, set_at), HouseFact::Access(fact)))
        };
        rows.iter().map(fact).collect()
    }
}
