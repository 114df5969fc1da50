//! A committer over any journal and any clock, for simulations only.
//!
//! # Shape
//! A simulated link is a queue and the committer's task, without a registry.

use std::sync::Arc;

use meterhouse_domain::command::Envelope;
use meterhouse_domain::draw::Entropy;
use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_store::Journal;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::answer::{Answer, NotExecuted};
use crate::committer::decider::Sources;
use crate::committer::request::{CommandRequest, CommandResult, QUEUE_COMMANDS_MAX, Request};
use crate::committer::run_loop::Committer;
use crate::error_chain::ErrorChain;

/// A committer of one link.
pub struct Simulated {
    queue: mpsc::Sender<Request>,
    task: JoinHandle<()>,
}

impl Simulated {
    /// Loads the link and serves it.
    ///
    /// The reason that the link can't be loaded.
    /// The reason that the link can't be loaded.
    pub async fn start<J: Journal>(
        link: LinkId,
        node: &str,
        journal: J,
        clock: impl Fn() -> Timestamp + Send + Sync + 'static,
    ) -> Result<Self, String> {
        let entropy = || Some(Entropy::default());
        let (queue, requests) = mpsc::channel(QUEUE_COMMANDS_MAX);
        let sources = Sources {
            clock: Arc::new(clock),
            entropy: Arc::new(entropy),
        };
        let loaded = Committer::load(link, Arc::from(node), journal, requests, sources).await;
        let committer = loaded.map_err(|error| ErrorChain(&error).to_string())?;
        // A simulated journal has no stored rows to compare.
        committer.published().pass_books();
        let task = tokio::spawn(committer.run());
        Ok(Self { queue, task })
    }

    /// Submits a command and waits for its result. Returns nothing if the same person had made the same decision
    /// before.
    ///
    /// # Errors
    /// [`NotExecuted`], as of [`Engine`](crate::Engine).
    pub async fn submit(&self, envelope: Envelope) -> Result<Option<Answer>, NotExecuted> {
        let (reply, reached) = oneshot::channel();
        let request = Request::Command(CommandRequest {
            envelope,
            received: Instant::now(),
            caller: None,
            reply,
        });
        self.queue
            .try_send(request)
            .map_err(|_| NotExecuted::Busy)?;
        match reached.await.unwrap_or(Err(NotExecuted::OutcomeUnknown))? {
            CommandResult::Answer(answer) => Ok(Some(answer)),
            CommandResult::DoneBefore => Ok(None),
        }
    }

    /// Stops in order: serves the queue, then writes a snapshot.
    pub async fn stop(self) {
        drop(self.queue);
        drop(self.task.await);
    }

    /// Aborts immediately, as a crash does. Waiting callers get `OutcomeUnknown`.
    pub fn crash(&self) {
        self.task.abort();
    }
}
