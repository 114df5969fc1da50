//! The replica: a link in memory, as of one batch of the journal.
//!
//! # Shape
//! A replica has the state, the head, the recent outcomes and the rows of hits in open rounds. A load begins with the
//! newest valid snapshot and applies the batches after it, or begins with the first batch. Stored batches bring a
//! replica up to date.
//!
//! # Limits
//! Batches are read in pages of [`PAGE_BATCHES`].
//!
//! # Failures
//! A batch whose hash, numbers or balances don't match: the journal was changed. The link is then not served. A seed
//! never replaces a damaged balance.

use std::collections::BTreeMap;
use std::sync::Arc;

use meterhouse_domain::apply::{apply, opened};
use meterhouse_domain::event::Event;
use meterhouse_domain::ids::{HitId, TableNo};
use meterhouse_domain::money::Money;
use meterhouse_domain::state::LinkState;
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::chain::chain_hash;
use meterhouse_journal::hit::{HitRow, project};
use meterhouse_journal::record::from_row;
use meterhouse_journal::snapshot::Snapshot;
use meterhouse_store::{Head, Journal, NewBatch, StoreError, StoredBatch};

use super::draft::Draft;
use super::published_state::StateAt;

use super::recent::RecentOutcomes;
use crate::answer::{Displayed, Outcome};
use crate::fault_reason::HEAD_MISSING;

/// Batches read in one page while a link is loaded or catches up.
const PAGE_BATCHES: usize = 500;

/// The reason that a link can't be served.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplicaError {
    /// The database did not answer.
    #[error("the journal can't be read")]
    Store(#[source] StoreError),
    /// The stored data is inconsistent.
    #[error("the journal is damaged: {0}")]
    Damaged(String),
}

impl From<StoreError> for ReplicaError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NoSuchLink { .. } => Self::Damaged(HEAD_MISSING.to_owned()),
            StoreError::Inconsistent { .. } => Self::Damaged(error.to_string()),
            // The state after an archived month is stored with its record.
            StoreError::Archived(end) => Self::Damaged(format!(
                "the link's state after {} can't be read, and its events are archived",
                end.month
            )),
            other => Self::Store(other),
        }
    }
}

/// The parts of a replica that a batch replaced. They are freed by the committer, which allocated them: another thread
/// would move each table between the processors' caches.
#[derive(Default)]
pub(crate) struct Retired {
    state: Option<Arc<LinkState>>,
    /// Outcomes that are no longer among the recent ones.
    outcomes: Vec<Outcome>,
}

/// An in-memory copy of a link as of one batch.
pub(crate) struct Replica {
    state: Arc<LinkState>,
    /// The newest batch of the state.
    head: Head,
    /// The recent outcomes of each table.
    recent: RecentOutcomes,
    /// The rows of hits that can still change.
    hits: BTreeMap<HitId, HitRow>,
    /// Events applied since the newest snapshot.
    events_since_snapshot: u64,
    retired: Retired,
}

impl Replica {
    /// Loads a link up to the end of its journal.
    pub(crate) async fn load<J: Journal>(journal: &mut J) -> Result<Self, ReplicaError> {
        let mut replica = match Self::from_snapshot(journal).await? {
            Some(replica) => replica,
            None => Self::from_opening(journal).await?,
        };
        replica.catch_up(journal).await?;
        // Rows projected during the load are incomplete if their hit is older than the snapshot. The stored rows are
        // complete.
        replica.hits.clear();
        let kept: Vec<HitId> = kept_hits(&replica.state).collect();
        if !kept.is_empty() {
            let rows = journal.hit_rows(&kept).await?;
            replica.hits = rows.into_iter().map(|row| (row.id(), row)).collect();
        }
        Ok(replica)
    }

    /// Loads the newest valid snapshot. A damaged snapshot is only a lost cache.
    async fn from_snapshot<J: Journal>(journal: &mut J) -> Result<Option<Self>, ReplicaError> {
        let mut below = None;
        while let Some(stored) = journal.load_snapshot(below).await? {
            match Snapshot::decode(&stored.state).and_then(Snapshot::whole) {
                Ok(snapshot) => {
                    let head = Head {
                        batch: snapshot.batch,
                        epoch: snapshot.epoch,
                        chain_hash: snapshot.chain_hash,
                        period: snapshot.period,
                    };
                    return Ok(Some(Self::new(snapshot.state, head)));
                }
                Err(error) => {
                    tracing::warn!(%error, batch = stored.batch, "a snapshot can't be read, it is passed over");
                    below = Some(stored.batch);
                }
            }
        }
        Ok(None)
    }

