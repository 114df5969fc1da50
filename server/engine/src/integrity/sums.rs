//! The sums of batches: read, and compared with the balances before and after.

use meterhouse_domain::ids::LinkId;
use meterhouse_store::{BatchEnd, RunningCheck, Store, StoreError};

use crate::answer::{NotExecuted, unavailable};

/// Returns the stored end of a batch. The inner error is an unreadable row.
pub(crate) async fn read(
    store: &Store,
    link: LinkId,
    since: u64,
) -> Result<Result<RunningCheck, String>, NotExecuted> {
    match store.running_check(link, since).await {
        Ok(Some(read)) => Ok(Ok(read)),
        Ok(None) => Ok(Err("the head of the link is missing".to_owned())),
        Err(error) => unreadable(error).map(Err),
    }
}

/// Returns an unreadable row as a difference, and an outage of the database as a denial.
pub(crate) fn unreadable(error: StoreError) -> Result<String, NotExecuted> {
    match error {
        StoreError::Inconsistent { .. } | StoreError::NoSuchLink { .. } => Ok(error.to_string()),
        other => Err(unavailable(other)),
    }
}

/// Checks that the stored rows are consistent.
pub(crate) fn fits(check: &RunningCheck, since: u64) -> Result<(), String> {
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

/// Returns `true` if the balances before plus the moves are the balances after.
fn sums_to(before: Option<&BatchEnd>, moved: &[i64], after: &[i64]) -> bool {
    let at = |balances: &[i64], index: usize| balances.get(index).copied().unwrap_or_default();
    let before = before.map_or(&[][..], |end| &end.after);
    let fits = |index: usize| {
        let sum = i128::from(at(before, index)) + i128::from(at(moved, index));
        sum == i128::from(at(after, index))
    };
    (0..after.len().max(before.len()).max(moved.len())).all(fits)
}
