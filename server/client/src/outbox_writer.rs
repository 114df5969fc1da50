//! The thread that writes the outbox.
//!
//! # Shape
//! The thread takes the waiting jobs, at most [`JOBS_AT_ONCE`], and writes them in one transaction (group commit).
//! Commands that are sent concurrently share their syncs. Taken commands are deleted in the same transaction, so that a
//! command costs one commit and not two.
//!
//! # Order
//! A command is added to the commands in flight, and thereby to the stream, after it is durable. Its caller gets the
//! reply after that.
//!
//! # Limits
//! [`JOBS_MAX`] jobs wait. Further callers wait for room (backpressure).

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use meterhouse_proto::table as wire;
use tokio::sync::{mpsc, oneshot};

use crate::error::{OpenError, OutboxError, SendError, Stopped};
use crate::in_flight::{InFlight, OutcomeSender, PanicGuard};
use crate::outbox::Outbox;
use crate::values::Sequence;

/// Maximum number of jobs that wait for the thread.
const JOBS_MAX: usize = 256;
/// Maximum number of jobs in one transaction.
const JOBS_AT_ONCE: usize = 256;

/// A job for the thread.
pub(crate) enum Job {
    /// Stores a command.
    Store(Box<StoreRequest>),
    /// Sets the first number, as the server reported it.
    SetNext(Sequence, oneshot::Sender<Result<(), OutboxError>>),
    /// Stores the seal of the last counted command.
    StoreSeal(String),
    /// Deletes taken commands although no command is stored.
    Forget,
}

/// A request to store a command.
pub(crate) struct StoreRequest {
    /// The command, without its number.
    pub(crate) command: wire::Command,
    /// The sender of the command's outcome.
    pub(crate) outcome: OutcomeSender,
    /// The reply: the number, once the command is durable.
    pub(crate) stored: oneshot::Sender<Result<Sequence, SendError>>,
}

/// The handle of the thread.
#[derive(Debug)]
pub(crate) struct OutboxWriter {
    jobs: mpsc::Sender<Job>,
    closed: oneshot::Receiver<Result<(), OutboxError>>,
    path: PathBuf,
}

impl OutboxWriter {
    /// Starts the thread on this outbox.
    pub(crate) fn start(outbox: Outbox, in_flight: Arc<InFlight>) -> Result<Self, OpenError> {
        let (jobs, waiting) = mpsc::channel(JOBS_MAX);
        let (close, closed) = oneshot::channel();
        let path = outbox.path().to_owned();
        let run = move || {
            let _guard = PanicGuard(Arc::clone(&in_flight));
            let thread = WriterThread { outbox, in_flight };
            // The closing caller may be gone.
            drop(close.send(thread.run(waiting)));
        };
        let builder = thread::Builder::new().name("meterhouse-outbox".to_owned());
        let started = builder.spawn(run).map_err(|error| OpenError::Thread {
            what: error.to_string(),
        });
        started.map(|_| Self { jobs, closed, path })
    }

    /// Returns the queue of jobs.
    pub(crate) const fn jobs(&self) -> &mpsc::Sender<Job> {
        &self.jobs
    }

    /// Finishes the waiting jobs and closes the file. All other senders of jobs have to be dropped.
    pub(crate) async fn close(self) -> Result<(), OutboxError> {
        let Self { jobs, closed, path } = self;
        drop(jobs);
        // A thread that sends no result has failed.
        closed.await.unwrap_or(Err(OutboxError::Fault { path }))
    }
}

/// The state of the thread.
struct WriterThread {
    outbox: Outbox,
    in_flight: Arc<InFlight>,
}

impl WriterThread {
    fn run(self, mut waiting: mpsc::Receiver<Job>) -> Result<(), OutboxError> {
        let mut jobs = Vec::new();
        while waiting.blocking_recv_many(&mut jobs, JOBS_AT_ONCE) > 0 {
            let mut requests = Vec::new();
            for job in jobs.drain(..) {
                match job {
                    Job::Store(request) => requests.push(*request),
                    Job::SetNext(next, done) => {
                        let result = self.outbox.set_next(next);
                        if result.is_ok() {
                            self.in_flight.set_next(next);
                        }
                        // The stream may have ended. The next one repeats the job.
                        drop(done.send(result));
                    }
                    Job::StoreSeal(seal) => {
                        if let Err(error) = self.outbox.set_seal(&seal) {
                            self.in_flight.stop(Stopped::Outbox(error));
                        }
                    }
                    Job::Forget => {}
                }
            }
            self.write(requests);
        }
        self.write(Vec::new());
        self.outbox.close()
    }

    /// Stores these commands, as far as there is room.
    fn write(&self, requests: Vec<StoreRequest>) {
        let mut accepted = Vec::with_capacity(requests.len());
        for request in requests {
            match self.in_flight.check_capacity(accepted.len()) {
                Ok(()) => accepted.push(request),
                // The caller may be gone.
                Err(error) => drop(request.stored.send(Err(error))),
            }
        }
        let forget = self.in_flight.drain_taken();
        if accepted.is_empty() && forget.is_empty() {
            return;
        }
        let commands = accepted
            .iter()
            .map(|request| request.command.clone())
            .collect();
        match self.outbox.commit(&forget, commands) {
            Ok(stored) => {
                for (request, (sequence, command)) in accepted.into_iter().zip(stored) {
                    self.in_flight.insert(sequence, command, request.outcome);
                    drop(request.stored.send(Ok(sequence)));
                }
            }
            Err(error) => {
                self.in_flight.stop(Stopped::Outbox(error.clone()));
                for request in accepted {
                    drop(request.stored.send(Err(SendError::Outbox(error.clone()))));
                }
            }
        }
    }
}

/// Returns the time of this machine. The time is evidence with a command, and orders nothing.
#[expect(
    clippy::disallowed_methods,
    reason = "the controller's own clock is what is asked for, and no rule sees it"
)]
pub(crate) fn device_time() -> SystemTime {
    SystemTime::now()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use tokio::sync::{mpsc, oneshot};

    use super::OutboxWriter;
    use crate::error::OutboxError;

    /// A thread that sends no result has failed, and closing returns its failure.
    #[tokio::test]
    async fn closing_reports_a_failed_thread() {
        let (jobs, _) = mpsc::channel(1);
        let (_, closed) = oneshot::channel();
        let writer = OutboxWriter {
            jobs,
            closed,
            path: PathBuf::from("C4P-07.outbox"),
        };
        let error = writer.close().await.unwrap_err();
        assert!(matches!(error, OutboxError::Fault { .. }), "{error}");
    }
}
