//! The house's hash chain: adding entries, and reading them with the rows that they record.
//!
//! # Limits
//! One page holds at most [`HOUSE_PAGE_MAX`] entries or rows.
//!
//! # Order and locking
//! An entry is added in the transaction of the row that it records. Each transaction takes the
//! chain's lock last and holds it to its end, so that one transaction adds at a time.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::house::{HouseEntry, HouseFact};
use sqlx::postgres::{PgConnection, PgRow};

use crate::error::StoreError;
use crate::numbers::{bounded, to_bigint};
use crate::rows::RowReader;
use crate::sql::house::{
    ACTORS, ADD_ENTRY, ENTRIES, KEY_ENTRIES, LAST_ENTRY, LOCK_CHAIN, PAYTABLES, TOKENS,
};
use crate::sql::statement::Bound;
use crate::sql::statement::{ResultExt as _, Statement};
use crate::store::Store;

/// Maximum number of entries or rows in one page.
pub const HOUSE_PAGE_MAX: usize = 1_000;
/// Maximum number of entries about signing keys.
const KEY_ENTRIES_MAX: usize = 1_000;
/// Number of the chain's advisory lock: `house` in ASCII.
const CHAIN_LOCK: i64 = 0x68_6f_75_73_65;

/// A stored entry of the house's chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredHouseEntry {
    /// Entry.
    pub entry: HouseEntry,
    /// Stored hash of the entry.
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
    lock_chain(transaction).await?;
    let last = sqlx::query(LAST_ENTRY.sql);
    let last = last
        .fetch_optional(&mut *transaction)
        .await
        .in_statement(LAST_ENTRY)?;
    let (mut number, mut previous) = match &last {
        Some(row) => {
            let row = RowReader::new(LAST_ENTRY, "house_chain", row);
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
            .bind(to_bigint(number))
            .bind(at.0)
            .bind(i16::from(entry.kind))
            .bind(entry.body)
            .bind(previous.0.to_vec());
        add.execute(&mut *transaction)
            .await
            .in_statement(ADD_ENTRY)?;
    }
    Ok(())
}

/// Adds a fact about keys if there are as many entries about keys as the caller saw.
async fn add_key(
    transaction: &mut PgConnection,
    at: Timestamp,
    seen: usize,
    fact: &HouseFact,
) -> Result<bool, StoreError> {
    lock_chain(transaction).await?;
    let query = sqlx::query(KEY_ENTRIES.sql).bind(bounded(KEY_ENTRIES_MAX, KEY_ENTRIES_MAX));
    let rows = query
        .fetch_all(&mut *transaction)
        .await
        .in_statement(KEY_ENTRIES)?;
    if rows.len() != seen {
        return Ok(false);
    }
    append(transaction, at, std::slice::from_ref(fact)).await?;
    Ok(true)
}

/// Locks the chain until the transaction ends.
pub(crate) async fn lock_chain(transaction: &mut PgConnection) -> Result<(), StoreError> {
    let lock = sqlx::query(LOCK_CHAIN.sql).bind(CHAIN_LOCK);
    lock.execute(&mut *transaction)
        .await
        .in_statement(LOCK_CHAIN)
        .map(drop)
}

impl Store {
    /// Returns the entries about signing keys, in their order.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn key_entries(&self) -> Result<Vec<HouseEntry>, StoreError> {
        let query = sqlx::query(KEY_ENTRIES.sql).bind(bounded(KEY_ENTRIES_MAX, KEY_ENTRIES_MAX));
        let rows = self.inner.rows(KEY_ENTRIES, query).await?;
        let entry = |row: &PgRow| stored_entry(KEY_ENTRIES, row).map(|stored| stored.entry);
        rows.iter().map(entry).collect()
    }

    /// Adds a fact about signing keys, unless others were added since the caller saw `seen` of them. Returns `false` if
    /// there were others.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn add_key_fact(
        &self,
        at: Timestamp,
        seen: usize,
        fact: &HouseFact,
    ) -> Result<bool, StoreError> {
        self.run_tx("house.add_key", async |transaction: &mut PgConnection| {
            add_key(transaction, at, seen, fact).await
        })
        .await
    }

    /// Returns at most [`HOUSE_PAGE_MAX`] entries of the chain after a number.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn house_entries(&self, after: u64) -> Result<Vec<StoredHouseEntry>, StoreError> {
        let query = sqlx::query(ENTRIES.sql).bind(to_bigint(after));
        let rows = self.house_page(ENTRIES, query).await?;
        rows.iter().map(|row| stored_entry(ENTRIES, row)).collect()
    }

    /// Returns the facts in the rows of actors after one, at most [`HOUSE_PAGE_MAX`].
    ///
    /// # Errors
    /// If the query fails.
    pub async fn house_actors(&self, after: ActorId) -> Result<Vec<HouseFact>, StoreError> {
        let rows = self.house_page(ACTORS, sqlx::query(ACTORS.sql).bind(after.0));
        let actor = |row: &PgRow| {
            let row = RowReader::new(ACTORS, "actor", row);
            Ok(HouseFact::Actor {
                actor: ActorId(row.get("actor_id")?),
                name: row.get("name")?,
                role: row.get("role")?,
                table: row.get("table_name")?,
                link: row.get("link_name")?,
                department: row.get("department")?,
                rights: row.get("rights")?,
                created_at: Timestamp(row.get("created_at")?),
            })
        };
        rows.await?.iter().map(actor).collect()
    }

    /// Returns the facts in the rows of tokens after one, at most [`HOUSE_PAGE_MAX`]: the creation
    /// of each token, and its revocation if there was one.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn house_tokens(
        &self,
        after: &[u8],
    ) -> Result<Vec<(HouseFact, Option<HouseFact>)>, StoreError> {
        let rows = self.house_page(TOKENS, sqlx::query(TOKENS.sql).bind(after.to_vec()));
        let facts = |row: &PgRow| {
            let row = RowReader::new(TOKENS, "token", row);
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

    /// Returns the facts in the rows of paytables after one, at most [`HOUSE_PAGE_MAX`].
    ///
    /// # Errors
    /// If the query fails.
    pub async fn house_paytables(&self, after: &[u8]) -> Result<Vec<HouseFact>, StoreError> {
        let rows = self.house_page(PAYTABLES, sqlx::query(PAYTABLES.sql).bind(after.to_vec()));
        let paytable = |row: &PgRow| {
            let row = RowReader::new(PAYTABLES, "paytable", row);
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

fn stored_entry(statement: Statement, row: &PgRow) -> Result<StoredHouseEntry, StoreError> {
    let row = RowReader::new(statement, "house_chain", row);
    Ok(StoredHouseEntry {
        entry: HouseEntry {
            number: row.number::<u64, i64>("number")?,
            at: Timestamp(row.get("at")?),
            kind: row.number::<u8, i16>("kind")?,
            body: row.get("body")?,
        },
        hash: ChainHash(row.hash("hash")?),
    })
}