    /// Loads the state right after the first batch.
    async fn from_opening<J: Journal>(journal: &mut J) -> Result<Self, ReplicaError> {
        let genesis = Head {
            batch: 0,
            epoch: 0,
            chain_hash: ChainHash::GENESIS,
            period: i32::MIN,
        };
        let first = journal
            .read_after(&genesis, 1)
            .await?
            .batches
            .into_iter()
            .next();
        let first = first.ok_or_else(|| ReplicaError::Damaged("it has no batch".into()))?;
        let damaged = |what: &str| ReplicaError::Damaged(format!("batch 1: {what}"));
        let row = first
            .batch
            .events
            .first()
            .ok_or_else(|| damaged("no event"))?;
        let recorded = from_row(row).map_err(|error| damaged(&error.to_string()))?;
        let Event::LinkOpened { terms, moves } = &recorded.event else {
            return Err(damaged("the link was not opened first"));
        };
        let state = opened(terms, moves).ok_or_else(|| damaged("the shares are not exact"))?;
        let mut replica = Self::new(state, genesis);
        replica.check(&first)?;
        replica.head = head_after(&first);
        replica.check_balances(&first)?;
        Ok(replica)
    }

    fn new(state: LinkState, head: Head) -> Self {
        Self {
            state: Arc::new(state),
            head,
            recent: RecentOutcomes::default(),
            hits: BTreeMap::new(),
            events_since_snapshot: 0,
            retired: Retired::default(),
        }
    }

    /// Applies the batches of other nodes, up to the end of the journal.
    pub(crate) async fn catch_up<J: Journal>(
        &mut self,
        journal: &mut J,
    ) -> Result<(), ReplicaError> {
        loop {
            let missed = journal.read_after(&self.head, PAGE_BATCHES).await?;
            for batch in &missed.batches {
                self.follow(batch)?;
            }
            if !missed.more {
                break;
            }
        }
        let head = journal.read_head().await?;
        if head.batch < self.head.batch {
            let (named, last) = (head.batch, self.head.batch);
            let what = format!("the head names batch {named}, behind batch {last}");
            return Err(ReplicaError::Damaged(what));
        }
        self.adopt(&head)
    }

    /// Adopts the fencing epoch of a head that is at the replica's batch. A later head changes nothing.
    pub(crate) fn adopt(&mut self, head: &Head) -> Result<(), ReplicaError> {
        if head.batch != self.head.batch {
            return Ok(());
        }
        if head.chain_hash != self.head.chain_hash {
            let what = format!("the head names another hash than batch {}", head.batch);
            return Err(ReplicaError::Damaged(what));
        }
        self.head = *head;
        Ok(())
    }

    /// Applies one stored batch.
    pub(crate) fn follow(&mut self, stored: &StoredBatch) -> Result<(), ReplicaError> {
        self.check(stored)?;
        let batch = &stored.batch;
        let mut changed_hits = false;
        let mut forgotten = Vec::new();
        let mut state = LinkState::clone(&self.state);
        for (position, row) in batch.events.iter().enumerate() {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            let damaged = |what: String| {
                ReplicaError::Damaged(format!(
                    "batch {}, position {position}: {what}",
                    batch.number
                ))
            };
            let recorded = from_row(row).map_err(|error| damaged(error.to_string()))?;
            let known = &self.hits;
            let rows = project(batch.at, &recorded, &mut |hit| known.get(&hit).cloned());
            match rows {
                Ok(rows) => {
                    changed_hits |= !rows.is_empty();
                    self.hits
                        .extend(rows.into_iter().map(|row| (row.id(), row)));
                }
                // Only during the load from a snapshot, which has no rows. The rows are read at the end of the load.
                Err(error) => tracing::debug!(%error, "a hit's row is not in memory yet"),
            }
            apply(&mut state, &recorded, batch.at);
            let outcome = Outcome {
                recorded: Arc::new(recorded),
                displayed: Displayed::of(&state),
                batch: batch.number,
                position,
                at: batch.at,
            };
            self.recent.push(outcome, &mut forgotten);
        }
        self.state = Arc::new(state);
        self.events_since_snapshot += u64::try_from(batch.events.len()).unwrap_or(u64::MAX);
        self.head = head_after(stored);
        self.check_balances(stored)?;
        if changed_hits {
            self.forget_closed_hits();
        }
        Ok(())
    }

