//! What a check beside the running link reads: whether its head, its last batch and what the
//! batches since the last check did agree.
//!
//! # Shape
//! One statement, so that all of it is of one moment. It only reads; what differs is for the caller
//! to say.
//!
//! # What bounds it
//! [`CHECK_BATCHES_MAX`] batches at once, without their events.

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::batch::ChainHash;

use crate::error::StoreError;
use crate::feed::{HeadRow, head_row};
use crate::numbers::stored;
use crate::rows::Of;
use crate::sql::report::RUNNING_CHECK;
use crate::store::Store;

/// Batches whose changes are summed at once.
pub const CHECK_BATCHES_MAX: u64 = 10_000;

/// How a batch left the books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchEnd {
    /// The batch.
    pub batch: u64,
    /// The balances after it.
    pub after: Vec<i64>,
    /// Its hash.
    pub chain_hash: ChainHash,
}

/// A link's books at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningCheck {
    /// Where the link stands; behind the batch that was checked last where its head went back.
    pub head: HeadRow,
    /// The head's hash.
    pub head_hash: ChainHash,
    /// The batch that the head names; nothing where its row is missing.
    pub last: Option<BatchEnd>,
    /// The batch that was checked last; nothing for batch 0, or where its row is missing.
    pub since: Option<BatchEnd>,
    /// The batch up to which this check goes: the next one begins there.
    pub through: u64,
    /// That batch; nothing where its row is missing.
    pub end: Option<BatchEnd>,
    /// How many batches there are between: [`through`](Self::through) less the one checked last,
    /// unless rows are missing.
    pub batches: u64,
    /// What these did to each account, book b, account a at 8 × b + a; empty where there are none.
    pub moved: Vec<i64>,
}

impl Store {
    /// What happened to a link's books after batch `since`, the one checked last (0 at first);
    /// `None` where the link has no head.
    ///
    /// # Errors
    /// If the database can't be asked, or a sum leaves the range of money.
    pub async fn running_check(
        &self,
        link: LinkId,
        since: u64,
    ) -> Result<Option<RunningCheck>, StoreError> {
        let since = stored(since);
        let furthest = since.saturating_add_unsigned(CHECK_BATCHES_MAX);
        let query = sqlx::query(RUNNING_CHECK.sql)
            .bind(link.0)
            .bind(since)
            .bind(furthest);
        let row = self.inner.row(RUNNING_CHECK, query).await?;
        let Some(row) = row else { return Ok(None) };
        let row = Of::new(RUNNING_CHECK, "link_head", &row);
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

/// A batch that may be missing.
fn end(
    row: &Of<'_>,
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
