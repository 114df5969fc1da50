//! The identity and the heads of the database, by which a data folder recognises it later.
//!
//! # What bounds it
//! [`LIST_MAX`] heads in one statement.

use std::collections::BTreeMap;

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::batch::{ChainHash, HASH_BYTES};

use crate::error::StoreError;
use crate::links::LIST_MAX;
use crate::numbers::{bounded, stored};
use crate::rows::Of;
use crate::sql::identity::{HELD_BATCH, IDENTITY, KNOWN_HEADS};
use crate::store::Store;

/// The head of a link: its last batch and that batch's hash.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct KnownHead {
    /// The batch.
    pub batch: u64,
    /// Its hash.
    pub chain_hash: ChainHash,
}

/// The finding about a head that was known.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// No such link.
    NoLink,
    /// The batch with this hash.
    Whole,
    /// A journal that ends before it.
    EndsAt(u64),
    /// Another batch of that number.
    Differs,
}

impl Store {
    /// The identity of the database, a UUID.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn identity(&self) -> Result<String, StoreError> {
        let row = self.inner.row(IDENTITY, sqlx::query(IDENTITY.sql)).await?;
        let row = row.ok_or(StoreError::Inconsistent {
            table: "database_identity",
            column: "identity",
        })?;
        Of::new(IDENTITY, "database_identity", &row).get("identity")
    }

    /// The heads of all links, by name.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn known_heads(&self) -> Result<BTreeMap<String, KnownHead>, StoreError> {
        let mut heads = BTreeMap::new();
        let mut after = LinkId(0);
        loop {
            let query = sqlx::query(KNOWN_HEADS.sql)
                .bind(after.0)
                .bind(bounded(LIST_MAX, LIST_MAX));
            let rows = self.inner.rows(KNOWN_HEADS, query).await?;
            for row in &rows {
                let row = Of::new(KNOWN_HEADS, "link_head", row);
                after = LinkId(row.get("link_id")?);
                let head = KnownHead {
                    batch: row.number::<u64, i64>("batch")?,
                    chain_hash: ChainHash(row.hash("chain_hash")?),
                };
                heads.insert(row.get("name")?, head);
            }
            if rows.len() < LIST_MAX {
                return Ok(heads);
            }
        }
    }

    /// Looks up what the database holds of a head that was known.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn held(&self, link: &str, known: KnownHead) -> Result<Held, StoreError> {
        let query = sqlx::query(HELD_BATCH.sql)
            .bind(link.to_owned())
            .bind(stored(known.batch));
        let Some(row) = self.inner.row(HELD_BATCH, query).await? else {
            return Ok(Held::NoLink);
        };
        let row = Of::new(HELD_BATCH, "link_head", &row);
        let last: u64 = row.number::<u64, i64>("batch")?;
        let hash: Option<Vec<u8>> = row.get("chain_hash")?;
        let hash = hash.and_then(|hash| <[u8; HASH_BYTES]>::try_from(hash).ok());
        Ok(match hash {
            Some(hash) if ChainHash(hash) == known.chain_hash => Held::Whole,
            Some(_) => Held::Differs,
            None if last < known.batch => Held::EndsAt(last),
            // The head says more than there are batches.
            None => Held::EndsAt(known.batch.saturating_sub(1)),
        })
    }
}
