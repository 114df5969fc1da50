//! Verification: the whole journal of a link replayed and compared with everything that is stored beside it.
//!
//! # Shape
//! One pass over batches and events as of one moment. Each batch: its number, its hash over the predecessor's, the
//! sums it declares. Each event: decided again from the command it holds (where the same rules decided it), applied,
//! its hit rows made. At the end: head, terms, tables, marks, hits, snapshots and checkpoints.
//!
//! # Limits
//! At most [`FINDINGS_MAX`] differences are named; the rest, and what follows from a break, are counted.

mod applied;
mod checkpoints;
mod compare;
mod house_chain;
mod link_report;
mod replay;

use std::collections::BTreeMap;

use meterhouse_domain::ids::{LinkId, LinkName};
use meterhouse_store::{Journal as _, Store, StoreError};

pub use self::applied::{Applied, unnamed_links};
pub use self::house_chain::{HouseReport, verify_house};
pub use self::link_report::LinkReport;
use self::replay::Replay;

/// Verifies one link, or all; `decide_again` also runs the rules.
///
/// # Errors
/// [`StoreError`] if the database can't be asked. What differs is no error: it is in the reports.
pub async fn verify(
    store: &Store,
    link: Option<&LinkName>,
    decide_again: bool,
) -> Result<Vec<LinkReport>, StoreError> {
    let mut reports = Vec::new();
    let mut after = LinkId(0);
    loop {
        let page = store.list_links(after, meterhouse_store::LIST_MAX).await?;
        let Some(last) = page.last() else {
            return Ok(reports);
        };
        after = last.link;
        for row in &page {
            if link.is_none_or(|name| name.as_str() == row.name) {
                reports.push(verify_link(store, row.link, &row.name, decide_again).await?);
            }
        }
    }
}

async fn verify_link(
    store: &Store,
    link: LinkId,
    name: &str,
    decide_again: bool,
) -> Result<LinkReport, StoreError> {
    // First: one that is written meanwhile would be of a batch that the view hasn't.
    let snapshots = snapshots(store, link).await?;
    let checkpoints = checkpoints::read(store, link).await?;
    let mut view = store.view_link(link).await?;
    let mut replay = Replay::new(name, decide_again);
    replay.snapshots = snapshots;
    replay.checkpoints = checkpoints;
    let replayed = view.for_each_batch(|piece| {
        replay.piece(piece);
        Ok::<(), StoreError>(())
    });
    replayed.await?;
    replay.compare(&mut view).await?;
    view.close().await?;
    Ok(replay.report)
}

/// The stored snapshots by batch; one that can't be read is a finding later.
async fn snapshots(store: &Store, link: LinkId) -> Result<BTreeMap<u64, Vec<u8>>, StoreError> {
    let mut journal = store.journal(link);
    let mut snapshots = BTreeMap::new();
    let mut below = None;
    while let Some(stored) = journal.load_snapshot(below).await? {
        below = Some(stored.batch);
        snapshots.insert(stored.batch, stored.state);
    }
    Ok(snapshots)
}
