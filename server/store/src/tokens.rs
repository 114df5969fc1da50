//! Actors and the digests of their tokens.
//!
//! # Order and locking
//! An actor and a token are created in one transaction, with their entries in the house's chain. A
//! name always has the same role, table, link, department and rights. A name may have several tokens, so
//! that one can be replaced before the old one is revoked.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::credential::Voucher;
use meterhouse_journal::house::HouseFact;
use sqlx::postgres::{PgConnection, PgRow};

use crate::access::{AccessChange, Only};
use crate::error::StoreError;
use crate::logins::voucher;
use crate::numbers::bounded;
use crate::rows::RowReader;
use crate::sql::people;
use crate::sql::statement::{ResultExt as _, Statement};
use crate::store::Store;

/// Maximum number of tokens in one page.
pub const TOKENS_MAX: usize = 1_000;

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

/// A token, without its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRow {
    /// Owner of the token.
    pub actor: ActorRow,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of expiry.
    pub expires_at: Option<Timestamp>,
    /// Time of revocation.
    pub revoked_at: Option<Timestamp>,
}

/// A valid token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundToken {
    /// Owner of the token.
    pub actor: ActorRow,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of expiry.
    pub expires_at: Option<Timestamp>,
    /// Voucher.
    pub voucher: Option<Voucher>,
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

impl Store {
    /// Creates an actor, if the name is new, and one of its tokens.
    ///
    /// # Errors
    /// [`StoreError::ActorDiffers`] if the name belongs to an actor with other properties.
    pub async fn create_actor_and_token(
        &self,
        who: &NewActor,
        token: &NewToken,
    ) -> Result<ActorRow, StoreError> {
        let change = AccessChange::Token {
            who: who.clone(),
            token: token.clone(),
        };
        let changed =
            self.change_access(token.created_at, Only::Always, &change, None, &|_, _| None);
        Ok(changed.await?.actor)
    }

    /// Returns the owner of a token; `None` if the token is unknown, revoked or expired.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn find_token(
        &self,
        hash: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<FoundToken>, StoreError> {
        let query = sqlx::query(people::FIND_TOKEN.sql)
            .bind(hash.as_slice())
            .bind(now.0);
        let row = self.inner.row(people::FIND_TOKEN, query).await?;
        let found = |row: &PgRow| {
            let actor = actor_row(people::FIND_TOKEN, row)?;
            let row = RowReader::new(people::FIND_TOKEN, "token", row);
            let expires_at: Option<i64> = row.get("expires_at")?;
            Ok(FoundToken {
                actor,
                created_at: Timestamp(row.get("token_created_at")?),
                expires_at: expires_at.map(Timestamp),
                voucher: voucher(row)?,
            })
        };
        row.as_ref().map(found).transpose()
    }

    /// Returns the digests of at most `limit` valid tokens.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn token_hashes(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<TokenHash>, StoreError> {
        let query = sqlx::query(people::TOKEN_HASHES.sql)
            .bind(now.0)
            .bind(bounded(limit, limit));
        let rows = self.inner.rows(people::TOKEN_HASHES, query).await?;
        let hash = |row| RowReader::new(people::TOKEN_HASHES, "token", row).hash("token_hash");
        rows.iter().map(hash).collect()
    }

    /// Revokes the tokens that have expired and returns their number.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn end_expired_tokens(&self, now: Timestamp) -> Result<u64, StoreError> {
        let query = sqlx::query(people::END_EXPIRED_TOKENS.sql).bind(now.0);
        self.inner.run(people::END_EXPIRED_TOKENS, query).await
    }

    /// Returns at most [`TOKENS_MAX`] tokens after one, by name and creation.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn list_tokens(
        &self,
        after: (&str, Timestamp),
        limit: usize,
    ) -> Result<Vec<TokenRow>, StoreError> {
        let query = sqlx::query(people::LIST_TOKENS.sql)
            .bind(after.0)
            .bind(after.1.0)
            .bind(bounded(limit, TOKENS_MAX));
        let rows = self.inner.rows(people::LIST_TOKENS, query).await?;
        rows.iter().map(token_row).collect()
    }

    /// Revokes all tokens of a name and returns their number.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn revoke_tokens(&self, name: &str, now: Timestamp) -> Result<u64, StoreError> {
        let change = AccessChange::Revoke {
            name: name.to_owned(),
        };
        match self
            .change_access(now, Only::Always, &change, None, &|_, _| None)
            .await
        {
            Err(StoreError::UnknownActor { .. }) => Ok(0),
            changed => Ok(changed?.ended),
        }
    }

    /// Returns the names of these actors. Unknown actors are left out.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn actor_names(
        &self,
        actors: &[ActorId],
    ) -> Result<Vec<(ActorId, String)>, StoreError> {
        let numbers: Vec<i32> = actors.iter().map(|actor| actor.0).collect();
        let query = sqlx::query(people::NAMES.sql).bind(numbers);
        let rows = self.inner.rows(people::NAMES, query).await?;
        let pair = |row| {
            let row = RowReader::new(people::NAMES, "actor", row);
            Ok((ActorId(row.get("actor_id")?), row.get("name")?))
        };
        rows.iter().map(pair).collect()
    }
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

fn token_row(row: &PgRow) -> Result<TokenRow, StoreError> {
    let actor = actor_row(people::LIST_TOKENS, row)?;
    let row = RowReader::new(people::LIST_TOKENS, "token", row);
    let moment = |micros: Option<i64>| micros.map(Timestamp);
    Ok(TokenRow {
        actor,
        created_at: Timestamp(row.get("token_created_at")?),
        expires_at: moment(row.get("expires_at")?),
        revoked_at: moment(row.get("revoked_at")?),
    })
}
