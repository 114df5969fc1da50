//! The registry of links in this process: the addresses of tables, and the committer of each loaded link.
//!
//! # Shape
//! A directory of names, filled on demand, and a queue to the committer of every loaded link. An idle committer closes
//! its queue and ends. The next command loads the link again (`loading`).
//!
//! # Limits
//! A queue holds `QUEUE_COMMANDS_MAX` requests. Beyond it, a caller gets `busy` immediately. [`LOADS_MAX`] links are
//! loaded concurrently.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meterhouse_domain::command::Envelope;
use meterhouse_domain::ids::{GameName, LinkId, LinkName, PaytableId, TableName, TableNo};
use meterhouse_domain::link::LinkTerms;
use meterhouse_journal::hit::HitState;
use meterhouse_journal::record::from_row;
use meterhouse_journal::snapshot::Snapshot;
use meterhouse_store::{Journal as _, Store, StoreError};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{OnceCell, Semaphore, mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use crate::answer::{NotExecuted, damaged, unavailable};
use crate::committer::published_state::{PublishedState, StateAt};
use crate::committer::request::{CommandResult, Request, StateRequest};
use crate::integrity::checkpoints::CheckpointOptions;
use crate::registry::last_seen::{LastSeen, LastSeenTables};
use crate::registry::loaded::{LOADS_MAX, Loaded, NotLoaded, PendingLoad};

/// Maximum time that a command waits for space in its link's queue.
pub(crate) const ROOM_WAIT_MAX: Duration = Duration::from_secs(2);

/// The address of a table.
#[derive(Clone, Debug)]
pub(crate) struct TableRef {
    pub(crate) link: LinkId,
    /// The number of the table on its link.
    pub(crate) number: TableNo,
    /// The game of the table.
    pub(crate) game: GameName,
    /// The last contact of the table.
    pub(crate) last_seen: Arc<LastSeen>,
    /// The paytable with which the table joined, once it was read.
    pub(crate) paytable: Arc<OnceCell<PaytableId>>,
}

/// The queue of a loaded link. The committer serves it until it is dropped, so that no value is kept for long.
pub(crate) struct LinkQueue {
    link: LinkId,
    queue: mpsc::Sender<Request>,
}

/// The result of sending a request to a loaded link.
enum SendResult {
    Done,
    Full,
    NotLoaded(Request),
}

/// The registry of the links of this process. Clones are cheap and share the links.
#[derive(Clone)]
pub(crate) struct LinkRegistry {
    pub(crate) inner: Arc<RegistryState>,
}

pub(crate) struct RegistryState {
    pub(crate) store: Store,
    pub(crate) node: Arc<str>,
    directory: Mutex<Directory>,
    last_seen: LastSeenTables,
    pub(crate) loading: Semaphore,
    pub(crate) checkpoints: CheckpointOptions,
    pub(crate) tasks: TaskTracker,
}

#[derive(Default)]
pub(crate) struct Directory {
    tables: HashMap<TableName, TableRef>,
    links: HashMap<LinkName, LinkId>,
    terms: HashMap<LinkId, Arc<LinkTerms>>,
    pub(crate) loaded: HashMap<LinkId, Loaded>,
    pub(crate) loads: HashMap<LinkId, PendingLoad>,
    /// Links whose journal is damaged.
    pub(crate) not_loaded: HashMap<LinkId, NotLoaded>,
    pub(crate) stopped: bool,
}

impl LinkRegistry {
    pub(crate) fn new(store: Store, node: Arc<str>, checkpoints: CheckpointOptions) -> Self {
        let state = RegistryState {
            store,
            node,
            directory: Mutex::default(),
            last_seen: LastSeenTables::new(),
            loading: Semaphore::new(LOADS_MAX),
            checkpoints,
            tasks: TaskTracker::new(),
        };
        Self {
            inner: Arc::new(state),
        }
    }

    /// Locks the directory. No code awaits or panics while the lock is held, so a poisoned lock is ignored.
    pub(crate) fn directory(&self) -> MutexGuard<'_, Directory> {
        self.inner
            .directory
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Loads the links with a pending hit.
    pub(crate) async fn load_pending(&self) -> Result<(), StoreError> {
        for link in self.inner.store.links_with_hits(HitState::Pending).await? {
            if let Err(denied) = self.loaded(link).await {
                tracing::error!(link.id = %link, %denied, "a link with a pending hit can't be loaded");
            }
        }
        Ok(())
    }

    /// Closes all queues and waits until every committer has served the remaining requests.
    pub(crate) async fn stop(&self) {
        {
            let mut directory = self.directory();
            directory.stopped = true;
            directory.loaded.clear();
        }
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }

    /// Returns the address of a table. The database is queried once, because a table never changes its link.
    pub(crate) async fn find_table(&self, name: &TableName) -> Result<TableRef, NotExecuted> {
        if let Some(table_ref) = self.directory().tables.get(name) {
            return Ok(table_ref.clone());
        }
        let row = self
            .inner
            .store
            .find_table(name.as_str())
            .await
            .map_err(unavailable)?;
        let row = row.ok_or_else(|| NotExecuted::UnknownTable(name.to_string()))?;
        let game = row.game.parse();
        let game = game.map_err(|_| damaged("the game of the table can't be read"))?;
        let table_ref = TableRef {
            link: row.link,
            number: row.table,
            game,
            last_seen: self.inner.last_seen.of(row.link, row.table),
            paytable: Arc::default(),
        };
        self.directory()
            .tables
            .insert(name.clone(), table_ref.clone());
        Ok(table_ref)
    }

    /// Returns the number of a link.
    pub(crate) async fn find_link(&self, name: &LinkName) -> Result<LinkId, NotExecuted> {
        if let Some(link) = self.directory().links.get(name) {
            return Ok(*link);
        }
        let row = self
            .inner
            .store
            .find_link(name.as_str())
            .await
            .map_err(unavailable)?;
        let row = row.ok_or_else(|| NotExecuted::UnknownLink(name.to_string()))?;
        self.directory().links.insert(name.clone(), row.link);
        Ok(row.link)
    }

    /// Returns the terms with which a link was opened, from its first event.
    pub(crate) async fn terms(&self, link: LinkId) -> Result<Arc<LinkTerms>, NotExecuted> {
        if let Some(terms) = self.directory().terms.get(&link) {
            return Ok(Arc::clone(terms));
        }
        let first = match self.inner.store.batch(link, 1).await {
            // Rare, so that it does not make every caller's future larger.
            Err(StoreError::Archived(_)) => return Box::pin(self.archived_terms(link)).await,
            read => read.map_err(unavailable)?,
        };
        let row = first.as_ref().and_then(|first| first.batch.events.first());
        let event = row
            .and_then(|row| from_row(row).ok())
            .map(|recorded| recorded.event);
        let Some(meterhouse_domain::event::Event::LinkOpened { terms, .. }) = event else {
            let reason = "the journal is damaged: the link's first event can't be read".to_owned();
            return Err(NotExecuted::LinkFaulted { reason });
        };
        let terms = Arc::new(*terms);
        self.directory().terms.insert(link, Arc::clone(&terms));
        Ok(terms)
    }

    /// Returns the terms of a link whose first event is archived, from its newest stored state.
    async fn archived_terms(&self, link: LinkId) -> Result<Arc<LinkTerms>, NotExecuted> {
        let mut journal = self.inner.store.journal(link);
        let mut below = None;
        while let Some(stored) = journal.load_snapshot(below).await.map_err(unavailable)? {
            below = Some(stored.batch);
            if let Ok(snapshot) = Snapshot::decode(&stored.state) {
                let terms = snapshot.state.terms;
                self.directory().terms.insert(link, Arc::clone(&terms));
                return Ok(terms);
            }
        }
        Err(damaged(
            "the link's terms are archived, and no stored state has them",
        ))
    }

    /// Sends a command to the link's committer and waits for the result.
    ///
    /// Dropping this future (the caller disconnected) cancels only the wait. The committer finishes the command, and
    /// the same command gets the same answer later.
    pub(crate) async fn submit(
        &self,
        link: LinkId,
        envelope: Envelope,
        received: Instant,
    ) -> Result<CommandResult, NotExecuted> {
        let (request, reached) = Request::of_command(envelope, received);
        self.send(link, request).await?;
        reached.await.unwrap_or(Err(NotExecuted::OutcomeUnknown))
    }

    /// Sends a request, by the queue in `kept` if it is the link's. Waits for space in the queue (backpressure), and
    /// returns `true` if it waited.
    pub(crate) async fn send_or_wait(
        &self,
        link: LinkId,
        request: Request,
        kept: &mut Option<LinkQueue>,
    ) -> Result<bool, NotExecuted> {
        if kept.as_ref().is_none_or(|kept| kept.link != link) {
            *kept = self.queue(link);
        }
        let request = match kept.as_ref().map(|kept| &kept.queue) {
            Some(queue) => match queue.try_send(request) {
                Ok(()) => return Ok(false),
                Err(TrySendError::Full(request) | TrySendError::Closed(request)) => request,
            },
            None => request,
        };
        // The kept queue may be that of a committer that has ended.
        *kept = None;
        let queue = self.loaded(link).await?.queue;
        let sent = queue.send_timeout(request, ROOM_WAIT_MAX).await;
        sent.map(|()| true).map_err(|_| NotExecuted::Busy)
    }

    /// Returns the queue of a link, if the link is loaded.
    fn queue(&self, link: LinkId) -> Option<LinkQueue> {
        let directory = self.directory();
        let queue = directory.loaded.get(&link)?.queue.clone();
        Some(LinkQueue { link, queue })
    }

    /// Returns the link's state, confirmed after the call.
    pub(crate) async fn confirmed_state(&self, link: LinkId) -> Result<StateAt, NotExecuted> {
        let (reply, known) = oneshot::channel();
        let received = Instant::now();
        let request = StateRequest { received, reply };
        self.send(link, Request::State(request)).await?;
        known.await.unwrap_or(Err(NotExecuted::DatabaseUnavailable))
    }

    /// Returns the link's state as of this batch or a later one. The committer is asked only if the published state is
    /// older.
    pub(crate) async fn known_at(&self, link: LinkId, batch: u64) -> Result<StateAt, NotExecuted> {
        if let Some(published) = self.published(link) {
            if let Some(reason) = published.damaged() {
                let reason = reason.to_owned();
                return Err(NotExecuted::LinkFaulted { reason });
            }
            if let Some(known) = published.known().filter(|known| known.batch >= batch) {
                return Ok(known);
            }
        }
        self.confirmed_state(link).await
    }

    /// Returns the published state of a link, if it is loaded.
    pub(crate) fn published(&self, link: LinkId) -> Option<Arc<PublishedState>> {
        let directory = self.directory();
        let loaded = directory.loaded.get(&link);
        loaded.map(|loaded| Arc::clone(&loaded.published))
    }

    /// Returns the loaded links.
    pub(crate) fn all_loaded(&self) -> Vec<(LinkId, Loaded)> {
        let directory = self.directory();
        let loaded = directory.loaded.iter();
        loaded
            .map(|(link, loaded)| (*link, loaded.clone()))
            .collect()
    }

    /// Returns the names of links that can't be served and whose journal may not contain the reason.
    pub(crate) fn damaged_links(&self) -> Vec<String> {
        let directory = self.directory();
        let loaded = directory.loaded.iter();
        let damaged = loaded.filter(|(_, loaded)| loaded.published.damaged().is_some());
        let damaged = damaged.map(|(link, _)| link);
        let named = |link: &LinkId| {
            let mut names = directory.links.iter();
            let name = names.find(|(_, known)| *known == link);
            name.map_or_else(|| format!("number {link}"), |(name, _)| name.to_string())
        };
        damaged
            .chain(directory.not_loaded.keys())
            .map(named)
            .collect()
    }

    /// Returns the last contacts of tables.
    pub(crate) fn last_seen(&self) -> &LastSeenTables {
        &self.inner.last_seen
    }

    async fn send(&self, link: LinkId, request: Request) -> Result<(), NotExecuted> {
        match self.send_to_loaded(link, request) {
            SendResult::Done => Ok(()),
            SendResult::Full => Err(NotExecuted::Busy),
            // The link is not loaded, or its committer has just ended.
            SendResult::NotLoaded(request) => self
                .loaded(link)
                .await?
                .queue
                .try_send(request)
                .map_err(|_| NotExecuted::Busy),
        }
    }

    /// Sends a request while the directory is locked, which is cheaper than cloning the queue's sender.
    fn send_to_loaded(&self, link: LinkId, request: Request) -> SendResult {
        let directory = self.directory();
        let Some(loaded) = directory.loaded.get(&link) else {
            return SendResult::NotLoaded(request);
        };
        match loaded.queue.try_send(request) {
            Ok(()) => SendResult::Done,
            Err(TrySendError::Full(_)) => SendResult::Full,
            Err(TrySendError::Closed(request)) => SendResult::NotLoaded(request),
        }
    }
}
