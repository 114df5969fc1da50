//! The loading of links: once for all concurrent callers.
//!
//! # Shape
//! One task reads the snapshot and the journal and starts the committer. Another task compares the books. Coin-in is
//! accepted once the books passed; other commands are accepted before. A difference is journaled before the first
//! coin-in. If the difference can't be journaled, the link is not served. A seed never replaces a damaged balance.
//!
//! # Limits
//! [`LOADS_MAX`] links are loaded concurrently; the others wait for [`LOAD_TURN_MAX`]. A damaged link is not read again
//! for [`DAMAGED_REMEMBERED`]. The first callers wait for the books for [`BOOKS_WAIT_MAX`].

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::command::PersonCommand;
use meterhouse_domain::ids::LinkId;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::answer::NotExecuted;
use crate::committer::decider::Sources;
use crate::committer::published_state::PublishedState;
use crate::committer::replica::ReplicaError;
use crate::committer::request::{CommandRequest, CommandResult, QUEUE_COMMANDS_MAX, Request};
use crate::committer::run_loop::Committer;
use crate::error_chain::ErrorChain;
use crate::integrity::running_check::{CheckResult, check_loaded};
use crate::metrics::instruments;
use crate::registry::link_registry::{Directory, LinkRegistry};
use crate::registry::loaded::{Loaded, NotLoaded, PendingLoad};
use crate::server_command::by_server;

/// Maximum time that a link waits to be loaded before its callers get `busy`.
const LOAD_TURN_MAX: Duration = Duration::from_secs(5);
/// Time after which a damaged journal is read again.
const DAMAGED_REMEMBERED: Duration = Duration::from_secs(5);

/// Maximum time that the first callers of a link wait for the books. Later callers are denied while the check runs.
const BOOKS_WAIT_MAX: Duration = Duration::from_millis(500);
/// Pause before the books are compared again, after the database could not be queried.
const BOOKS_PAUSE: Duration = Duration::from_millis(200);

/// The receiver of the result of a command.
type Reply = oneshot::Receiver<Result<CommandResult, NotExecuted>>;

impl LinkRegistry {
    /// Returns a loaded link. Loads the link if necessary.
    pub(crate) async fn loaded(&self, link: LinkId) -> Result<Loaded, NotExecuted> {
        let mut load = {
            let mut directory = self.directory();
            let loaded = directory.loaded.get(&link);
            if let Some(loaded) = loaded.filter(|loaded| !loaded.queue.is_closed()) {
                return Ok(loaded.clone());
            }
            if directory.stopped {
                return Err(NotExecuted::Busy);
            }
            let not_loaded = directory.not_loaded.get(&link);
            if let Some(damaged) =
                not_loaded.filter(|link| link.since.elapsed() < DAMAGED_REMEMBERED)
            {
                let reason = damaged.reason.clone();
                return Err(NotExecuted::LinkFaulted { reason });
            }
            // A load whose task was dropped never ends.
            let under_way = directory.loads.get(&link);
            match under_way.filter(|load| load.has_changed().is_ok()) {
                Some(load) => load.clone(),
                None => self.begin_load(link, &mut directory),
            }
        };
        let ended = load.wait_for(Option::is_some).await;
        let loaded = ended.ok().and_then(|loaded| loaded.clone());
        loaded.unwrap_or(Err(NotExecuted::DatabaseUnavailable))
    }

