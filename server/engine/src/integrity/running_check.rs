//! The running check: what is stored of a loaded link fits together, and fits its memory (CONFORMANCE 45).
//!
//! # Shape
//! Every interval, of each loaded link: the head's balances, those stored with the batch that it names, those that
//! the last check ended with plus what the batches since added, and those in memory are all the same. Beside this
//! goes the sum from the opening, one step an interval, until it has come to where memory stood when the link was
//! loaded: then the whole ledger was summed, and goes on being summed by what is added. A difference, or a missing or
//! unreadable row, faults the link and says what; no row is ever replaced.
//!
//! [`pass`] is the check of a link that was just loaded, which coin-in waits for: the chain of its checkpoints, and the
//! batches since the newest one. A link without a checkpoint is summed whole; a long one plays while the running check
//! sums it, and then gets its first checkpoint.
//!
//! # Limits
//! Two statements a link and interval, sometimes three; a statement sums at most as many batches as the store reads
//! at once. What was added since the last check is summed at once, in as many statements as it takes.

use meterhouse_domain::ids::LinkId;
use meterhouse_store::{BatchEnd, RunningCheck, Store};

use crate::answer::{Denied, unavailable};
use crate::committer::published_state::{PublishedState, StateAt};
use crate::committer::replica::flat_balances;
use crate::integrity::checkpoints::{self, CheckpointOptions};
use crate::integrity::sums::{fits, read, unreadable};

/// How far a link was checked.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checked {
    /// Where memory stood when the link was loaded: from there on what is added is summed at once.
    first: u64,
    /// The last batch that was summed so.
    through: u64,
    /// The last batch of the sum from the opening; past the first one, it has met the other sum.
    pub(crate) from_opening: u64,
    /// The batch of the newest checkpoint known; 0 without one.
    checkpoint: u64,
}

impl Checked {
    /// Nothing is summed yet of a link whose memory is as of this batch.
    pub(crate) const fn begin(batch: u64) -> Self {
        Self {
            first: batch,
            through: batch,
            from_opening: 0,
            checkpoint: 0,
        }
    }

    /// Checks that a checkpoint is due and that what it would say is known: the whole ledger was summed, or an older
    /// checkpoint was compared.
    const fn checkpoint_due(&self, every: u64) -> bool {
        let is_known = self.checkpoint > 0 || self.from_opening >= self.first;
        is_known && self.through >= self.checkpoint.saturating_add(every)
    }

    /// After which batch the newest are summed: the last one once more, it may have been changed since.
    fn newest_since(self) -> u64 {
        self.through.saturating_sub(1).max(self.first)
    }

    /// After which batch the sum from the opening goes on; nothing once it has met the other.
    pub(crate) fn oldest_since(self) -> Option<u64> {
        (self.from_opening < self.first).then_some(self.from_opening)
    }

    /// Takes a step of the sum from the opening.
    fn step(&mut self, read: &RunningCheck) -> Result<(), String> {
        fits(read, self.from_opening)?;
        self.from_opening = read.through;
        Ok(())
    }
}

/// What a check found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Everything fits, up to this batch.
    Well(Checked, BatchEnd),
    /// Nothing to check: the link is leaving memory, or faulted already.
    Nothing,
    /// What does not.
    Difference(String),
}

/// Checks a link that was just loaded: the chain of its checkpoints, what the batches since the newest one added, and
/// its memory.
///
/// # Errors
/// [`Denied`] if the database can't be asked.
pub(crate) async fn pass(
    store: &Store,
    link: LinkId,
    present: &PublishedState,
    options: CheckpointOptions,
) -> Result<Found, Denied> {
    let Some(known) = present.known() else {
        return Ok(Found::Nothing);
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
        if since < known.batch && present.known().is_some() {
            continue;
        }
        if let Some(what) = compare_memory(store, link, &read, &known).await? {
            return Ok(difference(&what));
        }
        let Some(end) = read.end else {
            return Ok(Found::Nothing);
        };
        let checked = Checked {
            first: since,
            through: since,
            from_opening: if is_long || checkpoint > 0 { 0 } else { since },
            checkpoint,
        };
        return Ok(Found::Well(checked, end));
    }
}

/// Checks one link from where the last check ended, or from where its memory is, and takes the next step of the sum
/// from the opening.
///
/// # Errors
/// [`Denied`] if the database can't be asked.
pub(crate) async fn check(
    store: &Store,
    link: LinkId,
    present: &PublishedState,
    before: Option<Checked>,
    options: CheckpointOptions,
) -> Result<Found, Denied> {
    let Some(known) = present.known() else {
        return Ok(Found::Nothing);
    };
    if known.state.fault.is_some() || present.damaged().is_some() {
        return Ok(Found::Nothing);
    }
    let mut checked = before.unwrap_or(Checked::begin(known.batch));
    let end = loop {
        let since = checked.newest_since();
        let read = match read(store, link, since).await? {
            Ok(read) => read,
            Err(what) => return Ok(difference(&what)),
        };
        if let Err(what) = fits(&read, since) {
            return Ok(difference(&what));
        }
        if let Some(what) = compare_memory(store, link, &read, &known).await? {
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
    Ok(Found::Well(checked, end))
}

/// Adds a checkpoint where no other node has; returns the newest one's batch, or what is wrong with their chain.
async fn add_checkpoint(
    store: &Store,
    link: LinkId,
    end: &BatchEnd,
    options: CheckpointOptions,
) -> Result<Result<u64, String>, Denied> {
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

fn difference(what: &str) -> Found {
    Found::Difference(format!("the running check found: {what}"))
}

/// What differs between memory and the batch that it is as of.
async fn compare_memory(
    store: &Store,
    link: LinkId,
    check: &RunningCheck,
    known: &StateAt,
) -> Result<Option<String>, Denied> {
    let batch = known.batch;
    if check.head.batch < batch {
        let head = check.head.batch;
        return Ok(Some(format!(
            "the head names batch {head}, behind batch {batch}"
        )));
    }
    let ends = [&check.last, &check.since, &check.end];
    let read = ends.into_iter().flatten().find(|it| it.batch == batch);
    let after = match read {
        Some(end) => Some(end.after.clone()),
        None => match store.balances_after(link, batch).await {
            Ok(found) => found.map(|it| it.after),
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
