//! Actors and the digests of their tokens.
//!
//! # Order and locking
//! An actor and a token are created in one transaction, with their entries in the house's chain. A
//! name always has the same role, table, link, department and rights. A name may have several tokens, so
//! that one can be replaced before the old one is revoked.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::credential::Voucher;
use sqlx::postgres::PgRow;

use crate::access::Only;
use crate::access_change::AccessChange;
use crate::actors::{ActorRow, TokenHash, actor_row};
use crate::error::StoreError;
use crate::logins::voucher;
use crate::numbers::bounded;
use crate::rows::RowReader;
use crate::sql::people;
use crate::sql::statement::{Bound, Statement};
use crate::store::Store;

/// Maximum number of tokens in one page.
pub const TOKENS_MAX: usize = 1_000;

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

impl Store {
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
        self.digests(people::TOKEN_HASHES, query).await
    }

    /// Returns which of some tokens are not valid any more.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn ended_tokens(
        &self,
        hashes: &[TokenHash],
        now: Timestamp,
    ) -> Result<Vec<TokenHash>, StoreError> {
        self.ended(people::ENDED_TOKENS, hashes, now).await
    }

    /// Returns which of some digests a statement finds ended.
    pub(crate) async fn ended(
        &self,
        statement: Statement,
        hashes: &[TokenHash],
        now: Timestamp,
    ) -> Result<Vec<TokenHash>, StoreError> {
        let asked: Vec<&[u8]> = hashes.iter().map(<[u8; HASH_BYTES]>::as_slice).collect();
        let query = sqlx::query(statement.sql).bind(asked).bind(now.0);
        self.digests(statement, query).await
    }

    /// Returns the digests that a query finds.
    pub(crate) async fn digests(
        &self,
        statement: Statement,
        query: Bound<'static>,
    ) -> Result<Vec<TokenHash>, StoreError> {
        let rows = self.inner.rows(statement, query).await?;
        let digest = |row| RowReader::new(statement, "credential", row).hash("hash");
        rows.iter().map(digest).collect()
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
            .change_access(now, Only::Always, &change, None, &|_, _| Ok(None))
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
