//! A journal that lies about a [`Disk`] in every way in which a database can be lost, and no other.
//!
//! # Shape
//! A commit may be done, or not, or be done later; its sender may hear so, or that nobody knows. Questions may fail,
//! also after they had their effect. The session that holds the head may be ended while it is idle. Every step
//! gives way to others, so that a node may be killed there: what it had sent runs later, or never.
//!
//! # What order or lock holds
//! As in Postgres: the head's row is locked by whoever writes it, and by `lock_and_read_after` until the next
//! commit. Reading locks nothing.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use meterhouse_domain::ids::HitId;
use meterhouse_journal::hit::HitRow;
use meterhouse_store::{
    Commit, FoundCommand, Head, Journal, Missed, NewBatch, RolledBack, StoreError, StoredSnapshot,
};
use rand::RngExt as _;
use rand::rngs::StdRng;
use tokio::sync::OwnedMutexGuard;
use tokio::task::yield_now;

use crate::disk::Disk;

/// Of a hundred commits, how many have a fault; of a hundred questions, how many.
const COMMITS: u32 = 30;
const QUESTIONS: u32 = 8;
/// Kinds of faults.
pub(crate) const FAULTS: usize = 8;
/// Snapshots that are kept.
const SNAPSHOTS: usize = 2;

/// The network and the server between nodes and disk.
pub(crate) struct Weather {
    chance: Mutex<StdRng>,
    is_bad: AtomicBool,
    /// How often each fault happened: done and unknown, never done, late, moved, rolled back, read-only, session
    /// ended, question failed.
    pub(crate) faults: [AtomicU64; FAULTS],
}

impl Weather {
    pub(crate) fn new(chance: StdRng) -> Arc<Self> {
        let is_bad = AtomicBool::new(false);
        Arc::new(Self {
            chance: Mutex::new(chance),
            is_bad,
            faults: Default::default(),
        })
    }

    /// From now on there are faults, or none.
    pub(crate) fn set(&self, is_bad: bool) {
        self.is_bad.store(is_bad, Ordering::Relaxed);
    }

    fn roll(&self, of_hundred: u32) -> bool {
        self.is_bad.load(Ordering::Relaxed) && self.number(100) < of_hundred
    }

    fn number(&self, below: u32) -> u32 {
        self.chance
            .lock()
            .expect("nobody failed")
            .random_range(0..below)
    }

    fn count(&self, fault: usize) {
        self.faults[fault].fetch_add(1, Ordering::Relaxed);
    }

