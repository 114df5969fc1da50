//! The running check: the stored rows of a loaded link are consistent and agree with its replica (CONFORMANCE 45).
//!
//! # Shape
//! At every interval, four balances of each loaded link are compared: the head's if it has any, the newest batch's, those summed from
//! the batches, and the replica's. Concurrently, the ledger is summed from its opening, one step an interval, up to the
//! batch at which the link was loaded. From then on the whole ledger is summed, because later batches are added by
//! every check. A difference, or a missing or unreadable row, faults the link and names the difference. No row is ever
//! replaced.
//!
//! Coin-in of a link that was just loaded waits for [`check_loaded`]: the chain of its checkpoints, and the batches
//! since the newest one. A short link without a checkpoint is summed whole. A long one plays while the running check
//! sums the ledger, and then gets its first checkpoint.
//!
//! # Limits
//! Two statements a link and interval, sometimes three. One statement sums at most as many batches as the store reads
//! in one query. The batches since the last check are summed immediately, in as many statements as necessary.

use meterhouse_domain::ids::LinkId;
use meterhouse_store::{BatchEnd, RunningCheck, Store};

use crate::answer::{NotExecuted, unavailable};
use crate::committer::published_state::{PublishedState, StateAt};
use crate::committer::replica::flat_balances;
use crate::integrity::checkpoints::{self, CheckpointOptions};
use crate::integrity::sums::{fits, read, unreadable};

/// The progress of a link's check.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct CheckProgress {
    /// The replica's batch when the link was loaded. Later batches are summed by every check.
    first: u64,
    /// The last batch of the sum of later batches.
    through: u64,
    /// The last batch of the sum from the opening. At `first` or beyond, the two sums have met.
    pub(crate) from_opening: u64,
    /// The batch of the newest known checkpoint; 0 without one.
    checkpoint: u64,
}

impl CheckProgress {
    /// Returns the progress of a link whose replica is as of this batch, before any sum.
    pub(crate) const fn begin(batch: u64) -> Self {
        Self {
            first: batch,
            through: batch,
            from_opening: 0,
            checkpoint: 0,
        }
    }

    /// Returns the number of batches whose moves are not summed yet.
    pub(crate) const fn unsummed(&self) -> u64 {
        self.first.saturating_sub(self.from_opening)
    }

    /// Returns the number of summed batches.
    pub(crate) const fn summed(&self) -> u64 {
        self.through.saturating_sub(self.unsummed())
    }

    /// Returns `true` if a checkpoint is due and its content is known: the whole ledger was summed, or an older
    /// checkpoint was compared.
    const fn checkpoint_due(&self, every: u64) -> bool {
        let is_known = self.checkpoint > 0 || self.from_opening >= self.first;
        is_known && self.through >= self.checkpoint.saturating_add(every)
    }

    /// Returns the batch after which the newest batches are summed. The last summed batch is included again, because it
    /// may have been changed since.
    fn newest_since(self) -> u64 {
        self.through.saturating_sub(1).max(self.first)
    }

    /// Returns the batch after which the sum from the opening continues. Returns nothing once the two sums have met.
    pub(crate) fn oldest_since(self) -> Option<u64> {
        (self.from_opening < self.first).then_some(self.from_opening)
    }

    /// Advances the sum from the opening by one step.
    fn step(&mut self, read: &RunningCheck) -> Result<(), String> {
        fits(read, self.from_opening)?;
        self.from_opening = read.through;
        Ok(())
    }
}

/// The result of a check.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum CheckResult {
    /// No difference up to this batch.
    Consistent(CheckProgress, BatchEnd),
    /// No check: the link is being unloaded, or is faulted already.
    Nothing,
    /// A difference.
    Difference(String),
}

/// Checks a link that was just loaded: the chain of its checkpoints, the batches since the newest one, and its replica.
///
/// # Errors
/// [`NotExecuted`] if the database can't be queried.
pub(crate) async fn check_loaded(
    store: &Store,
    link: LinkId,
    published: &PublishedState,
    options: CheckpointOptions,
) -> Result<CheckResult, NotExecuted> {
    let Some(known) = published.known() else {
        return Ok(CheckResult::Nothing);
    };
    let checkpoint = match checkpoints::newest(store, link).await? {
        Ok(newest) => newest.map_or(0, |newest| newest.checkpoint.batch),
        Err(what) => return Ok(difference(&what)),
    };
    let is_long = checkpoint == 0 && known.batch > options.summed_whole;
    if is_long {
        let batches = known.batch;
        tracing::warn!(link.id = %link, batches, "a long link has no checkpoint yet: it plays while it is summed; `meterhouse migrate` adds one beforehand");
    }
    let mut since = if is_long { known.batch } else { checkpoint };
    loop {
        let read = match read(store, link, since).await? {
            Ok(read) => read,
            Err(what) => return Ok(difference(&what)),
        };
        if let Err(what) = fits(&read, since) {
            return Ok(difference(&what));
        }
        since = read.through;
        if since < known.batch && published.known().is_some() {
            continue;
        }
        if let Some(what) = compare_replica(store, link, &read, &known).await? {
            return Ok(difference(&what));
        }
        let Some(end) = read.end else {
            return Ok(CheckResult::Nothing);
        };
        let checked = CheckProgress {
            first: since,
            through: since,
            from_opening: if is_long || checkpoint > 0 { 0 } else { since },
            checkpoint,
        };
        return Ok(CheckResult::Consistent(checked, end));
    }
}

