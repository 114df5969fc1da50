//! A controller for programs without an asynchronous runtime: the same names, with blocking calls.
//!
//! A controller has a runtime of its own, on a thread of its own. No call of this module is allowed within an
//! asynchronous runtime. Use the crate's own [`Controller`](crate::Controller) there.

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
    /// Opens the outbox and starts to connect to the server.
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

    /// Stores a command under the table's next number. The command is durable when this returns.
    ///
    /// # Errors
    /// As [`crate::Controller::send`].
    pub fn send(&self, command: impl Into<Command>) -> Result<Receipt, SendError> {
        let inner = self.runtime.block_on(self.inner.send(command))?;
        Ok(Receipt {
            inner,
            runtime: Arc::clone(&self.runtime),
        })
    }

    /// Returns the number that the next command gets. Returns `None` before the table was online for the first time.
    pub fn next_sequence(&self) -> Option<Sequence> {
        self.inner.next_sequence()
    }

    /// Returns the current status.
    pub fn status(&self) -> Status {
        self.inner.status()
    }

    /// Returns the status as it changes.
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

    /// Returns a handle that waits for decisions, for another thread than the one that sends.
    pub fn decisions(&self) -> Decisions {
        Decisions {
            inner: self.inner.decisions(),
            runtime: Arc::clone(&self.runtime),
        }
    }

    /// Waits until the table is online.
    ///
    /// # Errors
    /// The controller has stopped: a person has to intervene.
    pub fn online(&self) -> Result<Online, Stopped> {
        self.runtime.block_on(self.inner.online())
    }

    /// Stops sending and closes the outbox, so that another process may open it.
    ///
    /// # Errors
    /// As [`crate::Controller::close`].
    pub fn close(self) -> Result<(), OutboxError> {
        self.runtime.block_on(self.inner.close())
    }
}

/// A receipt for a command that is durable in the outbox: see [`crate::Receipt`].
#[derive(Debug)]
#[must_use = "the outcome may be a refusal: wait for it, or let `Outcomes` return it"]
pub struct Receipt {
    inner: crate::Receipt,
    runtime: Arc<Runtime>,
}

impl Receipt {
    /// Returns the command's number.
    pub const fn sequence(&self) -> Sequence {
        self.inner.sequence()
    }

    /// Waits for the command's outcome, through any number of outages.
    ///
    /// # Errors
    /// As [`crate::Receipt::outcome`].
    pub fn outcome(self) -> Result<Outcome, OutcomeError> {
        self.runtime.block_on(self.inner.outcome())
    }
}

/// The unclaimed outcomes: see [`crate::Outcomes`].
#[derive(Debug)]
#[must_use = "outcomes that are not taken fill the outbox: take them, or drop this"]
pub struct Outcomes {
    inner: crate::Outcomes,
    runtime: Arc<Runtime>,
}

impl Outcomes {
    /// Waits for the next unclaimed outcome, in the order of the numbers.
    ///
    /// # Errors
    /// As [`crate::Outcomes::take`].
    pub fn take(&mut self) -> Result<Outcome, OutcomeError> {
        self.runtime.block_on(self.inner.take())
    }

    /// Waits for the next unclaimed outcome for at most this time. Returns `None` if none arrived.
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
    /// Returns the current status. [`Self::changed`] waits for a later one.
    pub fn now(&mut self) -> Status {
        self.inner.now()
    }

    /// Waits for a change and returns the newest status. Returns `None` once the controller is closed.
    pub fn changed(&mut self) -> Option<Status> {
        self.runtime.block_on(self.inner.changed())
    }
}

/// A handle that waits for decisions about the table's hits: see [`crate::Decisions`].
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
