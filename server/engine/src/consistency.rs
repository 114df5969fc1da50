//! The running check: what is stored of a loaded link fits together, and fits its memory (GLI-12 F1).
//!
//! # Shape
//! Every interval, of each loaded link: the head's balances, those stored with the batch that it names, those that
//! the last check ended with plus what the batches since added, and those in memory are all the same. Beside this
//! goes the sum from the opening, one step an interval and the first one before the first command, until it has come
//! to where memory stood when the link was loaded: then the whole ledger was summed, and goes on being summed by what
//! is added. A difference, or a missing or unreadable row, faults the link and says what; no row is ever replaced.
//!
//! # What bounds it
//! Two statements a link and interval, sometimes three; a statement sums at most as many batches as the store reads
//! at once. What was added since the last check is summed at once, in as many statements as it takes.

use std::collections::HashMap;
use std::time::Duration;

use meterhouse_domain::name::LinkId;
use meterhouse_store::{BatchEnd, RunningCheck, Store, StoreError};
use tokio::time::{MissedTickBehavior, interval};

use crate::answer::Denied;
use crate::house::{House, unavailable};
use crate::memory::flat_balances;
use crate::present::{Known, Present};

/// How often a loaded link is checked, unless the options say otherwise.
pub(crate) const CHECK_EVERY: Duration = Duration::from_secs(5);

/// How far a link was checked.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checked {
    /// Where memory stood when the link was loaded: from there on what is added is summed at once.
    first: u64,
    /// The last batch that was summed so.
    through: u64,
    /// The last batch of the sum from the opening; past the first one, it has met the other sum.
    from_opening: u64,
}

impl Checked {
    /// Nothing is summed yet of a link whose memory is as of this batch.
    const fn begin(batch: u64) -> Self {
        Self {
            first: batch,
            through: batch,
            from_opening: 0,
        }
    }

    /// After which batch the newest are summed: the last one once more, it may have been changed since.
    fn newest_since(self) -> u64 {
        self.through.saturating_sub(1).max(self.first)
    }

    /// After which batch the sum from the opening goes on; nothing once it has met the other.
    fn oldest_since(self) -> Option<u64> {
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
    /// Everything fits.
    Well(Checked),
    /// Nothing to check: the link is leaving memory, or faulted already.
    Nothing,
    /// What does not.
    Difference(String),
}

/// Checks all loaded links again and again, for good.
pub(crate) async fn run(store: Store, house: House, every: Duration) {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut links: HashMap<LinkId, Checked> = HashMap::new();
    loop {
        ticks.tick().await;
        links = check_all(&store, &house, &links).await;
    }
}

async fn check_all(
    store: &Store,
    house: &House,
    before: &HashMap<LinkId, Checked>,
) -> HashMap<LinkId, Checked> {
    let mut links = HashMap::new();
    for (link, loaded) in house.all_loaded() {
        let known = before.get(&link).copied();
        match check(store, link, &loaded.present, known).await {
            Ok(Found::Well(checked)) => {
                if checked.oldest_since().is_none()
                    && known.is_none_or(|it| it.oldest_since().is_some())
                {
                    let batches = checked.from_opening;
                    tracing::info!(link.id = %link, batches, "the ledger was summed from its opening: it agrees");
                }
                links.insert(link, checked);
            }
            Ok(Found::Nothing) => {}
            Ok(Found::Difference(reason)) => house.fault(link, &loaded, reason),
            // The database is away: where this check had come to, the next one begins.
            Err(_) => links.extend(known.map(|known| (link, known))),
        }
    }
    links
}

/// Checks one link from where the last check ended, or from where its memory is, and takes the next step of the sum
/// from the opening.
///
/// # Errors
/// [`Denied`] if the database can't be asked.
pub(crate) async fn check(
    store: &Store,
    link: LinkId,
    present: &Present,
    before: Option<Checked>,
) -> Result<Found, Denied> {
    let Some(known) = present.known() else {
        return Ok(Found::Nothing);
    };
    if known.state.fault.is_some() || present.damaged().is_some() {
        return Ok(Found::Nothing);
    }
    let mut checked = before.unwrap_or(Checked::begin(known.batch));
    loop {
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
        if read.through >= read.head.batch {
            break;
        }
    }
    if let Some(since) = checked.oldest_since() {
        let read = read(store, link, since).await?;
        if let Err(what) = read.and_then(|read| checked.step(&read)) {
            return Ok(difference(&what));
        }
    }
    Ok(Found::Well(checked))
}

/// What is stored after a batch; inside, what keeps it from being read that is no outage.
async fn read(
    store: &Store,
    link: LinkId,
    since: u64,
) -> Result<Result<RunningCheck, String>, Denied> {
    match store.running_check(link, since).await {
        Ok(Some(read)) => Ok(Ok(read)),
        Ok(None) => Ok(Err("the head of the link is missing".to_owned())),
        Err(error) => unreadable(error).map(Err),
    }
}

fn difference(what: &str) -> Found {
    Found::Difference(format!("the running check found: {what}"))
}

/// A row that nothing of ours writes is a difference; that the database is away is none.
fn unreadable(error: StoreError) -> Result<String, Denied> {
    match error {
        StoreError::Inconsistent { .. } | StoreError::NoSuchLink { .. } => Ok(error.to_string()),
        other => Err(unavailable(other)),
    }
}

/// Whether what is stored fits together.
fn fits(check: &RunningCheck, since: u64) -> Result<(), String> {
    let head = check.head.batch;
    if head < since {
        return Err(format!("the head names batch {head}, behind batch {since}"));
    }
    let Some(last) = &check.last else {
        return Err(format!("batch {head}, which the head names, is missing"));
    };
    if last.after != check.head.balances {
        return Err(format!(
            "the head's balances differ from those after batch {head}"
        ));
    }
    if last.chain_hash != check.head_hash {
        return Err(format!("the head names another hash than batch {head}"));
    }
    let expected = check.through.saturating_sub(since);
    if check.batches != expected {
        let missing = expected.saturating_sub(check.batches);
        let through = check.through;
        return Err(format!(
            "{missing} of the batches after {since} up to {through} are missing"
        ));
    }
    let Some(end) = &check.end else {
        return Err(format!("batch {} is missing", check.through));
    };
    if since > 0 && check.since.is_none() {
        return Err(format!("batch {since} is missing"));
    }
    if sums_to(check.since.as_ref(), &check.moved, &end.after) {
        Ok(())
    } else {
        let through = end.batch;
        Err(format!(
            "the balances after batch {through} are not those after batch {since} and what was added"
        ))
    }
}

/// Whether the balances before and what was added give those after.
fn sums_to(before: Option<&BatchEnd>, moved: &[i64], after: &[i64]) -> bool {
    let at = |balances: &[i64], place: usize| balances.get(place).copied().unwrap_or_default();
    let before = before.map_or(&[][..], |it| &it.after);
    let fits = |place: usize| {
        let sum = i128::from(at(before, place)) + i128::from(at(moved, place));
        sum == i128::from(at(after, place))
    };
    (0..after.len().max(before.len()).max(moved.len())).all(fits)
}

/// What differs between memory and the batch that it is as of.
async fn compare_memory(
    store: &Store,
    link: LinkId,
    check: &RunningCheck,
    known: &Known,
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