    /// Loads a link in a task of its own, so that a caller that disconnects does not stop a load for others.
    fn begin_load(&self, link: LinkId, directory: &mut Directory) -> PendingLoad {
        let (done, load) = watch::channel(None);
        directory.loads.insert(link, load.clone());
        let registry = self.clone();
        self.inner.tasks.spawn(async move {
            let loaded = registry.load(link).await;
            {
                let mut directory = registry.directory();
                directory.loads.remove(&link);
                directory.not_loaded.remove(&link);
                if let Err(NotExecuted::LinkFaulted { reason }) = &loaded {
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

    async fn load(&self, link: LinkId) -> Result<Loaded, NotExecuted> {
        let turn = timeout(LOAD_TURN_MAX, self.inner.loading.acquire());
        let _turn = turn.await.map_err(|_| NotExecuted::Busy)?;
        let journal = self.inner.store.journal(link);
        let node = Arc::clone(&self.inner.node);
        let (queue, requests) = mpsc::channel(QUEUE_COMMANDS_MAX);
        let mut committer = Committer::load(link, node, journal, requests, Sources::system())
            .await
            .map_err(|error| {
                tracing::error!(link.id = %link, error = %ErrorChain(&error), "a link can't be loaded");
                match error {
                    ReplicaError::Store(error) => NotExecuted::by_store(&error),
                    ReplicaError::Damaged(reason) => NotExecuted::LinkFaulted { reason },
                }
            })?;
        let last = self.inner.store.batch(link, committer.batch());
        if let Ok(Some(last)) = last.await {
            committer.set_last_batch(last.batch.at);
        }
        let loaded = Loaded::new(queue, committer.published());
        self.inner.tasks.spawn(committer.run());
        let registry = self.clone();
        let books = loaded.clone();
        let passing = async move { registry.pass_books(link, &books).await };
        let passing = self.inner.tasks.spawn(passing);
        drop(timeout(BOOKS_WAIT_MAX, passing).await);
        let mut directory = self.directory();
        if directory.stopped {
            return Err(NotExecuted::Busy);
        }
        directory.loaded.insert(link, loaded.clone());
        Ok(loaded)
    }

    /// Compares the books of a loaded link, then allows coin-in. A difference faults the link first.
    async fn pass_books(&self, link: LinkId, loaded: &Loaded) {
        let published = &loaded.published;
        let options = self.inner.checkpoints;
        loop {
            match check_loaded(&self.inner.store, link, published, options).await {
                Ok(CheckResult::Consistent(checked, _)) => return loaded.pass_books(checked),
                Ok(CheckResult::Nothing) => return,
                Ok(CheckResult::Difference(reason)) => {
                    instruments().record_difference();
                    if let Some(journaling) = self.fault(link, loaded, reason) {
                        drop(journaling.await);
                    }
                    if published.damaged().is_some() {
                        return;
                    }
                    let known = published.known();
                    if known.is_some_and(|known| known.state.fault.is_some()) {
                        return published.pass_books();
                    }
                }
                Err(_) => {}
            }
            sleep(BOOKS_PAUSE).await;
        }
    }

    /// Faults a link by a command that precedes all later ones. If the fault can't be journaled, the link is no longer
    /// served. Returns the task that waits for the result.
    pub(crate) fn fault(
        &self,
        link: LinkId,
        loaded: &Loaded,
        reason: String,
    ) -> Option<JoinHandle<()>> {
        tracing::error!(link.id = %link, reason, "what is stored does not fit together: the link is faulted");
        let (reply, reached) = oneshot::channel();
        let command = PersonCommand::FaultLink {
            reason: reason.clone(),
        };
        let envelope = by_server(command);
        let request = Request::Command(CommandRequest {
            envelope,
            received: Instant::now(),
            caller: None,
            reply,
        });
        if loaded.queue.try_send(request).is_err() {
            loaded.published.damage(reason);
            return None;
        }
        let registry = self.clone();
        let published = Arc::clone(&loaded.published);
        let waiting = async move { registry.await_fault(reached, &published, reason).await };
        Some(self.inner.tasks.spawn(waiting))
    }

    /// Marks the link as damaged if the fault was not journaled. During an outage of the database nothing is accepted,
    /// and the next check finds the difference again.
    async fn await_fault(&self, reached: Reply, published: &PublishedState, reason: String) {
        match reached.await {
            Ok(Ok(_) | Err(NotExecuted::LinkFaulted { .. })) => {}
            Ok(Err(_)) | Err(_) => {
                if self.inner.store.ping().await.is_ok() {
                    published.damage(reason);
                }
            }
        }
    }
}
