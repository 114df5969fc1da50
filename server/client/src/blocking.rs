//! The same for programs without an asynchronous runtime: the same names, and calls that wait.
//!
//! A controller has a runtime of its own, on a thread of its own. None of these may be called from within an
//! asynchronous runtime; there the crate's own [`Controller`](crate::Controller) is the right one.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use crate::command::Command;
use crate::controller::Options;
use crate::error::{DecisionError, OpenError, OutboxError, OutcomeError, SendError, Stopped};
use crate::outcome::Outcome;
use crate::round::RoundHit;
use crate::status::{Online, Status};
use crate::values::{HitName, Sequence};

/// Threads of a controller's runtime.
const THREADS: usize = 1;

/// The controller of one table: see [`crate::Controller`].
#[derive(Debug)]
pub struct Controller {
    inner: crate::Controller,
    runtime: Arc<Runtime>,
}

impl Controller {
    /// Opens the outbox and begins to reach for the server.
    ///
    /// # Errors
    /// As [`crate::Controller::open`].
    pub fn open(options: Options) -> Result<(Self, Outcomes), OpenError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("meterhouse-client")
            .enable_all()
            .build();
        let runtime = runtime.map_err(|error| OpenError::Thread {
            what: error.to_string(),
        })?;
        let (inner, outcomes) = runtime.block_on(crate::Controller::open(options))?;
        let runtime = Arc::new(runtime);
        let outcomes = Outcomes {
            inner: outcomes,
            runtime: Arc::clone(&runtime),
        };
        Ok((Self { inner, runtime }, outcomes))
    }

    /// Keeps a command under the table's next number: it is durable when this returns.
    ///
    /// # Errors
    /// As [`crate::Controller::send`].
    pub fn send(&self, command: impl Into<Command>) -> Result<Kept, SendError> {
        let inner = self.runtime.block_on(self.inner.send(command))?;
        Ok(Kept {
            inner,
            runtime: Arc::clone(&self.runtime),
        })
    }

    /// Returns the number that the next command gets; none before the table was online for the first time.
    pub fn next_sequence(&self) -> Option<Sequence> {
        self.inner.next_sequence()
    }

    /// How it stands now.
    pub fn status(&self) -> Status {
        self.inner.status()
    }

    /// The status as it changes.
    pub fn statuses(&self) -> Statuses {
        Statuses {
            inner: self.inner.statuses(),
            runtime: Arc::clone(&self.runtime),
        }
    }

    /// Waits until a hit of this table is decided.
    ///
    /// # Errors
    /// As [`crate::Decisions::wait_for`].
    pub fn wait_for_decision(&self, hit: &HitName) -> Result<RoundHit, DecisionError> {
        self.decisions().wait_for(hit)
    }

    /// Returns what waits for decisions, for another thread than the one that sends.
    pub fn decisions(&self) -> Decisions {
        Decisions {
            inner: self.inner.decisions(),
            runtime: Arc::clone(&self.runtime),
        }
    }

    /// Waits until the table is online.
    ///
    /// # Errors
    /// When a person has to look first.
    pub fn online(&self) -> Result<Online, Stopped> {
        self.runtime.block_on(self.inner.online())
    }

    /// Stops sending and closes the outbox, which another process may open then.
    ///
    /// # Errors
    /// As [`crate::Controller::close`].
    pub fn close(self) -> Result<(), OutboxError> {
        self.runtime.block_on(self.inner.close())
    }
}

/// A command that is durable in the outbox: see [`crate::Kept`].
#[derive(Debug)]
#[must_use = "the outcome may be a refusal: wait for it, or let `Outcomes` tell it"]
pub struct Kept {
    inner: crate::Kept,
    runtime: Arc<Runtime>,
}

impl Kept {
    /// The command's number.
    pub const fn sequence(&self) -> Sequence {
        self.inner.sequence()
    }

    /// Waits for what became of it, through as many outages as there are.
    ///
    /// # Errors
    /// As [`crate::Kept::outcome`].
    pub fn outcome(self) -> Result<Outcome, OutcomeError> {
        self.runtime.block_on(self.inner.outcome())
    }
}

/// The outcomes of commands that nobody waits for: see [`crate::Outcomes`].
#[derive(Debug)]
#[must_use = "outcomes that nobody takes fill the outbox: read them, or drop this"]
pub struct Outcomes {
    inner: crate::Outcomes,
    runtime: Arc<Runtime>,
}

impl Outcomes {
    /// Waits for the next of them, in the order of their numbers.
    ///
    /// # Errors
    /// As [`crate::Outcomes::take`].
    pub fn take(&mut self) -> Result<Outcome, OutcomeError> {
        self.runtime.block_on(self.inner.take())
    }

    /// The same for no longer than this; nothing if none came.
    ///
    /// # Errors
    /// As [`crate::Outcomes::take`].
    pub fn take_within(&mut self, most: Duration) -> Result<Option<Outcome>, OutcomeError> {
        let taking = async { timeout(most, self.inner.take()).await };
        self.runtime.block_on(taking).ok().transpose()
    }
}

/// The status as it changes.
#[derive(Clone, Debug)]
pub struct Statuses {
    inner: crate::Statuses,
    runtime: Arc<Runtime>,
}

impl Statuses {
    /// How it stands now; [`Self::changed`] waits for what comes after this.
    pub fn now(&mut self) -> Status {
        self.inner.now()
    }

    /// Waits for a change and gives the newest; nothing once the controller is closed.
    pub fn changed(&mut self) -> Option<Status> {
        self.runtime.block_on(self.inner.changed())
    }
}

/// Waits for what people decide about the table's hits: see [`crate::Decisions`].
#[derive(Clone, Debug)]
pub struct Decisions {
    inner: crate::Decisions,
    runtime: Arc<Runtime>,
}

impl Decisions {
    /// Waits until a hit is no longer pending.
    ///
    /// # Errors
    /// As [`crate::Decisions::wait_for`].
    pub fn wait_for(&self, hit: &HitName) -> Result<RoundHit, DecisionError> {
        self.runtime.block_on(self.inner.wait_for(hit))
    }
}
