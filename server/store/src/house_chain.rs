//! The house's hash chain: adding to it, and reading it with the rows that it speaks of.
//!
//! # What bounds it
//! [`HOUSE_PAGE_MAX`] entries or rows in one page.
//!
//! # What order or lock holds
//! An entry is added in the transaction of the row that it speaks of. One transaction adds at a time: each takes the
//! chain's lock last and holds it until it ends.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::house::{HouseEntry, HouseFact};
use sqlx::postgres::{PgConnection, PgRow};

use crate::database::Bound;
use crate::error::StoreError;
use crate::numbers::{bounded, stored};
use crate::rows::Of;
use crate::sql::house::{ACTORS, ADD_ENTRY, ENTRIES, LAST_ENTRY, LOCK_CHAIN, PAYTABLES, TOKENS};
use crate::sql::statement::{Failed as _, Statement};
use crate::store::Store;

/// Entries or rows in one page.
pub const HOUSE_PAGE_MAX: usize = 1_000;
/// The number of the chain's lock: `house` in ASCII.
const CHAIN_LOCK: i64 = 0x68_6f_75_73_65;

/// An entry as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredHouseEntry {
    /// The entry.
    pub entry: HouseEntry,
    /// The hash that is stored with it.
    pub hash: ChainHash,
}

/// Adds facts to the chain.
pub(crate) async fn append(
    transaction: &mut PgConnection,
    at: Timestamp,
    facts: &[HouseFact],
) -> Result<(), StoreError> {
    if facts.is_empty() {
        return Ok(());
    }
    let lock = sqlx::query(LOCK_CHAIN.sql).bind(CHAIN_LOCK);
    lock.execute(&mut *transaction).await.of(LOCK_CHAIN)?;
    let last = sqlx::query(LAST_ENTRY.sql);
    let last = last
        .fetch_optional(&mut *transaction)
        .await
        .of(LAST_ENTRY)?;
    let (mut number, mut previous) = match &last {
        Some(row) => {
            let row = Of::new(LAST_ENTRY, "house_chain", row);
            let number = row.number::<u64, i64>("number")?;
            (number, ChainHash(row.hash("hash")?))
        }
        None => (0, ChainHash::GENESIS),
    };
    for fact in facts {
        number += 1;
        let entry = HouseEntry {
            number,
            at,
            kind: fact.kind(),
            body: fact.body(false),
        };
        previous = entry.hash(previous);
        let add = sqlx::query(ADD_ENTRY.sql)
            .bind(stored(number))
            .bind(at.0)
            .bind(i16::from(entry.kind))
            .bind(entry.body)
            .bind(previous.0.to_vec());
        add.execute(&mut *transaction).await.of(ADD_ENTRY)?;
    }
    Ok(())
}

impl Store {
    /// Returns the chain's entries after one, at most [`HOUSE_PAGE_MAX`].
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn house_entries(&self, after: u64) -> Result<Vec<StoredHouseEntry>, StoreError> {
        let query = sqlx::query(ENTRIES.sql).bind(stored(after));
        let rows = self.house_page(ENTRIES, query).await?;
        let entry = |row: &PgRow| {
            let row = Of::new(ENTRIES, "house_chain", row);
            Ok(StoredHouseEntry {
                entry: HouseEntry {
                    number: row.number::<u64, i64>("number")?,
                    at: Timestamp(row.get("at")?),
                    kind: row.number::<u8, i16>("kind")?,
                    body: row.get("body")?,
                },
                hash: ChainHash(row.hash("hash")?),
            })
        };
        rows.iter().map(entry).collect()
    }

    /// Returns what the rows of actors say, after one, at most [`HOUSE_PAGE_MAX`].
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn house_actors(&self, after: ActorId) -> Result<Vec<HouseFact>, StoreError> {
        let rows = self.house_page(ACTORS, sqlx::query(ACTORS.sql).bind(after.0));
        let actor = |row: &PgRow| {
            let row = Of::new(ACTORS, "actor", row);
            Ok(HouseFact::Actor {
                actor: ActorId(row.get("actor_id")?),
                name: row.get("name")?,
                role: row.get("role")?,
                table: row.get("table_name")?,
                link: row.get("link_name")?,
                department: row.get("department")?,
                created_at: Timestamp(row.get("created_at")?),
            })
        };
        rows.await?.iter().map(actor).collect()
    }

    /// Returns what the rows of tokens say, after one, at most [`HOUSE_PAGE_MAX`]: that each was made, and that it was
    /// ended if it was.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn house_tokens(
        &self,
        after: &[u8],
    ) -> Result<Vec<(HouseFact, Option<HouseFact>)>, StoreError> {
        let rows = self.house_page(TOKENS, sqlx::query(TOKENS.sql).bind(after.to_vec()));
        let facts = |row: &PgRow| {
            let row = Of::new(TOKENS, "token", row);
            let token = row.hash("token_hash")?;
            let expires_at: Option<i64> = row.get("expires_at")?;
            let revoked_at: Option<i64> = row.get("revoked_at")?;
            let made = HouseFact::Token {
                token,
                actor: ActorId(row.get("actor_id")?),
                created_at: Timestamp(row.get("created_at")?),
                expires_at: expires_at.map(Timestamp),
            };
            let revoked = revoked_at.map(|at| HouseFact::TokenRevoked {
                token,
                revoked_at: Timestamp(at),
            });
            Ok((made, revoked))
        };
        rows.await?.iter().map(facts).collect()
    }

    /// Returns what the rows of paytables say, after one, at most [`HOUSE_PAGE_MAX`].
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn house_paytables(&self, after: &[u8]) -> Result<Vec<HouseFact>, StoreError> {
        let rows = self.house_page(PAYTABLES, sqlx::query(PAYTABLES.sql).bind(after.to_vec()));
        let paytable = |row: &PgRow| {
            let row = Of::new(PAYTABLES, "paytable", row);
            let (id, document): (&str, &[u8]) = (row.get("paytable_id")?, row.get("document")?);
            Ok(HouseFact::paytable(row.hash("content_hash")?, id, document))
        };
        rows.await?.iter().map(paytable).collect()
    }

    async fn house_page(
        &self,
        statement: Statement,
        query: Bound<'static>,
    ) -> Result<Vec<PgRow>, StoreError> {
        let query = query.bind(bounded(HOUSE_PAGE_MAX, HOUSE_PAGE_MAX));
        self.inner.rows(statement, query).await
    }
}