    /// Checks that a stored batch is the next one and that its hash matches its content.
    fn check(&self, stored: &StoredBatch) -> Result<(), ReplicaError> {
        let number = stored.batch.number;
        if number != self.head.batch + 1 {
            let expected = self.head.batch + 1;
            return Err(ReplicaError::Damaged(format!(
                "batch {expected} is missing"
            )));
        }
        if chain_hash(self.head.chain_hash, &stored.batch) != stored.chain_hash {
            return Err(ReplicaError::Damaged(format!(
                "batch {number} has another hash than stored"
            )));
        }
        Ok(())
    }

    fn check_balances(&self, stored: &StoredBatch) -> Result<(), ReplicaError> {
        if flat_balances(&self.state) == stored.batch.after {
            return Ok(());
        }
        let number = stored.batch.number;
        Err(ReplicaError::Damaged(format!(
            "batch {number}: the balances differ from its events"
        )))
    }

    /// Drops the rows of hits that can't change any more. Called only if a hit changed: most batches have none.
    fn forget_closed_hits(&mut self) {
        let state = &self.state;
        self.hits.retain(|hit, _| state.hit(*hit).is_some());
    }

    /// Merges a durable draft into the replica, and returns its outcomes.
    pub(crate) fn merge(&mut self, draft: Draft, new: &NewBatch) -> Vec<Outcome> {
        self.retired.state = Some(std::mem::replace(&mut self.state, Arc::new(draft.state)));
        self.head.batch = new.batch.number;
        self.head.chain_hash = new.chain_hash;
        self.head.period = new.batch.period;
        self.events_since_snapshot += u64::try_from(draft.outcomes.len()).unwrap_or(u64::MAX);
        if !draft.hits.is_empty() {
            self.hits.extend(draft.hits);
            self.forget_closed_hits();
        }
        for outcome in draft.outcomes.iter().cloned() {
            self.recent.push(outcome, &mut self.retired.outcomes);
        }
        draft.outcomes
    }

    /// Returns a snapshot, and counts events from it on.
    pub(crate) fn take_snapshot(&mut self) -> Snapshot {
        self.events_since_snapshot = 0;
        Snapshot {
            format: meterhouse_journal::snapshot::SNAPSHOT_FORMAT,
            batch: self.head.batch,
            chain_hash: self.head.chain_hash,
            epoch: self.head.epoch,
            period: self.head.period,
            state: LinkState::clone(&self.state),
        }
    }

    pub(crate) fn state(&self) -> &LinkState {
        &self.state
    }

    /// Returns the state and its batch.
    pub(crate) fn state_at(&self) -> StateAt {
        StateAt {
            batch: self.head.batch,
            state: Arc::clone(&self.state),
        }
    }

    pub(crate) const fn head(&self) -> &Head {
        &self.head
    }

    pub(crate) const fn recent(&self) -> &RecentOutcomes {
        &self.recent
    }

    pub(crate) const fn hits(&self) -> &BTreeMap<HitId, HitRow> {
        &self.hits
    }

    pub(crate) const fn events_since_snapshot(&self) -> u64 {
        self.events_since_snapshot
    }

    /// Returns `true` if a proposal is open. Such a link stays loaded, because proposals expire.
    pub(crate) fn has_proposals(&self) -> bool {
        !self.state.proposals.is_empty()
    }

    /// Returns the parts replaced by batches since the last call.
    pub(crate) fn take_retired(&mut self) -> Retired {
        std::mem::take(&mut self.retired)
    }
}

/// Returns the hits of open rounds, and the kept hits of closed ones.
fn kept_hits(state: &LinkState) -> impl Iterator<Item = HitId> {
    let tables = (1_u32..).zip(state.tables.iter());
    let open = tables.flat_map(|(number, table)| {
        let hits = table.round.iter().flat_map(|round| round.hits.iter());
        hits.map(move |hit| hit.id(TableNo(number)))
    });
    open.chain(state.closed.iter().map(|hit| hit.id))
}

/// Returns the head that a stored batch left, with the epoch under which the batch was committed.
const fn head_after(stored: &StoredBatch) -> Head {
    Head {
        batch: stored.batch.number,
        epoch: stored.batch.epoch,
        chain_hash: stored.chain_hash,
        period: stored.batch.period,
    }
}

/// Returns all balances in the journal's order: book by book, account by account.
pub(crate) fn flat_balances(state: &LinkState) -> Vec<i64> {
    state
        .balances
        .iter()
        .flat_map(|book| book.0.map(Money::micros))
        .collect()
}
