//! Archived months: the copy of a month, the states that stand for its events, and the proof of a file.
//!
//! # Shape
//! [`copy_month`] reads the batches of every link, checks their chain, applies their events to the state before the
//! month, and compares the balances. The state after the last batch is what a link is loaded from once the events are
//! gone. [`prove`] reads a file and compares each batch with the hash in the database. [`why_not`] says why a month may
//! not be archived.
//!
//! # Limits
//! One batch and one state in memory at a time, besides the states of the finished links.

mod error;
mod facts;
mod links;
mod proof;

use std::io;

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::file_parts::LinkPart;
use meterhouse_journal::month_reader::MonthItem;
use meterhouse_journal::snapshot::{SNAPSHOT_FORMAT, Snapshot};
use meterhouse_store::verify::pieces::Piece;
use meterhouse_store::{
    ArchivedState, KnownMonth, LinkRow, Month, MonthPlace, RecordedState, Store, StoreError,
    StoredBatch,
};

use crate::checked_state::CheckedState;

pub use self::error::ArchiveError;
pub(crate) use self::facts::ArchivedFacts;
use self::links::links;
pub use self::proof::prove;

/// Copies a month: calls `visit` for each link and each of its batches, in their order. Returns the state of each link
/// after the month.
///
/// # Errors
/// [`ArchiveError`]; of `visit` as well.
pub async fn copy_month(
    store: &Store,
    month: Month,
    visit: &mut (dyn FnMut(MonthItem) -> io::Result<()> + Send),
) -> Result<Vec<RecordedState>, ArchiveError> {
    let mut states = Vec::new();
    for row in links(store).await? {
        let copy = LinkCopy::begin(store, &row, month).await?;
        // A link without batches in the month.
        let Some(mut copy) = copy else { continue };
        let begin = LinkPart {
            link: row.link,
            name: row.name.clone(),
            before: copy.at.batch,
            hash_before: copy.at.chain_hash,
        };
        visit(MonthItem::Link(begin, 0))?;
        let mut view = store.view_link(row.link).await?;
        let read = view.for_each_of_month(month, copy.at.batch, |piece| match piece {
            Piece::Batch(stored) => {
                copy.apply(&stored)?;
                let item = MonthItem::Batch(stored.batch, stored.chain_hash);
                visit(item).map_err(ArchiveError::from)
            }
            Piece::Broken { position, what } => Err(copy.differs(position.batch, &what)),
            Piece::Unread { batch, what } => Err(copy.differs(batch, &what)),
        });
        read.await?;
        view.close().await?;
        states.push(copy.state(month)?);
    }
    Ok(states)
}

/// A link whose month is being copied.
struct LinkCopy {
    link: LinkId,
    name: String,
    facts: ArchivedFacts,
    at: CheckedState,
}

impl LinkCopy {
    /// Returns the link as it was before the month. Returns nothing for a link without batches in the month.
    async fn begin(
        store: &Store,
        row: &LinkRow,
        month: Month,
    ) -> Result<Option<Self>, ArchiveError> {
        let mut copy = Self {
            link: row.link,
            name: row.name.clone(),
            facts: ArchivedFacts::default(),
            at: CheckedState::before_opening(),
        };
        if let Some(before) = store.state_before(row.link, month).await? {
            let snapshot = Snapshot::decode(&before.state).and_then(Snapshot::whole);
            let snapshot = snapshot.map_err(|error| {
                let what = format!("its state after {} can't be read: {error}", before.month);
                copy.differs(before.batch, &what)
            })?;
            if (snapshot.batch, snapshot.chain_hash) != (before.batch, before.chain_hash) {
                let what = format!("its state after {} is of another batch", before.month);
                return Err(copy.differs(before.batch, &what));
            }
            copy.at = CheckedState::of_snapshot(snapshot);
            copy.facts.kinds.extend(before.kinds);
            copy.facts.paytables = before.paytables;
        }
        let first = store.month_hashes(row.link, month, copy.at.batch).await?;
        Ok((!first.is_empty()).then_some(copy))
    }

    /// Checks the next batch and applies its events.
    fn apply(&mut self, stored: &StoredBatch) -> Result<(), ArchiveError> {
        let Self { facts, at, .. } = self;
        let applied = at.apply(stored, |row, recorded| facts.add(row.kind, &recorded.event));
        applied.map_err(|(batch, what)| self.differs(batch, &what))
    }

    /// Returns the state after the month.
    fn state(self, month: Month) -> Result<RecordedState, ArchiveError> {
        let Self {
            link, facts, at, ..
        } = self;
        let Some(snapshot) = at.snapshot() else {
            return Err(ArchiveError::Differs(format!("link {link} has no state")));
        };
        let state = ArchivedState {
            month,
            batch: snapshot.batch,
            chain_hash: snapshot.chain_hash,
            kinds: facts.kinds.into_iter().collect(),
            paytables: facts.paytables,
            state: snapshot.encode(),
        };
        Ok((link, SNAPSHOT_FORMAT, state))
    }

    fn differs(&self, batch: u64, what: &str) -> ArchiveError {
        ArchiveError::Differs(format!("link {}, batch {batch}: {what}", self.name))
    }
}

/// Returns why a month may not be archived, if it may not.
///
/// # Errors
/// If the database can't be queried.
pub async fn why_not(
    store: &Store,
    month: Month,
    known: &[KnownMonth],
) -> Result<Option<String>, StoreError> {
    let open = store.open_month().await?;
    if month >= open {
        return Ok(Some(format!(
            "events may still be written into {month}: archive it once it is over for a day on the database's clock"
        )));
    }
    let found = known.iter().find(|one| one.month == month);
    if !found.is_some_and(|found| found.has_events) {
        return Ok(Some(format!(
            "{month} has no events that can be read: see `meterhouse archive list`"
        )));
    }
    let is_left_out =
        |one: &&KnownMonth| one.month < month && one.record.is_none() && one.has_events;
    if let Some(earlier) = known.iter().find(is_left_out) {
        let earlier = earlier.month;
        return Ok(Some(format!(
            "{earlier} has events and is not archived: months are archived in their order"
        )));
    }
    for row in links(store).await? {
        let before = store.state_before(row.link, month).await?;
        let before = before.map_or(0, |state| state.batch);
        let mut through = before;
        loop {
            let page = store.month_hashes(row.link, month, through).await?;
            let Some(last) = page.last() else { break };
            through = last.batch;
        }
        if let Some(hit) = store.open_hit(row.link, before, through).await? {
            return Ok(Some(format!(
                "hit {hit} of {month} is still open: decide it and pay it first, its evidence is in that month"
            )));
        }
    }
    Ok(None)
}

/// Returns why a recorded month may not be detached, if it may not.
pub fn why_not_detach(month: Month, known: &[KnownMonth]) -> Option<String> {
    let found = known.iter().find(|one| one.month == month);
    if found.and_then(|found| found.record).is_none() {
        return Some(format!(
            "{month} is not archived: write its file first, with `meterhouse archive write`"
        ));
    }
    let is_live = |one: &&KnownMonth| {
        one.month < month && one.record.is_some() && one.place == MonthPlace::Live
    };
    let earlier = known.iter().find(is_live)?.month;
    Some(format!(
        "{earlier} is not detached yet: months are detached in their order"
    ))
}
