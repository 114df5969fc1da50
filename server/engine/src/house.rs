//! The links of this process: which is where, and the committer of each.
//!
//! # Shape
//! A directory of names, filled as they are asked for, and a queue to the committer of every loaded link. A
//! committer that leaves (nobody asked for ten minutes) closes its queue; the next command loads the link again.
//!
//! # What bounds it
//! A queue holds [`QUEUE_COMMANDS_MAX`]; past it a caller hears "busy" at once. A link is loaded once, whoever asks
//! for it meanwhile waits for that; [`LOADS_MAX`] links at a time, the others wait [`LOAD_TURN_MAX`].

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meterhouse_domain::command::Envelope;
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::name::{LinkId, LinkName, TableName, TableNo};
use meterhouse_domain::state::LinkState;
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::hit::HitState;
use meterhouse_journal::record::from_row;
use meterhouse_store::{Head, Journal as _, Store, StoreError};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Semaphore, mpsc, oneshot, watch};
use tokio::time::{Instant, timeout};
use tokio_util::task::TaskTracker;

use crate::answer::Denied;
use crate::chain::Chain;
use crate::committer::{Ask, Committer, QUEUE_COMMANDS_MAX, Reached, Work};
use crate::memory::MemoryError;

/// Links that are loaded at a time: fewer than the store has connections for reading.
const LOADS_MAX: usize = 4;
/// How long a link waits for its turn to be loaded before its callers hear "busy".
const LOAD_TURN_MAX: Duration = Duration::from_secs(5);

/// A load under way, or how it ended.
type Load = watch::Receiver<Option<Loaded>>;
/// The queue of a loaded link, or why it can't be loaded.
type Loaded = Result<mpsc::Sender<Work>, Denied>;

/// Where a table is.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Felt {
    /// Its link.
    pub(crate) link: LinkId,
    /// Its number there.
    pub(crate) number: TableNo,
}

/// What became of work that was sent to a loaded link.
enum Sent {
    Done,
    Full,
    NotLoaded(Work),
}

/// The links of this process.
#[derive(Clone)]
pub(crate) struct House {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    node: Arc<str>,
    directory: Mutex<Directory>,
    loading: Semaphore,
    tasks: TaskTracker,
}

#[derive(Default)]
struct Directory {
    tables: HashMap<TableName, Felt>,
    links: HashMap<LinkName, LinkId>,
    terms: HashMap<LinkId, Arc<LinkTerms>>,
    queues: HashMap<LinkId, mpsc::Sender<Work>>,
    loads: HashMap<LinkId, Load>,
    stopped: bool,
}

