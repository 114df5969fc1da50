//! A journal over a [`MemoryDatabase`] that simulates every fault of a lost database, and no other fault.
//!
//! # Shape
//! A commit waits, and its batch may grow meanwhile. It may be executed, dropped or executed later. Its sender may get the result or an unknown outcome. A query may
//! fail, also after its effect. The session that holds the head may be closed while it is idle. Every step yields, so
//! that a node may be killed there. A sent statement of a killed node runs later or never.
//!
//! # Order and locking
//! As in Postgres, a writer locks the head's row, and `lock_and_read_after` holds the lock until the next commit. Reading
//! locks nothing.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use meterhouse_domain::ids::HitId;
use meterhouse_journal::hit::HitRow;
use meterhouse_store::{
    Commit, FoundCommand, Head, Journal, Missed, NewBatch, OpenBatch, RolledBack, StoreError,
    StoredSnapshot,
};
use rand::RngExt as _;
use rand::rngs::StdRng;
use tokio::sync::OwnedMutexGuard;
use tokio::task::yield_now;

use crate::memory_database::MemoryDatabase;

/// Percentage of commits with a fault.
const COMMIT_FAULT_PERCENT: u32 = 30;
/// Percentage of queries with a fault.
const QUERY_FAULT_PERCENT: u32 = 8;
/// Number of kinds of faults, and one for batches that grew.
pub(crate) const FAULTS: usize = 9;
/// Maximum number of yields before a commit is sent.
const WAITS_MAX: u32 = 4;
/// Maximum number of stored snapshots.
const SNAPSHOTS: usize = 2;

/// The faults of the network and the server between nodes and database.
pub(crate) struct FaultInjector {
    rng: Mutex<StdRng>,
    is_active: AtomicBool,
    /// Number of occurrences of each fault: executed with an unknown outcome, dropped, late, moved, rolled back, read-only,
    /// session closed, query failed; and of batches that grew while they waited.
    pub(crate) counts: [AtomicU64; FAULTS],
}

impl FaultInjector {
    pub(crate) fn new(rng: StdRng) -> Arc<Self> {
        let is_active = AtomicBool::new(false);
        Arc::new(Self {
            rng: Mutex::new(rng),
            is_active,
            counts: Default::default(),
        })
    }

    /// Starts or stops the faults.
    pub(crate) fn set_active(&self, is_active: bool) {
        self.is_active.store(is_active, Ordering::Relaxed);
    }

    fn occurs(&self, percent: u32) -> bool {
        self.is_active.load(Ordering::Relaxed) && self.number(100) < percent
    }

    fn number(&self, below: u32) -> u32 {
        self.rng
            .lock()
            .expect("not poisoned")
            .random_range(0..below)
    }

    fn count(&self, fault: usize) {
        self.counts[fault].fetch_add(1, Ordering::Relaxed);
    }

    /// Fails a query at random.
    fn query(&self) -> Result<(), StoreError> {
        if self.occurs(QUERY_FAULT_PERCENT) {
            self.count(7);
            return Err(lost());
        }
        Ok(())
    }
}

fn lost() -> StoreError {
    StoreError::TooSlow {
        what: "a simulated statement",
        limit: Duration::ZERO,
    }
}

/// The session that holds the head.
enum Session {
    Closed,
    Holds(OwnedMutexGuard<()>),
    /// The server closed the session while it was idle.
    Ended,
}

/// The journal handle of one node.
pub(crate) struct FaultyJournal {
    database: MemoryDatabase,
    faults: Arc<FaultInjector>,
    session: Session,
}

impl FaultyJournal {
    pub(crate) fn new(database: MemoryDatabase, faults: Arc<FaultInjector>) -> Self {
        Self {
            database,
            faults,
            session: Session::Closed,
        }
    }

    /// Runs some of the sent statements.
    async fn run_some(&self) {
        yield_now().await;
        let in_flight: Vec<u64> = self.database.state().in_flight.keys().copied().collect();
        for number in in_flight {
            if self.faults.number(4) == 0
                && let Ok(_row) = self.database.head_lock.try_lock()
            {
                self.database.state().run(number);
            }
        }
    }

    /// Runs a sent statement after the head is free. Returns `None` if the statement had already run.
    async fn run(&self, number: u64, holds: bool) -> Option<bool> {
        let _row = if holds {
            None
        } else {
            Some(self.database.head_lock.lock().await)
        };
        let mut state = self.database.state();
        let was_in_flight = state.in_flight.contains_key(&number);
        let moved = state.run(number);
        was_in_flight.then_some(moved)
    }

    fn refused() -> Commit {
        Commit::RolledBack(RolledBack {
            constraint: None,
            source: lost(),
        })
    }

    /// Commits with a fault.
    async fn commit_with_fault(&self, new: &NewBatch, held: Option<OwnedMutexGuard<()>>) -> Commit {
        let fault = self.faults.number(6);
        self.faults.count(usize::try_from(fault).expect("few"));
        match fault {
            0 => {
                let sent = self.database.state().send(new);
                self.run(sent, held.is_some()).await;
                Commit::Unknown(lost())
            }
            // On a session that holds the head, a statement that never arrives is rolled back with the session.
            2 if held.is_none() => {
                self.database.state().send(new);
                Commit::Unknown(lost())
            }
            1 | 2 => Commit::Unknown(lost()),
            // A false `Moved` is only possible without the lock: under the lock the head can't have moved.
            3 if held.is_none() => Commit::Moved,
            5 => Commit::ReadOnly,
            _ => Self::refused(),
        }
    }
}

