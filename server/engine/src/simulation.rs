//! A committer over any journal and any clock: the door for simulations, which nothing of the house uses.
//!
//! # Shape
//! What the house does for a link, without the house: a queue, and the committer's task at its other end.

use std::sync::Arc;

use meterhouse_domain::command::Envelope;
use meterhouse_domain::draw::Entropy;
use meterhouse_domain::name::{LinkId, Timestamp};
use meterhouse_store::Journal;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::answer::{Answer, Denied};
use crate::committer::run_loop::{Ask, Committer, QUEUE_COMMANDS_MAX, Reached, Work};
use crate::error_chain::Chain;

/// A committer of one link.
pub struct Simulated {
    queue: mpsc::Sender<Work>,
    task: JoinHandle<()>,
}

impl Simulated {
    /// Loads the link and serves it.
    ///
    /// # Errors
    /// Why it can't be loaded.
    pub async fn start<J: Journal>(
        link: LinkId,
        node: &str,
        journal: J,
        clock: impl Fn() -> Timestamp + Send + Sync + 'static,
    ) -> Result<Self, String> {
        let chance = || Some(Entropy::default());
        Self::start_with_chance(link, node, journal, clock, chance).await
    }

    /// The same, drawing by these random numbers.
    ///
    /// # Errors
    /// Why it can't be loaded.
    pub async fn start_with_chance<J: Journal>(
        link: LinkId,
        node: &str,
        journal: J,
        clock: impl Fn() -> Timestamp + Send + Sync + 'static,
        chance: impl Fn() -> Option<Entropy> + Send + Sync + 'static,
    ) -> Result<Self, String> {
        let (queue, works) = mpsc::channel(QUEUE_COMMANDS_MAX);
        let loaded = Committer::load(link, Arc::from(node), journal, works).await;
        let mut committer = loaded.map_err(|error| Chain(&error).to_string())?;
        committer.clock = Arc::new(clock);
        committer.chance = Arc::new(chance);
        // Nothing stands beside a simulated journal that could be compared.
        committer.present.pass_books(None);
        let task = tokio::spawn(committer.run());
        Ok(Self { queue, task })
    }

    /// Hands a command over and waits for what became of it; nothing where it was done before.
    ///
    /// # Errors
    /// [`Denied`], as in the house.
    pub async fn submit(&self, envelope: Envelope) -> Result<Option<Answer>, Denied> {
        let (reply, reached) = oneshot::channel();
        let work = Work {
            ask: Ask::Command { envelope, reply },
            received: Instant::now(),
        };
        self.queue.try_send(work).map_err(|_| Denied::Busy)?;
        match reached.await.unwrap_or(Err(Denied::OutcomeUnknown))? {
            Reached::Outcome(answer) => Ok(Some(answer)),
            Reached::DoneBefore => Ok(None),
        }
    }

    /// Ends it in order: what waits is served, a snapshot is written.
    pub async fn stop(self) {
        drop(self.queue);
        drop(self.task.await);
    }

    /// Ends it at whatever it is waiting for, as a crash does; who waits for it hears that the outcome is unknown.
    pub fn crash(&self) {
        self.task.abort();
    }
}
