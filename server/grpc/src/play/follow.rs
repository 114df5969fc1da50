//! Tables of a stream that follow their hits.
//!
//! # Shape
//! [`Follows`] has a task for each link of such tables, which marks in [`News`] the tables whose hits changed. The writer
//! takes marked tables from there when it can write, and reads their newest state then.
//!
//! # What bounds it
//! One mark a table, however slowly the client reads; [`VOID_HITS_MAX`] names in it.
//!
//! # Order
//! A table's changes are sent after the answer to its attach. Its state is read after the mark was taken, so the last
//! message always has the newest state.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meterhouse_domain::ids::{LinkId, TableName};
use meterhouse_engine::Engine;
use meterhouse_engine::answer::Denied;
use meterhouse_engine::feed::follower::{Follower, HitsMoved};
use meterhouse_engine::operations::pipelined::AttachedTable;
use tokio::sync::Notify;
use tokio_util::task::AbortOnDropHandle;

use super::limits::VOID_HITS_MAX;

/// A table whose hits changed.
pub(super) struct Moved {
    /// The table, as it was attached.
    pub(super) handle: u32,
    /// Its name.
    pub(super) table: TableName,
    /// The engine's reference to it.
    pub(super) seated: AttachedTable,
    /// The batch of the newest change.
    pub(super) batch: u64,
    /// The newest hits of void rounds.
    pub(super) void_hits: Vec<String>,
}

/// The tables whose hits changed and whose client has not been told.
#[derive(Clone, Default)]
pub(super) struct News {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    marks: Mutex<Marks>,
    marked: Notify,
}

#[derive(Default)]
struct Marks {
    /// Handles of the tables whose attach was answered.
    open: BTreeSet<u32>,
    moved: BTreeMap<u32, Moved>,
}

impl News {
    /// Nothing is awaited while the marks are held, and no code under them can panic half way.
    fn marks(&self) -> MutexGuard<'_, Marks> {
        let marks = self.inner.marks.lock();
        marks.unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets changes of a table through: its attach was answered.
    pub(super) fn open(&self, handle: u32) {
        self.marks().open.insert(handle);
        self.inner.marked.notify_one();
    }

    /// Returns a table whose hits changed, if there is one, and forgets its mark.
    pub(super) fn now(&self) -> Option<Moved> {
        let mut marks = self.marks();
        let Marks { open, moved } = &mut *marks;
        let first = moved.keys().copied().find(|handle| open.contains(handle))?;
        moved.remove(&first)
    }

    /// Waits for a table whose hits changed. A dropped wait loses nothing.
    pub(super) async fn next(&self) -> Moved {
        loop {
            if let Some(moved) = self.now() {
                return moved;
            }
            self.inner.marked.notified().await;
        }
    }

    fn mark(&self, handle: u32, table: &TableName, seated: &AttachedTable, change: &HitsMoved) {
        let mut marks = self.marks();
        let moved = marks.moved.entry(handle).or_insert_with(|| Moved {
            handle,
            table: table.clone(),
            seated: seated.clone(),
            batch: 0,
            void_hits: Vec::new(),
        });
        moved.batch = moved.batch.max(change.place.batch);
        moved
            .void_hits
            .extend(change.void.as_ref().map(ToString::to_string));
        let over = moved.void_hits.len().saturating_sub(VOID_HITS_MAX);
        moved.void_hits.drain(..over);
        drop(marks);
        self.inner.marked.notify_one();
    }
}

/// The tables of one link, by name.
type Tables = Arc<Mutex<HashMap<TableName, (u32, AttachedTable)>>>;

/// The links whose hits a stream follows.
pub(super) struct Follows {
    engine: Engine,
    news: News,
    links: HashMap<LinkId, (Tables, AbortOnDropHandle<()>)>,
}

impl Follows {
    /// Returns those of a stream that begins: none.
    pub(super) fn new(engine: Engine, news: News) -> Self {
        Self {
            engine,
            news,
            links: HashMap::new(),
        }
    }

    /// Follows the hits of one more table.
    pub(super) async fn follow(
        &mut self,
        handle: u32,
        table: &TableName,
        seated: &AttachedTable,
    ) -> Result<(), Denied> {
        let link = seated.link();
        if !self.links.contains_key(&link) {
            let follower = self.engine.follow(seated).await?;
            let tables = Tables::default();
            let marking = mark_all(follower, Arc::clone(&tables), self.news.clone());
            let task = AbortOnDropHandle::new(tokio::spawn(marking));
            self.links.insert(link, (tables, task));
        }
        if let Some((tables, _)) = self.links.get(&link) {
            let mut tables = tables.lock().unwrap_or_else(PoisonError::into_inner);
            tables.insert(table.clone(), (handle, seated.clone()));
        }
        Ok(())
    }
}

/// Marks the tables of a link whose hits change, until the stream ends.
async fn mark_all(mut follower: Follower, tables: Tables, news: News) {
    while let Some(change) = follower.next().await {
        let tables = tables.lock().unwrap_or_else(PoisonError::into_inner);
        let concerned = tables.iter().filter(|(table, _)| change.concerns(table));
        for (table, (handle, seated)) in concerned {
            news.mark(*handle, table, seated, &change);
        }
    }
}
