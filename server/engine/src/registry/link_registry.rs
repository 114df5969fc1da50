//! The links of this process: which is where, and the committer of each. How a link gets here: `loading`.
//!
//! # Shape
//! A directory of names, filled as they are asked for, and a queue to the committer of every loaded link. A
//! committer that leaves (nobody asked for ten minutes) closes its queue; the next command loads the link again.
//!
//! # Limits
//! A queue holds `QUEUE_COMMANDS_MAX`; past it a caller hears "busy" at once. [`LOADS_MAX`] links are loaded at a time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meterhouse_domain::command::Envelope;
use meterhouse_domain::ids::{LinkId, LinkName, PaytableId, TableName, TableNo};
use meterhouse_domain::link::LinkTerms;
use meterhouse_journal::hit::HitState;
use meterhouse_journal::record::from_row;
use meterhouse_store::{Store, StoreError};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{OnceCell, Semaphore, oneshot};
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use crate::answer::{Denied, unavailable};
use crate::committer::published_state::{PublishedState, StateAt};
use crate::committer::request::{CommandRequest, CommandResult, Request, StateRequest};
use crate::integrity::checkpoints::CheckpointOptions;
use crate::registry::last_seen::{LastSeen, LastSeenTables};
use crate::registry::loaded::{LOADS_MAX, Load, Loaded, NotLoaded};

/// How long a command may wait for room in its link's queue.
pub(crate) const ROOM_WAIT_MAX: Duration = Duration::from_secs(2);

/// Where a table is.
#[derive(Clone, Debug)]
pub(crate) struct TableRef {
    /// Its link.
    pub(crate) link: LinkId,
    /// Its number there.
    pub(crate) number: TableNo,
    /// When it was heard.
    pub(crate) contact: Arc<LastSeen>,
    /// The paytable that it joined with, once that was asked.
    pub(crate) paytable: Arc<OnceCell<PaytableId>>,
}

/// What became of work that was sent to a loaded link.
enum Sent {
    Done,
    Full(Request),
    NotLoaded(Request),
}

/// The links of this process.
#[derive(Clone)]
pub(crate) struct LinkRegistry {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) store: Store,
    pub(crate) node: Arc<str>,
    directory: Mutex<Directory>,
    contacts: LastSeenTables,
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
    pub(crate) loads: HashMap<LinkId, Load>,
    /// Links that are damaged, and when that was found.
    pub(crate) not_loaded: HashMap<LinkId, NotLoaded>,
    pub(crate) stopped: bool,
}

