//! Checkpoints of a link's sums: their chain is compared, and new ones are added outside the commit path.
//!
//! # Shape
//! The running check adds a checkpoint once the whole ledger was summed or an older checkpoint was compared. `migrate`
//! adds the first one of a long link. [`newest`] compares the chain from its first checkpoint: hashes, numbers, and the
//! chain hash and the balances stored with each checkpoint's batch.
//!
//! # Limits
//! A chain is read in pages of the store's limit. There is one checkpoint every [`CHECKPOINT_EVERY`] batches.

use meterhouse_domain::ids::{LinkId, LinkName};
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::checkpoint::Checkpoint;
use meterhouse_store::{BatchEnd, CHECKPOINTS_MAX, LIST_MAX, Store, StoreError, StoredCheckpoint};

use crate::answer::{NotExecuted, unavailable};
use crate::integrity::sums::{fits, read, unreadable};

/// Default number of batches between two checkpoints of a link.
pub(crate) const CHECKPOINT_EVERY: u64 = 20_000;
/// Default maximum length, in batches, of a link without a checkpoint that is summed whole before coin-in.
pub(crate) const SUMMED_WHOLE_MAX: u64 = 40_000;

/// Distances of checkpoints, in batches.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct CheckpointOptions {
    /// Batches between two checkpoints of a link.
    pub every: u64,
    /// Maximum length of a link without a checkpoint that is summed whole before coin-in. A longer link plays while it
    /// is summed.
    pub summed_whole: u64,
}

impl Default for CheckpointOptions {
    fn default() -> Self {
        Self {
            every: CHECKPOINT_EVERY,
            summed_whole: SUMMED_WHOLE_MAX,
        }
    }
}

/// Returns a link's newest checkpoint. The inner error is a difference in the chain.
pub(crate) async fn newest(
    store: &Store,
    link: LinkId,
) -> Result<Result<Option<StoredCheckpoint>, String>, NotExecuted> {
    let mut newest: Option<StoredCheckpoint> = None;
    loop {
        let after = newest.as_ref().map_or(0, |last| last.checkpoint.number);
        let page = match store.checkpoints(link, after).await {
            Ok(page) => page,
            Err(error) => return unreadable(error).map(Err),
        };
        let is_last = page.len() < CHECKPOINTS_MAX;
        for next in page {
            if let Err(what) = follows(newest.as_ref(), &next) {
                let number = next.checkpoint.number;
                return Ok(Err(format!("checkpoint {number}: {what}")));
            }
            newest = Some(next);
        }
        if is_last {
            return Ok(Ok(newest));
        }
    }
}

/// Checks that a checkpoint follows the previous one and agrees with the stored row of its batch.
fn follows(before: Option<&StoredCheckpoint>, next: &StoredCheckpoint) -> Result<(), &'static str> {
    let (number, batch) = before.map_or((0, 0), |last| {
        (last.checkpoint.number, last.checkpoint.batch)
    });
    let previous = before.map_or(ChainHash::GENESIS, |last| last.hash);
    let checkpoint = &next.checkpoint;
    if checkpoint.number != number + 1 {
        return Err("the one before it is missing");
    }
    if checkpoint.batch <= batch {
        return Err("its batch is not behind that of the one before");
    }
    if checkpoint.hash(previous) != next.hash {
        return Err("it has another hash than stored");
    }
    let Some(end) = &next.end else {
        return Err("its batch is missing");
    };
    if end.chain_hash != checkpoint.chain_hash {
        return Err("it names another hash than its batch");
    }
    if end.after != checkpoint.sums {
        return Err("its sums differ from the balances after its batch");
    }
    Ok(())
}

/// Adds a checkpoint after the summed batches. Returns `false` if another node added one.
pub(crate) async fn add(
    store: &Store,
    link: LinkId,
    before: Option<&StoredCheckpoint>,
    end: &BatchEnd,
) -> Result<bool, StoreError> {
    let previous = before.map_or(ChainHash::GENESIS, |last| last.hash);
    let checkpoint = Checkpoint {
        link,
        number: before.map_or(1, |last| last.checkpoint.number + 1),
        batch: end.batch,
        chain_hash: end.chain_hash,
        sums: end.after.clone(),
    };
    let new = StoredCheckpoint {
        hash: checkpoint.hash(previous),
        checkpoint,
        end: None,
    };
    store.add_checkpoint(&new).await
}

/// The progress of a link's first checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FirstCheckpoint {
    /// The sum is under way.
    Summed {
        /// The number of summed batches.
        batches: u64,
        /// The last batch to be summed.
        of: u64,
    },
    /// The checkpoint was added.
    Added {
        /// The batch of the checkpoint.
        batch: u64,
    },
    /// The books differ, so the link gets no checkpoint.
    Differs {
        /// The difference.
        what: String,
    },
}

/// Adds the first checkpoint of each link that has none and is too long to be summed whole before coin-in. The links
/// may be in play meanwhile.
///
/// # Errors
/// [`NotExecuted`] if the database can't be queried.
pub async fn add_first(
    store: &Store,
    options: CheckpointOptions,
    progress: &mut dyn FnMut(&LinkName, FirstCheckpoint),
) -> Result<(), NotExecuted> {
    let mut after = LinkId(0);
    loop {
        let page = store
            .list_links(after, LIST_MAX)
            .await
            .map_err(unavailable)?;
        let Some(last) = page.last() else {
            return Ok(());
        };
        after = last.link;
        for row in &page {
            // The server never stores an invalid name.
            let Ok(name) = row.name.parse() else { continue };
            let mut progress = |step| progress(&name, step);
            if let Err(what) = add_first_of(store, row.link, options, &mut progress).await? {
                progress(FirstCheckpoint::Differs { what });
            }
        }
    }
}

async fn add_first_of(
    store: &Store,
    link: LinkId,
    options: CheckpointOptions,
    progress: &mut dyn FnMut(FirstCheckpoint),
) -> Result<Result<(), String>, NotExecuted> {
    let mut since = 0;
    let mut last = None;
    loop {
        let summed = match read(store, link, since).await? {
            Ok(summed) => summed,
            Err(what) => return Ok(Err(what)),
        };
        let of = *last.get_or_insert(summed.head.batch);
        if of <= options.summed_whole {
            return Ok(Ok(()));
        }
        if since == 0 {
            match newest(store, link).await? {
                Ok(None) => {}
                Ok(Some(_)) => return Ok(Ok(())),
                Err(what) => return Ok(Err(what)),
            }
        }
        if let Err(what) = fits(&summed, since) {
            return Ok(Err(what));
        }
        since = summed.through;
        progress(FirstCheckpoint::Summed { batches: since, of });
        if let Some(end) = summed.end.filter(|end| end.batch >= of) {
            if add(store, link, None, &end).await.map_err(unavailable)? {
                progress(FirstCheckpoint::Added { batch: end.batch });
            }
            return Ok(Ok(()));
        }
    }
}
