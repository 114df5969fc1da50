//! Tables of a stream that follow their hits.
//!
//! # Shape
//! [`HitFollowers`] runs one task per link of such tables. The task marks tables whose hits changed
//! in [`ChangedTables`]. When the writer can write, it takes a marked table and reads its newest
//! state.
//!
//! # Limits
//! One mark per table, however slowly the client reads, with at most [`VOID_HITS_MAX`] names.
//!
//! # Order
//! A table's changes are sent after the answer to its attach. The state is read after the mark was
//! taken, so that the last message always has the newest state.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meterhouse_domain::ids::{LinkId, TableName};
use meterhouse_engine::Engine;
use meterhouse_engine::answer::NotExecuted;
use meterhouse_engine::feed::follower::{Follower, HitsMoved};
use meterhouse_engine::operations::pipelined::AttachedTable;
use tokio::sync::Notify;
use tokio_util::task::AbortOnDropHandle;

use super::limits::VOID_HITS_MAX;

/// A table whose hits changed.
pub(super) struct ChangedTable {
    /// Handle of the table on the stream.
    pub(super) handle: u32,
    /// Name of the table.
    pub(super) table: TableName,
    /// Engine's reference to the table.
    pub(super) attached: AttachedTable,
    /// Batch of the newest change.
    pub(super) batch: u64,
    /// Newest hits of void rounds.
    pub(super) void_hits: Vec<String>,
}

/// The tables whose hits changed and whose client was not notified yet.
#[derive(Clone, Default)]
pub(super) struct ChangedTables {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    marks: Mutex<Marks>,
    marked: Notify,
}

#[derive(Default)]
struct Marks {
    /// Handles of the tables whose attach was answered.
    open: BTreeSet<u32>,
    moved: BTreeMap<u32, ChangedTable>,
}

impl ChangedTables {
    /// Locks the marks. Nothing is awaited under the lock, and a panic leaves no partial change.
    fn marks(&self) -> MutexGuard<'_, Marks> {
        let marks = self.shared.marks.lock();
        marks.unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets changes of a table through, because its attach was answered.
    pub(super) fn open(&self, handle: u32) {
        self.marks().open.insert(handle);
        self.shared.marked.notify_one();
    }

    /// Returns a table whose hits changed, if any, and removes its mark.
    pub(super) fn now(&self) -> Option<ChangedTable> {
        let mut marks = self.marks();
        let Marks { open, moved } = &mut *marks;
        let first = moved.keys().copied().find(|handle| open.contains(handle))?;
        moved.remove(&first)
    }

    /// Waits for a table whose hits changed. Dropping the future loses no change.
    pub(super) async fn next(&self) -> ChangedTable {
        loop {
            if let Some(moved) = self.now() {
                return moved;
            }
            self.shared.marked.notified().await;
        }
    }

    fn mark(&self, handle: u32, table: &TableName, attached: &AttachedTable, change: &HitsMoved) {
        let mut marks = self.marks();
        let moved = marks.moved.entry(handle).or_insert_with(|| ChangedTable {
            handle,
            table: table.clone(),
            attached: attached.clone(),
            batch: 0,
            void_hits: Vec::new(),
        });
        moved.batch = moved.batch.max(change.position.batch);
        moved
            .void_hits
            .extend(change.void.as_ref().map(ToString::to_string));
        let over = moved.void_hits.len().saturating_sub(VOID_HITS_MAX);
        moved.void_hits.drain(..over);
        drop(marks);
        self.shared.marked.notify_one();
    }
}

/// The tables of one link, by name.
type Tables = Arc<Mutex<HashMap<TableName, (u32, AttachedTable)>>>;

/// The followers of a stream's tables, one per link.
pub(super) struct HitFollowers {
    engine: Engine,
    changed: ChangedTables,
    links: HashMap<LinkId, (Tables, AbortOnDropHandle<()>)>,
}

impl HitFollowers {
    /// Creates the set of a new stream, without tables.
    pub(super) fn new(engine: Engine, changed: ChangedTables) -> Self {
        Self {
            engine,
            changed,
            links: HashMap::new(),
        }
    }

    /// Follows the hits of one more table.
    pub(super) async fn follow(
        &mut self,
        handle: u32,
        table: &TableName,
        attached: &AttachedTable,
    ) -> Result<(), NotExecuted> {
        let link = attached.link();
        if !self.links.contains_key(&link) {
            let follower = self.engine.follow(attached).await?;
            let tables = Tables::default();
            let marking = mark_all(follower, Arc::clone(&tables), self.changed.clone());
            let task = AbortOnDropHandle::new(tokio::spawn(marking));
            self.links.insert(link, (tables, task));
        }
        if let Some((tables, _)) = self.links.get(&link) {
            let mut tables = tables.lock().unwrap_or_else(PoisonError::into_inner);
            tables.insert(table.clone(), (handle, attached.clone()));
        }
        Ok(())
    }
}

/// Marks the tables of a link whose hits change, until the stream ends.
async fn mark_all(mut follower: Follower, tables: Tables, changed: ChangedTables) {
    while let Some(change) = follower.next().await {
        let tables = tables.lock().unwrap_or_else(PoisonError::into_inner);
        let concerned = tables.iter().filter(|(table, _)| change.concerns(table));
        for (table, (handle, attached)) in concerned {
            changed.mark(*handle, table, attached, &change);
        }
    }
}
