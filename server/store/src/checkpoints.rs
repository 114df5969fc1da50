//! Checkpoints of sums: reading a link's chain of them, adding one.
//!
//! # What bounds it
//! [`CHECKPOINTS_MAX`] in one page.

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::checkpoint::Checkpoint;
use sqlx::postgres::PgRow;

use crate::error::StoreError;
use crate::numbers::{bounded, stored};
use crate::rows::Of;
use crate::running_check::BatchEnd;
use crate::sql::checkpoint::{ADD_CHECKPOINT, CHECKPOINTS};
use crate::store::Store;

/// Checkpoints in one page.
pub const CHECKPOINTS_MAX: usize = 1_000;

/// A checkpoint as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCheckpoint {
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// The hash that is stored with it.
    pub hash: ChainHash,
    /// Its batch; nothing where that row is missing.
    pub end: Option<BatchEnd>,
}

impl Store {
    /// Returns a link's checkpoints in their order, after one, at most [`CHECKPOINTS_MAX`].
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn checkpoints(
        &self,
        link: LinkId,
        after: u64,
    ) -> Result<Vec<StoredCheckpoint>, StoreError> {
        let query = sqlx::query(CHECKPOINTS.sql)
            .bind(link.0)
            .bind(stored(after))
            .bind(bounded(CHECKPOINTS_MAX, CHECKPOINTS_MAX));
        let rows = self.inner.rows(CHECKPOINTS, query).await?;
        rows.iter().map(|row| checkpoint(link, row)).collect()
    }

    /// Adds a checkpoint; `false` where another node has added one of its number.
    ///
    /// # Errors
    /// If the database can't be asked.
    pub async fn add_checkpoint(&self, new: &StoredCheckpoint) -> Result<bool, StoreError> {
        let checkpoint = &new.checkpoint;
        let query = sqlx::query(ADD_CHECKPOINT.sql)
            .bind(checkpoint.link.0)
            .bind(stored(checkpoint.number))
            .bind(stored(checkpoint.batch))
            .bind(checkpoint.chain_hash.0.to_vec())
            .bind(checkpoint.sums.clone())
            .bind(new.hash.0.to_vec());
        Ok(self.inner.run(ADD_CHECKPOINT, query).await? == 1)
    }
}

fn checkpoint(link: LinkId, row: &PgRow) -> Result<StoredCheckpoint, StoreError> {
    let row = Of::new(CHECKPOINTS, "checkpoint", row);
    let batch = row.number::<u64, i64>("batch")?;
    let end = match row.get("batch_after")? {
        Some(after) => Some(BatchEnd {
            batch,
            after,
            chain_hash: ChainHash(row.hash("batch_hash")?),
        }),
        None => None,
    };
    Ok(StoredCheckpoint {
        checkpoint: Checkpoint {
            link,
            number: row.number::<u64, i64>("number")?,
            batch,
            chain_hash: ChainHash(row.hash("chain_hash")?),
            sums: row.get("sums")?,
        },
        hash: ChainHash(row.hash("hash")?),
        end,
    })
}
