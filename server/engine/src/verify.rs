//! Verification: replays the whole journal of a link and compares it with all other stored rows.
//!
//! # Shape
//! Batches and events are read once, as of one snapshot of the database. Each batch is checked by its number, its hash
//! over the previous one's, and its declared sums. Each event is decided again from its command if the rule version is
//! the same, then applied and projected onto hit rows. At the end, head, terms, tables, marks, hits, snapshots and
//! checkpoints are compared. The events of archived months come from their files, and each batch's row has to agree.
//!
//! # Limits
//! At most [`FINDINGS_MAX`] differences are named. Further ones, and those that may follow from a break, are counted.

mod access_rows;
mod applied;
mod checkpoints;
mod closings;
mod compare;
pub mod file;
mod house_chain;
mod link_report;
mod replay;
pub mod signed;
mod slips;

use std::collections::BTreeMap;

use meterhouse_domain::ids::{LinkId, LinkName};
use meterhouse_journal::signing_keys::SigningKeys;
use meterhouse_store::verify::pieces::{ArchivedBatches, NoArchive};
use meterhouse_store::{Journal as _, Store, StoreError, TreeChain};

use crate::archive::ArchivedFacts;

pub use self::applied::{Applied, unnamed_links};
pub use self::closings::verify_closings;
pub use self::house_chain::{HouseReport, verify_house};
pub use self::link_report::LinkReport;
use self::replay::{ExpectedRows, Replay};
use self::signed::ChainCheck;

/// Verifies one link, or all, without files of archived months.
///
/// # Errors
/// [`StoreError`] if the database can't be queried. Differences are no error: the reports contain them.
pub async fn verify(
    store: &Store,
    link: Option<&LinkName>,
    decide_again: bool,
) -> Result<Vec<LinkReport>, StoreError> {
    verify_with(store, link, decide_again, &mut NoArchive).await
}

/// Verifies one link, or all. `decide_again` also runs the rules. Events of archived months come from their files. A
/// link with a month that has no file is not verified, and its report names the month.
///
/// # Errors
/// [`StoreError`] if the database can't be queried. Differences are no error: the reports contain them.
pub async fn verify_with(
    store: &Store,
    link: Option<&LinkName>,
    decide_again: bool,
    archive: &mut dyn ArchivedBatches,
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
                let name = (row.link, row.name.as_str());
                reports.push(verify_link(store, name, decide_again, archive).await?);
            }
        }
    }
}

async fn verify_link(
    store: &Store,
    (link, name): (LinkId, &str),
    decide_again: bool,
    archive: &mut dyn ArchivedBatches,
) -> Result<LinkReport, StoreError> {
    // Snapshots are read first. A later one could be of a batch beyond the view.
    let snapshots = snapshots(store, link).await?;
    let checkpoints = checkpoints::read(store, link).await?;
    let facts = store.archived_facts(link).await?;
    let (keys, signed) = signed(store, link).await?;
    let mut view = store.view_link(link).await?;
    #[expect(
        clippy::expect_used,
        reason = "the database accepts no other names of links"
    )]
    let name = name.parse().expect("a stored link has a name");
    let mut replay = Replay::new(name, decide_again);
    replay.rows = Some(ExpectedRows::default());
    replay.signed = signed;
    replay.snapshots = snapshots;
    replay.checkpoints = checkpoints;
    let facts = facts.into_iter().map(|(batch, kinds, paytables)| {
        let kinds = kinds.into_iter().collect();
        (batch, ArchivedFacts { kinds, paytables })
    });
    replay.archived_facts = facts.collect();
    let months = view.archived_months().await?;
    let (archived, unread) = months.into_iter().partition(|month| archive.has(*month));
    replay.report.archived = archived;
    replay.report.unread = unread;
    if replay.report.unread.is_empty() {
        let replayed = view.for_each_batch(archive, |piece| {
            replay.piece(piece);
            Ok::<(), StoreError>(())
        });
        replayed.await?;
        if !replay.is_cut {
            replay.compare(&mut view).await?;
            replay.compare_signed(&keys);
            replay.report.end = replay.state.take().map(|state| (link, state));
        }
    }
    view.close().await?;
    Ok(replay.report)
}

/// Returns the house's signing keys, and the stored heads of a link. Read first: heads are never taken back, and a later one
/// could be of a batch beyond the view.
async fn signed(
    store: &Store,
    link: LinkId,
) -> Result<(SigningKeys, Option<(TreeChain, ChainCheck)>), StoreError> {
    let mut keys = SigningKeys::default();
    let Some(chain) = store.tree_chain(link).await? else {
        return Ok((keys, None));
    };
    for entry in store.key_entries().await? {
        // An entry that can't be read is a finding of the house's chain.
        drop(keys.add(&chain.identity, &entry));
    }
    let check = ChainCheck::read(store, &chain).await?;
    Ok((keys, Some((chain, check))))
}

/// Returns the stored snapshots by batch. An unreadable snapshot becomes a finding later.
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
