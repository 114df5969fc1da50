//! Who may come in: actors and the digests of their tokens.
//!
//! # What order or lock holds
//! An actor and a token are made in one transaction, with their entries in the house's chain. A name stands for the same role, table, link
//! and department for ever; it may have several tokens, so that one can be replaced before the old
//! one is revoked.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::house::HouseFact;
use sqlx::postgres::{PgConnection, PgRow};

use crate::error::StoreError;
use crate::house_chain::append;
use crate::numbers::bounded;
use crate::rows::Of;
use crate::sql::people;
use crate::sql::statement::{Failed as _, Statement};
use crate::store::Store;

/// Tokens in one page.
pub const TOKENS_MAX: usize = 1_000;

/// SHA-256 of a token.
pub type TokenHash = [u8; HASH_BYTES];

/// Who somebody is: a person, a table's controller, a display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewActor {
    /// The name, unique in the house.
    pub name: String,
    /// `controller`, `display`, `supervisor`, `manager` or `auditor`.
    pub role: String,
    /// The table that a controller is bound to.
    pub table_name: Option<String>,
    /// The link that somebody is bound to.
    pub link_name: Option<String>,
    /// The department, for what needs two.
    pub department: Option<String>,
}

/// An actor as the database numbers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActorRow {
    /// The number that events carry.
    pub actor: ActorId,
    /// Who it is.
    pub who: NewActor,
    /// When the name first came in.
    pub created_at: Timestamp,
}

/// A token, without its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRow {
    /// Whose.
    pub actor: ActorRow,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends by itself.
    pub expires_at: Option<Timestamp>,
    /// When it was ended.
    pub revoked_at: Option<Timestamp>,
}

/// A token to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewToken {
    /// SHA-256 of it.
    pub hash: TokenHash,
    /// Now.
    pub created_at: Timestamp,
    /// When it ends by itself.
    pub expires_at: Option<Timestamp>,
}

impl Store {
    /// Makes an actor, if the name is new, and a token of his.
    ///
    /// # Errors
    /// [`StoreError::ActorDiffers`] where the name is somebody else.
    pub async fn create_actor_and_token(
        &self,
        who: &NewActor,
        token: &NewToken,
    ) -> Result<ActorRow, StoreError> {
        self.run_tx("people.create", async |transaction: &mut PgConnection| {
            let is_new = insert_actor(transaction, who, token.created_at).await?;
            let found = sqlx::query(people::FIND_ACTOR.sql).bind(&who.name);
            let found = found
                .fetch_one(&mut *transaction)
                .await
                .of(people::FIND_ACTOR)?;
            let actor = actor_row(people::FIND_ACTOR, &found)?;
            if actor.who != *who {
                return Err(StoreError::ActorDiffers {
                    name: who.name.clone(),
                });
            }
            sqlx::query(people::INSERT_TOKEN.sql)
                .bind(token.hash.as_slice())
                .bind(actor.actor.0)
                .bind(token.created_at.0)
                .bind(token.expires_at.map(|it| it.0))
                .execute(&mut *transaction)
                .await
                .of(people::INSERT_TOKEN)?;
            let admitted = is_new.then(|| actor_fact(&actor));
            let made = HouseFact::Token {
                token: token.hash,
                actor: actor.actor,
                created_at: token.created_at,
                expires_at: token.expires_at,
            };
            let facts: Vec<HouseFact> = admitted.into_iter().chain([made]).collect();
            append(transaction, token.created_at, &facts).await?;
            Ok(actor)
        })
        .await
    }

    /// Whose token this is; `None` for one that is unknown, revoked or expired.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn find_token(
        &self,
        hash: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<ActorRow>, StoreError> {
        let query = sqlx::query(people::FIND_TOKEN.sql)
            .bind(hash.as_slice())
            .bind(now.0);
        let row = self.inner.row(people::FIND_TOKEN, query).await?;
        row.map(|row| actor_row(people::FIND_TOKEN, &row))
            .transpose()
    }

