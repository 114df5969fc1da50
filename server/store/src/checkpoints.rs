//! Checkpoints of sums: reading a link's chain of checkpoints and adding one.
//!
//! # Limits
//! One page holds at most [`CHECKPOINTS_MAX`] checkpoints.

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::checkpoint::Checkpoint;
use sqlx::postgres::PgRow;

use crate::error::StoreError;
use crate::numbers::{bounded, to_bigint};
use crate::rows::RowReader;
use crate::running_check::BatchEnd;
use crate::sql::checkpoint::{ADD_CHECKPOINT, CHECKPOINTS};
use crate::store::Store;

/// Maximum number of checkpoints in one page.
pub const CHECKPOINTS_MAX: usize = 1_000;

/// A stored checkpoint with its batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCheckpoint {
    /// Checkpoint.
    pub checkpoint: Checkpoint,
    /// Stored hash of the checkpoint.
    pub hash: ChainHash,
    /// Batch of the checkpoint; `None` if the batch's row is missing.
    pub end: Option<BatchEnd>,
}

impl Store {
    /// Returns at most [`CHECKPOINTS_MAX`] checkpoints of a link after a number, in their order.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn checkpoints(
        &self,
        link: LinkId,
        after: u64,
    ) -> Result<Vec<StoredCheckpoint>, StoreError> {
        let query = sqlx::query(CHECKPOINTS.sql)
            .bind(link.0)
            .bind(to_bigint(after))
            .bind(bounded(CHECKPOINTS_MAX, CHECKPOINTS_MAX));
        let rows = self.inner.rows(CHECKPOINTS, query).await?;
        rows.iter().map(|row| checkpoint(link, row)).collect()
    }

    /// Adds a checkpoint. Returns `false` if another node has added one with the same number.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn add_checkpoint(&self, new: &StoredCheckpoint) -> Result<bool, StoreError> {
        let checkpoint = &new.checkpoint;
        let query = sqlx::query(ADD_CHECKPOINT.sql)
            .bind(checkpoint.link.0)
            .bind(to_bigint(checkpoint.number))
            .bind(to_bigint(checkpoint.batch))
            .bind(checkpoint.chain_hash.0.to_vec())
            .bind(checkpoint.sums.clone())
            .bind(new.hash.0.to_vec());
        Ok(self.inner.run(ADD_CHECKPOINT, query).await? == 1)
    }
}

fn checkpoint(link: LinkId, row: &PgRow) -> Result<StoredCheckpoint, StoreError> {
    let row = RowReader::new(CHECKPOINTS, "checkpoint", row);
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
