//! Rows of actors: people, controllers of tables, displays.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::credential::Voucher;
use meterhouse_journal::house::HouseFact;
use sqlx::postgres::{PgConnection, PgRow};

use crate::error::StoreError;
use crate::rows::RowReader;
use crate::sql::people;
use crate::sql::statement::{ResultExt as _, Statement};

/// SHA-256 of a token.
pub type TokenHash = [u8; HASH_BYTES];

/// The properties of an actor: a person, a table's controller or a display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewActor {
    /// Name of the actor, unique in the house.
    pub name: String,
    /// Role: `controller`, `display`, `supervisor`, `manager`, `auditor` or `administrator`.
    pub role: String,
    /// Table that a controller is bound to.
    pub table_name: Option<String>,
    /// Link that the actor is bound to.
    pub link_name: Option<String>,
    /// Department, for actions that need two people.
    pub department: Option<String>,
    /// Names of the rights, with commas between them; `None` for all rights of the role.
    pub rights: Option<String>,
}

/// A stored actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActorRow {
    /// Number that events carry.
    pub actor: ActorId,
    /// Properties of the actor.
    pub who: NewActor,
    /// Time at which the name was created.
    pub created_at: Timestamp,
}

/// A token to create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewToken {
    /// SHA-256 of the token.
    pub hash: TokenHash,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of expiry.
    pub expires_at: Option<Timestamp>,
}

/// Returns the fact of an actor for the house's chain.
pub fn actor_fact(row: &ActorRow) -> HouseFact {
    let who = row.who.clone();
    HouseFact::Actor {
        actor: row.actor,
        name: who.name,
        role: who.role,
        table: who.table_name,
        link: who.link_name,
        department: who.department,
        rights: who.rights,
        created_at: row.created_at,
    }
}

/// Adds an actor. Returns `false` if the name is taken.
pub(crate) async fn insert_actor(
    transaction: &mut PgConnection,
    who: &NewActor,
    now: Timestamp,
) -> Result<bool, StoreError> {
    sqlx::query(people::INSERT_ACTOR.sql)
        .bind(&who.name)
        .bind(&who.role)
        .bind(&who.table_name)
        .bind(&who.link_name)
        .bind(&who.department)
        .bind(&who.rights)
        .bind(now.0)
        .execute(transaction)
        .await
        .in_statement(people::INSERT_ACTOR)
        .map(|done| done.rows_affected() == 1)
}

pub(crate) fn actor_row(statement: Statement, row: &PgRow) -> Result<ActorRow, StoreError> {
    let row = RowReader::new(statement, "actor", row);
    let who = NewActor {
        name: row.get("name")?,
        role: row.get("role")?,
        table_name: row.get("table_name")?,
        link_name: row.get("link_name")?,
        department: row.get("department")?,
        rights: row.get("rights")?,
    };
    let created_at = Timestamp(row.get("created_at")?);
    Ok(ActorRow {
        actor: ActorId(row.get("actor_id")?),
        who,
        created_at,
    })
}

/// Returns the voucher in a column. Bytes of another length are none.
pub(crate) fn voucher_in(row: RowReader<'_>, column: &str) -> Result<Option<Voucher>, StoreError> {
    let bytes: Option<&[u8]> = row.get(column)?;
    Ok(bytes.and_then(|bytes| bytes.try_into().ok()).map(Voucher))
}