    /// Returns the digests of the tokens that count, at most `limit`.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn token_hashes(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<TokenHash>, StoreError> {
        let query = sqlx::query(people::TOKEN_HASHES.sql)
            .bind(now.0)
            .bind(bounded(limit, limit));
        let rows = self.inner.rows(people::TOKEN_HASHES, query).await?;
        let hash = |row| Of::new(people::TOKEN_HASHES, "token", row).hash("token_hash");
        rows.iter().map(hash).collect()
    }

    /// Ends the tokens that have expired; answers how many there were.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn end_expired_tokens(&self, now: Timestamp) -> Result<u64, StoreError> {
        let query = sqlx::query(people::END_EXPIRED_TOKENS.sql).bind(now.0);
        self.inner.run(people::END_EXPIRED_TOKENS, query).await
    }

    /// Tokens by name and making, after one, at most [`TOKENS_MAX`].
    ///
    /// # Errors
    /// If the database can't be asked.
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

    /// Ends all tokens of a name; answers how many there were.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn revoke_tokens(&self, name: &str, now: Timestamp) -> Result<u64, StoreError> {
        let statement = people::REVOKE_TOKENS;
        self.run_tx(statement.name, async |transaction: &mut PgConnection| {
            let ended = sqlx::query(statement.sql).bind(name).bind(now.0);
            let ended = ended.fetch_all(&mut *transaction).await.of(statement)?;
            let fact = |row: &PgRow| {
                let token = Of::new(statement, "token", row).hash("token_hash")?;
                let revoked_at = now;
                Ok(HouseFact::TokenRevoked { token, revoked_at })
            };
            let facts = ended.iter().map(fact);
            let facts = facts.collect::<Result<Vec<_>, StoreError>>()?;
            append(transaction, now, &facts).await?;
            Ok(u64::try_from(facts.len()).unwrap_or(u64::MAX))
        })
        .await
    }

    /// The names of these actors; unknown ones are left out.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn actor_names(
        &self,
        actors: &[ActorId],
    ) -> Result<Vec<(ActorId, String)>, StoreError> {
        let numbers: Vec<i32> = actors.iter().map(|it| it.0).collect();
        let query = sqlx::query(people::NAMES.sql).bind(numbers);
        let rows = self.inner.rows(people::NAMES, query).await?;
        let pair = |row| {
            let row = Of::new(people::NAMES, "actor", row);
            Ok((ActorId(row.get("actor_id")?), row.get("name")?))
        };
        rows.iter().map(pair).collect()
    }
}

/// Returns what the house's chain says of an actor.
fn actor_fact(row: &ActorRow) -> HouseFact {
    let who = row.who.clone();
    HouseFact::Actor {
        actor: row.actor,
        name: who.name,
        role: who.role,
        table: who.table_name,
        link: who.link_name,
        department: who.department,
        created_at: row.created_at,
    }
}

/// Adds an actor; `false` where the name is taken.
async fn insert_actor(
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
        .bind(now.0)
        .execute(transaction)
        .await
        .of(people::INSERT_ACTOR)
        .map(|done| done.rows_affected() == 1)
}

fn actor_row(statement: Statement, row: &PgRow) -> Result<ActorRow, StoreError> {
    let row = Of::new(statement, "actor", row);
    let who = NewActor {
        name: row.get("name")?,
        role: row.get("role")?,
        table_name: row.get("table_name")?,
        link_name: row.get("link_name")?,
        department: row.get("department")?,
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
    let row = Of::new(people::LIST_TOKENS, "token", row);
    let moment = |it: Option<i64>| it.map(Timestamp);
    Ok(TokenRow {
        actor,
        created_at: Timestamp(row.get("token_created_at")?),
        expires_at: moment(row.get("expires_at")?),
        revoked_at: moment(row.get("revoked_at")?),
    })
}