impl LinkRegistry {
    pub(crate) fn new(store: Store, node: Arc<str>, checkpoints: CheckpointOptions) -> Self {
        let inner = Inner {
            store,
            node,
            directory: Mutex::default(),
            contacts: LastSeenTables::new(),
            loading: Semaphore::new(LOADS_MAX),
            checkpoints,
            tasks: TaskTracker::new(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Nothing is awaited while this is held, and no code under it can panic half way.
    pub(crate) fn directory(&self) -> MutexGuard<'_, Directory> {
        self.inner
            .directory
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Loads the links on which somebody waits for a floorperson.
    pub(crate) async fn load_pending(&self) -> Result<(), StoreError> {
        for link in self.inner.store.links_with_hits(HitState::Pending).await? {
            if let Err(denied) = self.loaded(link).await {
                tracing::error!(link.id = %link, %denied, "a link with a pending hit can't be loaded");
            }
        }
        Ok(())
    }

    /// Closes all queues and waits until every committer has served what was in it.
    pub(crate) async fn stop(&self) {
        {
            let mut directory = self.directory();
            directory.stopped = true;
            directory.loaded.clear();
        }
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }

    /// Where a table is; asked once, as a table stays on its link for life.
    pub(crate) async fn find_table(&self, name: &TableName) -> Result<TableRef, Denied> {
        if let Some(table_ref) = self.directory().tables.get(name) {
            return Ok(table_ref.clone());
        }
        let row = self
            .inner
            .store
            .find_table(name.as_str())
            .await
            .map_err(unavailable)?;
        let row = row.ok_or_else(|| Denied::UnknownTable(name.to_string()))?;
        let table_ref = TableRef {
            link: row.link,
            number: row.table,
            contact: self.inner.contacts.of(row.link, row.table),
            paytable: Arc::default(),
        };
        self.directory()
            .tables
            .insert(name.clone(), table_ref.clone());
        Ok(table_ref)
    }

    /// The number of a link.
    pub(crate) async fn find_link(&self, name: &LinkName) -> Result<LinkId, Denied> {
        if let Some(link) = self.directory().links.get(name) {
            return Ok(*link);
        }
        let row = self
            .inner
            .store
            .find_link(name.as_str())
            .await
            .map_err(unavailable)?;
        let row = row.ok_or_else(|| Denied::UnknownLink(name.to_string()))?;
        self.directory().links.insert(name.clone(), row.link);
        Ok(row.link)
    }

    /// What a link was opened with, from its first event.
    pub(crate) async fn terms(&self, link: LinkId) -> Result<Arc<LinkTerms>, Denied> {
        if let Some(terms) = self.directory().terms.get(&link) {
            return Ok(Arc::clone(terms));
        }
        let first = self.inner.store.batch(link, 1).await.map_err(unavailable)?;
        let row = first.as_ref().and_then(|first| first.batch.events.first());
        let event = row
            .and_then(|row| from_row(row).ok())
            .map(|recorded| recorded.event);
        let Some(meterhouse_domain::event::Event::LinkOpened { terms, .. }) = event else {
            let reason = "the journal is damaged: the link's first event can't be read".to_owned();
            return Err(Denied::LinkFaulted { reason });
        };
        let terms = Arc::new(*terms);
        self.directory().terms.insert(link, Arc::clone(&terms));
        Ok(terms)
    }

    /// Hands a command to the link's committer and waits for what became of it.
    ///
    /// Dropping this future (the caller hung up) drops only the wait: the committer owns the transaction and
    /// finishes it, and the same command gets the same answer later.
    pub(crate) async fn submit(
        &self,
        link: LinkId,
        envelope: Envelope,
        received: Instant,
    ) -> Result<CommandResult, Denied> {
        let (reply, reached) = oneshot::channel();
        let request = CommandRequest {
            envelope,
            received,
            reply,
        };
        self.send(link, Request::Command(request)).await?;
        reached.await.unwrap_or(Err(Denied::OutcomeUnknown))
    }

    /// Hands a command over and answers where its outcome will be; waits for room where the queue is full.
    pub(crate) async fn hand_over(
        &self,
        link: LinkId,
        envelope: Envelope,
        received: Instant,
    ) -> Result<oneshot::Receiver<Result<CommandResult, Denied>>, Denied> {
        let (reply, reached) = oneshot::channel();
        let request = CommandRequest {
            envelope,
            received,
            reply,
        };
        let request = match self.send_to_loaded(link, Request::Command(request)) {
            Sent::Done => return Ok(reached),
            Sent::Full(request) | Sent::NotLoaded(request) => request,
        };
        let queue = self.loaded(link).await?.queue;
        let sent = queue.send_timeout(request, ROOM_WAIT_MAX).await;
        sent.map(|()| reached).map_err(|_| Denied::Busy)
    }

    /// The link's state, confirmed after this was asked.
    pub(crate) async fn look(&self, link: LinkId) -> Result<StateAt, Denied> {
        let (reply, known) = oneshot::channel();
        let received = Instant::now();
        let request = StateRequest { received, reply };
        self.send(link, Request::State(request)).await?;
        known.await.unwrap_or(Err(Denied::DatabaseUnavailable))
    }

    /// The link's state as of a batch or a later one; the committer is asked only where that is not known here yet.
    pub(crate) async fn known_at(&self, link: LinkId, batch: u64) -> Result<StateAt, Denied> {
        if let Some(published) = self.published(link) {
            if let Some(reason) = published.damaged() {
                let reason = reason.to_owned();
                return Err(Denied::LinkFaulted { reason });
            }
            if let Some(known) = published.known().filter(|known| known.batch >= batch) {
                return Ok(known);
            }
        }
        self.look(link).await
    }

    /// What is known of a link, while it is loaded.
    pub(crate) fn published(&self, link: LinkId) -> Option<Arc<PublishedState>> {
        let directory = self.directory();
        let loaded = directory.loaded.get(&link);
        loaded.map(|it| Arc::clone(&it.published))
    }

    /// The links that are loaded.
    pub(crate) fn all_loaded(&self) -> Vec<(LinkId, Loaded)> {
        let directory = self.directory();
        let loaded = directory.loaded.iter();
        loaded.map(|(link, it)| (*link, it.clone())).collect()
    }

    /// The names of links that can't be served and whose journal may not say so.
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

    /// When tables were heard.
    pub(crate) fn contacts(&self) -> &LastSeenTables {
        &self.inner.contacts
    }

    async fn send(&self, link: LinkId, request: Request) -> Result<(), Denied> {
        match self.send_to_loaded(link, request) {
            Sent::Done => Ok(()),
            Sent::Full(_) => Err(Denied::Busy),
            // It is not here, or has just left: it is loaded.
            Sent::NotLoaded(request) => self
                .loaded(link)
                .await?
                .queue
                .try_send(request)
                .map_err(|_| Denied::Busy),
        }
    }

    /// Sends while the directory is held, which is cheaper than counting one more sender of the queue for a moment.
    fn send_to_loaded(&self, link: LinkId, request: Request) -> Sent {
        let directory = self.directory();
        let Some(loaded) = directory.loaded.get(&link) else {
            return Sent::NotLoaded(request);
        };
        match loaded.queue.try_send(request) {
            Ok(()) => Sent::Done,
            Err(TrySendError::Full(request)) => Sent::Full(request),
            Err(TrySendError::Closed(request)) => Sent::NotLoaded(request),
        }
    }
}
