//! Events that a verification applied without deciding them again, and journals without a link's row.

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::batch::Batch;
use meterhouse_store::{Store, StoreError};

/// Events of neighbouring batches that were applied and not decided again.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The version of the rules that decided the events.
    pub rule_version: u16,
    /// The first batch.
    pub first_batch: u64,
    /// The last batch.
    pub last_batch: u64,
    /// The number of events.
    pub events: u64,
}

/// Counts one event of a batch.
pub(super) fn count(counted: &mut Vec<Applied>, batch: &Batch) {
    let last = counted.last_mut();
    match last.filter(|last| last.rule_version == batch.rule_version) {
        Some(last) => {
            last.last_batch = batch.number;
            last.events += 1;
        }
        None => counted.push(Applied {
            rule_version: batch.rule_version,
            first_batch: batch.number,
            last_batch: batch.number,
            events: 1,
        }),
    }
}

/// Returns the numbers of links that have a journal or a head, but no row with a name.
///
/// # Errors
/// [`StoreError`] if the database can't be queried.
pub async fn unnamed_links(store: &Store) -> Result<Vec<LinkId>, StoreError> {
    store.unnamed_links().await
}