impl Journal for FaultyJournal {
    async fn commit(&mut self, open: &Arc<OpenBatch>) -> Commit {
        let mut first = 0;
        open.grow(0, |new| first = new.batch.events.len());
        for _ in 0..self.faults.number(WAITS_MAX) {
            yield_now().await;
        }
        self.run_some().await;
        let new = &open.seal();
        if new.batch.events.len() > first {
            self.faults.count(8);
        }
        let held = match std::mem::replace(&mut self.session, Session::Closed) {
            Session::Holds(held) => Some(held),
            Session::Ended => return Self::refused(),
            Session::Closed => None,
        };
        if self.faults.occurs(COMMIT_FAULT_PERCENT) {
            return self.commit_with_fault(new, held).await;
        }
        if held.is_some() {
            // If the node is killed here, its transaction is rolled back.
            yield_now().await;
            let mut state = self.database.state();
            let sent = state.send(new);
            return if state.run(sent) {
                Commit::Committed
            } else {
                Commit::Moved
            };
        }
        let sent = self.database.state().send(new);
        // If the node is killed here, the statement runs later.
        yield_now().await;
        let moved = match self.run(sent, false).await {
            Some(moved) => moved,
            // The statement ran earlier. The server's result still belongs to this sender.
            None => self.database.state().holds(new),
        };
        if !moved {
            return Commit::Moved;
        }
        yield_now().await;
        Commit::Committed
    }

    fn events_max(&self) -> Option<usize> {
        None
    }

    async fn read_head(&mut self) -> Result<Head, StoreError> {
        self.run_some().await;
        self.faults.query()?;
        Ok(self.database.state().head)
    }

    async fn confirm_head(&mut self) -> Result<Head, StoreError> {
        self.session = Session::Closed;
        self.run_some().await;
        self.faults.query()?;
        let _row = self.database.head_lock.lock().await;
        self.database.state().head.epoch += 1;
        yield_now().await;
        // The response may be dropped as well.
        self.faults.query()?;
        Ok(self.database.state().head)
    }

    async fn lock_and_read_after(&mut self, after: &Head) -> Result<Missed, StoreError> {
        self.session = Session::Closed;
        self.run_some().await;
        self.faults.query()?;
        let held = Arc::clone(&self.database.head_lock).lock_owned().await;
        yield_now().await;
        self.faults.query()?;
        let all = usize::MAX;
        let limit = if self.faults.occurs(QUERY_FAULT_PERCENT) {
            1
        } else {
            all
        };
        let missed = missed(&self.database, after, limit);
        self.session = match (missed.more, self.faults.occurs(QUERY_FAULT_PERCENT)) {
            (true, _) => Session::Closed,
            (false, true) => {
                self.faults.count(6);
                Session::Ended
            }
            (false, false) => Session::Holds(held),
        };
        Ok(missed)
    }

    async fn unlock(&mut self) {
        yield_now().await;
        self.session = Session::Closed;
    }

    async fn read_after(&mut self, after: &Head, limit: usize) -> Result<Missed, StoreError> {
        self.run_some().await;
        self.faults.query()?;
        Ok(missed(&self.database, after, limit))
    }

    async fn find(
        &mut self,
        table: u32,
        sequence: u64,
    ) -> Result<Option<FoundCommand>, StoreError> {
        self.run_some().await;
        self.faults.query()?;
        Ok(self.database.state().find(table, sequence))
    }

    async fn load_snapshot(
        &mut self,
        below: Option<u64>,
    ) -> Result<Option<StoredSnapshot>, StoreError> {
        self.run_some().await;
        self.faults.query()?;
        let mut found = {
            let state = self.database.state();
            let mut older = state.snapshots.iter().rev();
            older
                .find(|snapshot| below.is_none_or(|below| snapshot.batch < below))
                .cloned()
        };
        // A damaged snapshot costs no data: snapshots are a cache.
        if let Some(snapshot) = found
            .as_mut()
            .filter(|_| self.faults.occurs(QUERY_FAULT_PERCENT))
        {
            let bytes = u32::try_from(snapshot.state.len()).expect("a small state");
            let index = usize::try_from(self.faults.number(bytes)).expect("a small state");
            snapshot.state[index] ^= 1;
        }
        Ok(found)
    }

    async fn save_snapshot(&mut self, snapshot: &StoredSnapshot) -> Result<(), StoreError> {
        self.run_some().await;
        self.faults.query()?;
        let snapshots = &mut self.database.state().snapshots;
        if !snapshots
            .iter()
            .any(|stored| stored.batch == snapshot.batch)
        {
            snapshots.push(snapshot.clone());
            snapshots.sort_by_key(|stored| stored.batch);
        }
        let old = snapshots.len().saturating_sub(SNAPSHOTS);
        snapshots.drain(..old);
        Ok(())
    }

    async fn hit_rows(&mut self, hits: &[HitId]) -> Result<Vec<HitRow>, StoreError> {
        self.run_some().await;
        self.faults.query()?;
        let state = self.database.state();
        Ok(hits
            .iter()
            .filter_map(|hit| state.hits.get(hit).cloned())
            .collect())
    }

    fn another_handle(&self) -> Self {
        Self::new(self.database.clone(), Arc::clone(&self.faults))
    }
}

fn missed(database: &MemoryDatabase, after: &Head, limit: usize) -> Missed {
    let state = database.state();
    let first = usize::try_from(after.batch).expect("few batches");
    let batches = state.batches.get(first..).unwrap_or_default();
    let page = &batches[..batches.len().min(limit)];
    Missed {
        head: state.head,
        batches: page.to_vec(),
        more: page.len() < batches.len(),
    }
}
