//! The database's identity and heads, by which a data folder recognises the database later.
//!
//! # Limits
//! One statement reads at most [`LIST_MAX`] heads.

use std::collections::BTreeMap;

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::batch::{ChainHash, HASH_BYTES};
use meterhouse_journal::month::IDENTITY_BYTES;
use meterhouse_journal::seal::SealKey;

use crate::error::StoreError;
use crate::links::LIST_MAX;
use crate::numbers::{bounded, to_bigint};
use crate::rows::RowReader;
use crate::sql::identity::{
    BATCH_HASH, HELD_BATCH, IDENTITY, IDENTITY_AS_BYTES, KNOWN_HEADS, SEAL_KEY,
};
use crate::store::Store;

/// The head of a link: its last batch and the batch's hash.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct KnownHead {
    /// Number of the last batch.
    pub batch: u64,
    /// Hash of the last batch.
    pub chain_hash: ChainHash,
}

/// The result of comparing a known head with the database.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum HeadCheck {
    /// The database has no such link.
    NoLink,
    /// The database has the batch with this hash.
    Found,
    /// The journal ends before the batch, at this number.
    EndsAt(u64),
    /// The database has another batch with this number.
    Differs,
}

impl Store {
    /// Returns the database's identity, a UUID.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn identity(&self) -> Result<String, StoreError> {
        let row = self.inner.row(IDENTITY, sqlx::query(IDENTITY.sql)).await?;
        let row = row.ok_or(StoreError::Inconsistent {
            table: "database_identity",
            column: "identity",
        })?;
        RowReader::new(IDENTITY, "database_identity", &row).get("identity")
    }

    /// Returns the bytes of the database's identity.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn identity_bytes(&self) -> Result<[u8; IDENTITY_BYTES], StoreError> {
        let query = sqlx::query(IDENTITY_AS_BYTES.sql);
        let row = self.inner.row(IDENTITY_AS_BYTES, query).await?;
        let row = row.ok_or(StoreError::Inconsistent {
            table: "database_identity",
            column: "identity",
        })?;
        RowReader::new(IDENTITY_AS_BYTES, "database_identity", &row).array("identity")
    }

    /// Returns the key of the database's seals.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn seal_key(&self) -> Result<SealKey, StoreError> {
        let row = self.inner.row(SEAL_KEY, sqlx::query(SEAL_KEY.sql)).await?;
        let row = row.ok_or(StoreError::Inconsistent {
            table: "seal_key",
            column: "key",
        })?;
        let key = RowReader::new(SEAL_KEY, "seal_key", &row).hash("key")?;
        Ok(SealKey::new(key))
    }

    /// Returns the hash of a link's batch; `None` if the link has no such batch here.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn batch_hash(
        &self,
        link: LinkId,
        batch: u64,
    ) -> Result<Option<ChainHash>, StoreError> {
        let query = sqlx::query(BATCH_HASH.sql)
            .bind(link.0)
            .bind(to_bigint(batch));
        let row = self.inner.row(BATCH_HASH, query).await?;
        let hash = |row| RowReader::new(BATCH_HASH, "batch", row).hash("chain_hash");
        row.as_ref()
            .map(hash)
            .transpose()
            .map(|hash| hash.map(ChainHash))
    }

    /// Returns the heads of all links by name.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn known_heads(&self) -> Result<BTreeMap<String, KnownHead>, StoreError> {
        let mut heads = BTreeMap::new();
        let mut after = LinkId(0);
        loop {
            let query = sqlx::query(KNOWN_HEADS.sql)
                .bind(after.0)
                .bind(bounded(LIST_MAX, LIST_MAX));
            let rows = self.inner.rows(KNOWN_HEADS, query).await?;
            for row in &rows {
                let row = RowReader::new(KNOWN_HEADS, "link_head", row);
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

    /// Compares a known head with the database.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn check_head(&self, link: &str, known: KnownHead) -> Result<HeadCheck, StoreError> {
        let query = sqlx::query(HELD_BATCH.sql)
            .bind(link.to_owned())
            .bind(to_bigint(known.batch));
        let Some(row) = self.inner.row(HELD_BATCH, query).await? else {
            return Ok(HeadCheck::NoLink);
        };
        let row = RowReader::new(HELD_BATCH, "link_head", &row);
        let last: u64 = row.number::<u64, i64>("batch")?;
        let hash: Option<Vec<u8>> = row.get("chain_hash")?;
        let hash = hash.and_then(|hash| <[u8; HASH_BYTES]>::try_from(hash).ok());
        Ok(match hash {
            Some(hash) if ChainHash(hash) == known.chain_hash => HeadCheck::Found,
            Some(_) => HeadCheck::Differs,
            None if last < known.batch => HeadCheck::EndsAt(last),
            // The head claims more batches than there are.
            None => HeadCheck::EndsAt(known.batch.saturating_sub(1)),
        })
    }
}