/// Checks one link from the end of the last check, or from its replica's batch, and advances the sum from the opening.
///
/// # Errors
/// [`NotExecuted`] if the database can't be queried.
pub(crate) async fn check(
    store: &Store,
    link: LinkId,
    published: &PublishedState,
    before: Option<CheckProgress>,
    options: CheckpointOptions,
) -> Result<CheckResult, NotExecuted> {
    let Some(known) = published.known() else {
        return Ok(CheckResult::Nothing);
    };
    if known.state.fault.is_some() || published.damaged().is_some() {
        return Ok(CheckResult::Nothing);
    }
    let mut checked = before.unwrap_or(CheckProgress::begin(known.batch));
    let end = loop {
        let since = checked.newest_since();
        let read = match read(store, link, since).await? {
            Ok(read) => read,
            Err(what) => return Ok(difference(&what)),
        };
        if let Err(what) = fits(&read, since) {
            return Ok(difference(&what));
        }
        if let Some(what) = compare_replica(store, link, &read, &known).await? {
            return Ok(difference(&what));
        }
        checked.through = read.through;
        if let Some(end) = read.end.filter(|end| end.batch >= read.head.batch) {
            break end;
        }
    };
    if let Some(since) = checked.oldest_since() {
        let read = read(store, link, since).await?;
        if let Err(what) = read.and_then(|read| checked.step(&read)) {
            return Ok(difference(&what));
        }
    }
    if checked.checkpoint_due(options.every) {
        match add_checkpoint(store, link, &end, options).await? {
            Ok(newest) => checked.checkpoint = newest,
            Err(what) => return Ok(difference(&what)),
        }
    }
    Ok(CheckResult::Consistent(checked, end))
}

/// Adds a checkpoint unless another node has. Returns the newest one's batch. The inner error is a difference in the
/// chain.
async fn add_checkpoint(
    store: &Store,
    link: LinkId,
    end: &BatchEnd,
    options: CheckpointOptions,
) -> Result<Result<u64, String>, NotExecuted> {
    let newest = match checkpoints::newest(store, link).await? {
        Ok(newest) => newest,
        Err(what) => return Ok(Err(what)),
    };
    let batch = newest.as_ref().map_or(0, |last| last.checkpoint.batch);
    if end.batch < batch.saturating_add(options.every) {
        return Ok(Ok(batch));
    }
    let added = checkpoints::add(store, link, newest.as_ref(), end).await;
    let was_added = added.map_err(unavailable)?;
    Ok(Ok(if was_added { end.batch } else { batch }))
}

fn difference(what: &str) -> CheckResult {
    CheckResult::Difference(format!("the running check found: {what}"))
}

/// Returns the difference between the replica and the stored row of its batch, if any.
async fn compare_replica(
    store: &Store,
    link: LinkId,
    check: &RunningCheck,
    known: &StateAt,
) -> Result<Option<String>, NotExecuted> {
    let batch = known.batch;
    if check.head.batch < batch {
        let head = check.head.batch;
        return Ok(Some(format!(
            "the head names batch {head}, behind batch {batch}"
        )));
    }
    let ends = [&check.last, &check.since, &check.end];
    let read = ends.into_iter().flatten().find(|end| end.batch == batch);
    let after = match read {
        Some(end) => Some(end.after.clone()),
        None => match store.balances_after(link, batch).await {
            Ok(found) => found.map(|end| end.after),
            Err(error) => {
                let what = unreadable(error)?;
                return Ok(Some(what));
            }
        },
    };
    Ok(match after {
        None => Some(format!("batch {batch} is missing")),
        Some(after) if after != flat_balances(&known.state) => Some(format!(
            "the balances in memory differ from those after batch {batch}"
        )),
        Some(_) => None,
    })
}

#[cfg(test)]
mod tests;