impl House {
    pub(crate) fn new(store: Store, node: Arc<str>) -> Self {
        let inner = Inner {
            store,
            node,
            directory: Mutex::default(),
            loading: Semaphore::new(LOADS_MAX),
            tasks: TaskTracker::new(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Nothing is awaited while this is held, and no code under it can panic half way.
    fn directory(&self) -> MutexGuard<'_, Directory> {
        self.inner
            .directory
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Loads the links on which somebody waits for a floorperson.
    pub(crate) async fn load_pending(&self) -> Result<(), StoreError> {
        for link in self.inner.store.links_with_hits(HitState::Pending).await? {
            if let Err(denied) = self.queue(link).await {
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
            directory.queues.clear();
        }
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }

    /// Where a table is; asked once, as a table stays on its link for life.
    pub(crate) async fn find_table(&self, name: &TableName) -> Result<Felt, Denied> {
        if let Some(felt) = self.directory().tables.get(name) {
            return Ok(*felt);
        }
        let row = self
            .inner
            .store
            .find_table(name.as_str())
            .await
            .map_err(unavailable)?;
        let row = row.ok_or_else(|| Denied::UnknownTable(name.to_string()))?;
        let felt = Felt {
            link: row.link,
            number: row.table,
        };
        self.directory().tables.insert(name.clone(), felt);
        Ok(felt)
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
        let mut journal = self.inner.store.journal(link);
        let genesis = Head {
            batch: 0,
            epoch: 0,
            chain_hash: ChainHash::GENESIS,
            period: i32::MIN,
        };
        let missed = journal.read_after(&genesis, 1).await.map_err(unavailable)?;
        let row = missed
            .batches
            .first()
            .and_then(|first| first.batch.events.first());
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
    pub(crate) async fn submit(&self, link: LinkId, envelope: Envelope) -> Result<Reached, Denied> {
        let (reply, reached) = oneshot::channel();
        self.send(link, Ask::Command { envelope, reply }).await?;
        reached.await.unwrap_or(Err(Denied::OutcomeUnknown))
    }

    /// The link's state, confirmed after this was asked.
    pub(crate) async fn look(&self, link: LinkId) -> Result<Arc<LinkState>, Denied> {
        let (reply, state) = oneshot::channel();
        self.send(link, Ask::Look { reply }).await?;
        state.await.unwrap_or(Err(Denied::DatabaseUnavailable))
    }

    async fn send(&self, link: LinkId, ask: Ask) -> Result<(), Denied> {
        let work = Work {
            ask,
            received: Instant::now(),
        };
        match self.send_to_loaded(link, work) {
            Sent::Done => Ok(()),
            Sent::Full => Err(Denied::Busy),
            // It is not here, or has just left: it is loaded.
            Sent::NotLoaded(work) => self
                .queue(link)
                .await?
                .try_send(work)
                .map_err(|_| Denied::Busy),
        }
    }

    /// Sends while the directory is held, which is cheaper than counting one more sender of the queue for a moment.
    fn send_to_loaded(&self, link: LinkId, work: Work) -> Sent {
        let directory = self.directory();
        let Some(queue) = directory.queues.get(&link) else {
            return Sent::NotLoaded(work);
        };
        match queue.try_send(work) {
            Ok(()) => Sent::Done,
            Err(TrySendError::Full(_)) => Sent::Full,
            Err(TrySendError::Closed(work)) => Sent::NotLoaded(work),
        }
    }

    /// The queue of the link's committer, which is loaded if it is not here.
    async fn queue(&self, link: LinkId) -> Loaded {
        let mut load = {
            let mut directory = self.directory();
            let queue = directory.queues.get(&link);
            if let Some(queue) = queue.filter(|queue| !queue.is_closed()) {
                return Ok(queue.clone());
            }
            if directory.stopped {
                return Err(Denied::Busy);
            }
            // One whose sender is gone never ends.
            let under_way = directory.loads.get(&link);
            match under_way.filter(|load| load.has_changed().is_ok()) {
                Some(load) => load.clone(),
                None => self.begin_load(link, &mut directory),
            }
        };
        let ended = load.wait_for(Option::is_some).await;
        let loaded = ended.ok().and_then(|loaded| loaded.clone());
        loaded.unwrap_or(Err(Denied::DatabaseUnavailable))
    }

    /// Loads a link in a task of its own: a caller who hangs up must not stop a load that others wait for.
    fn begin_load(&self, link: LinkId, directory: &mut Directory) -> Load {
        let (done, load) = watch::channel(None);
        directory.loads.insert(link, load.clone());
        let house = self.clone();
        self.inner.tasks.spawn(async move {
            let loaded = house.load(link).await;
            house.directory().loads.remove(&link);
            done.send_replace(Some(loaded));
        });
        load
    }

    async fn load(&self, link: LinkId) -> Loaded {
        let turn = timeout(LOAD_TURN_MAX, self.inner.loading.acquire());
        let _turn = turn.await.map_err(|_| Denied::Busy)?;
        let journal = self.inner.store.journal(link);
        let node = Arc::clone(&self.inner.node);
        let (queue, works) = mpsc::channel(QUEUE_COMMANDS_MAX);
        let committer = Committer::load(link, node, journal, works)
            .await
            .map_err(|error| {
                tracing::error!(link.id = %link, error = %Chain(&error), "a link can't be loaded");
                match error {
                    MemoryError::Store(_) => Denied::DatabaseUnavailable,
                    MemoryError::Damaged(reason) => Denied::LinkFaulted { reason },
                }
            })?;
        let mut directory = self.directory();
        if directory.stopped {
            return Err(Denied::Busy);
        }
        self.inner.tasks.spawn(committer.run());
        directory.queues.insert(link, queue.clone());
        Ok(queue)
    }
}

/// What callers hear when a question can't be asked; the cause is logged here, once.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it is what map_err hands over"
)]
pub(crate) fn unavailable(error: StoreError) -> Denied {
    tracing::warn!(error = %Chain(&error), "the database can't be asked");
    Denied::DatabaseUnavailable
}
