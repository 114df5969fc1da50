//! Loading a link: once, whoever asks for it meanwhile waits for that.
//!
//! # Shape
//! A task of its own reads snapshot and journal, compares what stands beside them, and starts the committer. What
//! does not fit together is journaled before the first command; where even that is impossible, the link is not
//! served. Nothing is ever replaced by a seed.
//!
//! # What bounds it
//! [`LOADS_MAX`] links at a time, the others wait [`LOAD_TURN_MAX`]. A link that is damaged is not read again for
//! [`DAMAGED_REMEMBERED`].

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::command::PersonCommand;
use meterhouse_domain::name::LinkId;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, timeout};

use crate::answer::Denied;
use crate::chain::Chain;
use crate::clock::LastBatch;
use crate::committer::{Ask, Committer, QUEUE_COMMANDS_MAX, Reached, Work};
use crate::consistency::{Found, check};
use crate::house::{Directory, House, Loaded};
use crate::memory::MemoryError;
use crate::present::Present;
use crate::sweeper::by_server;

/// Links that are loaded at a time: fewer than the store has connections for reading.
pub(crate) const LOADS_MAX: usize = 4;
/// How long a link waits for its turn to be loaded before its callers hear "busy".
const LOAD_TURN_MAX: Duration = Duration::from_secs(5);
/// How long a damaged journal is remembered before it is read again.
const DAMAGED_REMEMBERED: Duration = Duration::from_secs(5);

/// A load under way, or how it ended.
pub(crate) type Load = watch::Receiver<Option<Result<Loaded, Denied>>>;

/// A link that can't be loaded.
pub(crate) struct NotLoaded {
    reason: String,
    since: Instant,
}

/// What became of a command that was sent without waiting.
type Reply = oneshot::Receiver<Result<Reached, Denied>>;

impl House {
    /// A link with its committer, which is loaded if it is not here.
    pub(crate) async fn loaded(&self, link: LinkId) -> Result<Loaded, Denied> {
        let mut load = {
            let mut directory = self.directory();
            let loaded = directory.loaded.get(&link);
            if let Some(loaded) = loaded.filter(|it| !it.queue.is_closed()) {
                return Ok(loaded.clone());
            }
            if directory.stopped {
                return Err(Denied::Busy);
            }
            let not_loaded = directory.not_loaded.get(&link);
            if let Some(it) = not_loaded.filter(|it| it.since.elapsed() < DAMAGED_REMEMBERED) {
                let reason = it.reason.clone();
                return Err(Denied::LinkFaulted { reason });
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
            {
                let mut directory = house.directory();
                directory.loads.remove(&link);
                directory.not_loaded.remove(&link);
                if let Err(Denied::LinkFaulted { reason }) = &loaded {
                    let not_loaded = NotLoaded {
                        reason: reason.clone(),
                        since: Instant::now(),
                    };
                    directory.not_loaded.insert(link, not_loaded);
                }
            }
            done.send_replace(Some(loaded));
        });
        load
    }

    async fn load(&self, link: LinkId) -> Result<Loaded, Denied> {
        let turn = timeout(LOAD_TURN_MAX, self.inner.loading.acquire());
        let _turn = turn.await.map_err(|_| Denied::Busy)?;
        let journal = self.inner.store.journal(link);
        let node = Arc::clone(&self.inner.node);
        let (queue, works) = mpsc::channel(QUEUE_COMMANDS_MAX);
        let mut committer = Committer::load(link, node, journal, works)
            .await
            .map_err(|error| {
                tracing::error!(link.id = %link, error = %Chain(&error), "a link can't be loaded");
                match error {
                    MemoryError::Store(_) => Denied::DatabaseUnavailable,
                    MemoryError::Damaged(reason) => Denied::LinkFaulted { reason },
                }
            })?;
        let last = self.inner.store.batch(link, committer.memory.head.batch);
        if let Ok(Some(last)) = last.await {
            committer.last_batch = LastBatch::loaded(last.batch.at);
        }
        let present = Arc::clone(&committer.present);
        let loaded = Loaded { queue, present };
        let found = check(&self.inner.store, link, &loaded.present, None).await?;
        let mut directory = self.directory();
        if directory.stopped {
            return Err(Denied::Busy);
        }
        if let Found::Difference(reason) = found {
            self.fault(link, &loaded, reason);
        }
        self.inner.tasks.spawn(committer.run());
        directory.loaded.insert(link, loaded.clone());
        Ok(loaded)
    }

    /// Faults a link: journaled before whatever is sent after this; where the journal can't take that, the link is
    /// not served any more.
    pub(crate) fn fault(&self, link: LinkId, loaded: &Loaded, reason: String) {
        tracing::error!(link.id = %link, reason, "what is stored does not fit together: the link is faulted");
        let (reply, reached) = oneshot::channel();
        let command = PersonCommand::FaultLink {
            reason: reason.clone(),
        };
        let envelope = by_server(command);
        let work = Work {
            ask: Ask::Command { envelope, reply },
            received: Instant::now(),
        };
        if loaded.queue.try_send(work).is_err() {
            return loaded.present.damage(reason);
        }
        let house = self.clone();
        let present = Arc::clone(&loaded.present);
        self.inner
            .tasks
            .spawn(async move { house.see_faulted(reached, &present, reason).await });
    }

    /// While the whole database is away nothing is accepted anyway, and the next check finds it again.
    async fn see_faulted(&self, reached: Reply, present: &Present, reason: String) {
        match reached.await {
            Ok(Ok(_) | Err(Denied::LinkFaulted { .. })) => {}
            Ok(Err(_)) | Err(_) => {
                if self.inner.store.ping().await.is_ok() {
                    present.damage(reason);
                }
            }
        }
    }
}
