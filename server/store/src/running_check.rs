//! The reads of the running check of a link: its head, its last batch and the changes since the
//! last check.
//!
//! # Shape
//! One statement reads everything, so that the parts are consistent. The caller compares the parts.
//!
//! # Limits
//! At most [`CHECK_BATCHES_MAX`] batches in one check, without their events.

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::batch::ChainHash;

use crate::error::StoreError;
use crate::feed::{HeadRow, head_row};
use crate::numbers::to_bigint;
use crate::rows::RowReader;
use crate::sql::report::RUNNING_CHECK;
use crate::store::Store;

/// Maximum number of batches whose changes one check sums.
pub const CHECK_BATCHES_MAX: u64 = 10_000;

/// The books after a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchEnd {
    /// Number of the batch.
    pub batch: u64,
    /// Balances after the batch.
    pub after: Vec<i64>,
    /// Hash of the batch.
    pub chain_hash: ChainHash,
}

/// The books of a link at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningCheck {
    /// Head of the link. A head that went back is before the batch that was checked last.
    pub head: HeadRow,
    /// Hash of the head.
    pub head_hash: ChainHash,
    /// Batch that the head names; `None` if the batch's row is missing.
    pub last: Option<BatchEnd>,
    /// Batch that was checked last; `None` for batch 0, or if the batch's row is missing.
    pub since: Option<BatchEnd>,
    /// Batch at which this check ends and the next one begins.
    pub through: u64,
    /// Last batch of this check; `None` if the batch's row is missing.
    pub end: Option<BatchEnd>,
    /// Number of batches between: [`through`](Self::through) less the batch that was checked last,
    /// unless rows are missing.
    pub batches: u64,
    /// Changes of each account, where account a of book b has index 8 × b + a; empty without batch
    /// [`through`](Self::through).
    pub moved: Vec<i64>,
}

impl Store {
    /// Returns the changes of a link's books after batch `since`, the one checked last (0 at
    /// first); `None` if the link has no head.
    ///
    /// # Errors
    /// If the query fails, or a sum leaves the range of money.
    pub async fn running_check(
        &self,
        link: LinkId,
        since: u64,
    ) -> Result<Option<RunningCheck>, StoreError> {
        let since = to_bigint(since);
        let furthest = since.saturating_add_unsigned(CHECK_BATCHES_MAX);
        let query = sqlx::query(RUNNING_CHECK.sql)
            .bind(link.0)
            .bind(since)
            .bind(furthest);
        let row = self.inner.row(RUNNING_CHECK, query).await?;
        let Some(row) = row else { return Ok(None) };
        let row = RowReader::new(RUNNING_CHECK, "link_head", &row);
        let head = head_row(&row)?;
        let through = row.number::<u64, i64>("through")?;
        Ok(Some(RunningCheck {
            head_hash: ChainHash(row.hash("chain_hash")?),
            last: end(&row, head.batch, "last_after", "last_hash")?,
            since: end(&row, since.cast_unsigned(), "since_after", "since_hash")?,
            through,
            end: end(&row, through, "end_after", "end_hash")?,
            batches: row.number::<u64, i64>("batches")?,
            moved: row.get("moved")?,
            head,
        }))
    }
}

/// Decodes the end of a batch that may be missing.
fn end(
    row: &RowReader<'_>,
    batch: u64,
    after: &'static str,
    hash: &'static str,
) -> Result<Option<BatchEnd>, StoreError> {
    let Some(after) = row.get(after)? else {
        return Ok(None);
    };
    Ok(Some(BatchEnd {
        batch,
        after,
        chain_hash: ChainHash(row.hash(hash)?),
    }))
}