    /// A question may fail.
    fn ask(&self) -> Result<(), StoreError> {
        if self.roll(QUESTIONS) {
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
    /// The server ended it while it was idle.
    Ended,
}

/// One node's handle.
pub(crate) struct Liar {
    disk: Disk,
    weather: Arc<Weather>,
    session: Session,
}

impl Liar {
    pub(crate) fn new(disk: Disk, weather: Arc<Weather>) -> Self {
        Self {
            disk,
            weather,
            session: Session::Closed,
        }
    }

    /// What is on its way may arrive now.
    async fn arrive(&self) {
        yield_now().await;
        let late: Vec<u64> = self.disk.kept().late.keys().copied().collect();
        for number in late {
            if self.weather.number(4) == 0
                && let Ok(_row) = self.disk.row.try_lock()
            {
                self.disk.kept().run(number);
            }
        }
    }

    /// Runs a statement that was sent, once the head is free; `None` if it had run already.
    async fn run(&self, number: u64, holds: bool) -> Option<bool> {
        let _row = if holds {
            None
        } else {
            Some(self.disk.row.lock().await)
        };
        let mut kept = self.disk.kept();
        let was_late = kept.late.contains_key(&number);
        let moved = kept.run(number);
        was_late.then_some(moved)
    }

    fn refused() -> Commit {
        Commit::RolledBack(RolledBack {
            constraint: None,
            source: lost(),
        })
    }

    /// A commit with a fault.
    async fn lie(&self, new: &NewBatch, held: Option<OwnedMutexGuard<()>>) -> Commit {
        let fault = self.weather.number(6);
        self.weather.count(usize::try_from(fault).expect("few"));
        match fault {
            0 => {
                let sent = self.disk.kept().send(new);
                self.run(sent, held.is_some()).await;
                Commit::Unknown(lost())
            }
            // On a session that holds the head what never arrives is rolled back with it.
            2 if held.is_none() => {
                self.disk.kept().send(new);
                Commit::Unknown(lost())
            }
            1 | 2 => Commit::Unknown(lost()),
            // Only said without cause outside the lock: under it the head can't have moved.
            3 if held.is_none() => Commit::Moved,
            5 => Commit::ReadOnly,
            _ => Self::refused(),
        }
    }
}

impl Journal for Liar {
    async fn commit(&mut self, new: &NewBatch) -> Commit {
        self.arrive().await;
        let held = match std::mem::replace(&mut self.session, Session::Closed) {
            Session::Holds(held) => Some(held),
            Session::Ended => return Self::refused(),
            Session::Closed => None,
        };
        if self.weather.roll(COMMITS) {
            return self.lie(new, held).await;
        }
        if held.is_some() {
            // In its transaction: killed before it is written, it is rolled back.
            yield_now().await;
            let mut kept = self.disk.kept();
            let sent = kept.send(new);
            return if kept.run(sent) {
                Commit::Committed
            } else {
                Commit::Moved
            };
        }
        let sent = self.disk.kept().send(new);
        // Killed here, it runs some time.
        yield_now().await;
        let moved = match self.run(sent, false).await {
            Some(moved) => moved,
            // It was let through before: the server's answer is for this sender all the same.
            None => self.disk.kept().holds(new),
        };
        if !moved {
            return Commit::Moved;
        }
        yield_now().await;
        Commit::Committed
    }

    async fn read_head(&mut self) -> Result<Head, StoreError> {
        self.arrive().await;
        self.weather.ask()?;
        Ok(self.disk.kept().head)
    }

    async fn confirm_head(&mut self) -> Result<Head, StoreError> {
        self.session = Session::Closed;
        self.arrive().await;
        self.weather.ask()?;
        let _row = self.disk.row.lock().await;
        self.disk.kept().head.epoch += 1;
        yield_now().await;
        // The answer may be lost as well.
        self.weather.ask()?;
        Ok(self.disk.kept().head)
    }

    async fn lock_and_read_after(&mut self, after: &Head) -> Result<Missed, StoreError> {
        self.session = Session::Closed;
        self.arrive().await;
        self.weather.ask()?;
        let held = Arc::clone(&self.disk.row).lock_owned().await;
        yield_now().await;
        self.weather.ask()?;
        let all = usize::MAX;
        let limit = if self.weather.roll(QUESTIONS) { 1 } else { all };
        let missed = missed(&self.disk, after, limit);
        self.session = match (missed.more, self.weather.roll(QUESTIONS)) {
            (true, _) => Session::Closed,
            (false, true) => {
                self.weather.count(6);
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
        self.arrive().await;
        self.weather.ask()?;
        Ok(missed(&self.disk, after, limit))
    }

    async fn find(
        &mut self,
        table: u32,
        sequence: u64,
    ) -> Result<Option<FoundCommand>, StoreError> {
        self.arrive().await;
        self.weather.ask()?;
        Ok(self.disk.kept().find(table, sequence))
    }

    async fn load_snapshot(
        &mut self,
        below: Option<u64>,
    ) -> Result<Option<StoredSnapshot>, StoreError> {
        self.arrive().await;
        self.weather.ask()?;
        let mut found = {
            let kept = self.disk.kept();
            let mut older = kept.snapshots.iter().rev();
            older
                .find(|it| below.is_none_or(|below| it.batch < below))
                .cloned()
        };
        // A damaged snapshot is only a lost cache.
        if let Some(snapshot) = found.as_mut().filter(|_| self.weather.roll(QUESTIONS)) {
            let bytes = u32::try_from(snapshot.state.len()).expect("a small state");
            let position = usize::try_from(self.weather.number(bytes)).expect("a small state");
            snapshot.state[position] ^= 1;
        }
        Ok(found)
    }

    async fn save_snapshot(&mut self, snapshot: &StoredSnapshot) -> Result<(), StoreError> {
        self.arrive().await;
        self.weather.ask()?;
        let snapshots = &mut self.disk.kept().snapshots;
        if !snapshots.iter().any(|it| it.batch == snapshot.batch) {
            snapshots.push(snapshot.clone());
            snapshots.sort_by_key(|it| it.batch);
        }
        let old = snapshots.len().saturating_sub(SNAPSHOTS);
        snapshots.drain(..old);
        Ok(())
    }

    async fn hit_rows(&mut self, hits: &[HitId]) -> Result<Vec<HitRow>, StoreError> {
        self.arrive().await;
        self.weather.ask()?;
        let kept = self.disk.kept();
        Ok(hits
            .iter()
            .filter_map(|hit| kept.hits.get(hit).cloned())
            .collect())
    }

    fn another_handle(&self) -> Self {
        Self::new(self.disk.clone(), Arc::clone(&self.weather))
    }
}

fn missed(disk: &Disk, after: &Head, limit: usize) -> Missed {
    let kept = disk.kept();
    let first = usize::try_from(after.batch).expect("few batches");
    let batches = kept.batches.get(first..).unwrap_or_default();
    let page = &batches[..batches.len().min(limit)];
    Missed {
        head: kept.head,
        batches: page.to_vec(),
        more: page.len() < batches.len(),
    }
}
