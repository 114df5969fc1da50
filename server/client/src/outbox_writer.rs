//! The thread that writes the outbox.
//!
//! # Shape
//! It takes what waits, at most [`JOBS_AT_ONCE`], and writes it in one transaction: commands that are sent at the
//! same time share their syncs. What was taken from the board since is forgotten in the same transaction, so a
//! command costs one commit and not two.
//!
//! # What order holds
//! A command reaches the board, and with it the stream, after it is durable; the caller hears of it after that.
//!
//! # What bounds it
//! [`JOBS_MAX`] jobs wait; whoever comes then waits for room.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use meterhouse_proto::table as wire;
use tokio::sync::{mpsc, oneshot};

use crate::board::{Board, Guard, Waiter};
use crate::error::{OpenError, OutboxError, SendError, Stopped};
use crate::outbox::Outbox;
use crate::values::Sequence;

/// Jobs that wait for the thread.
const JOBS_MAX: usize = 256;
/// Jobs of one transaction.
const JOBS_AT_ONCE: usize = 256;

/// What is asked of the thread.
pub(crate) enum Job {
    /// A command is to be kept.
    Keep(Box<Keep>),
    /// The server said which number comes first.
    Begin(Sequence, oneshot::Sender<Result<(), OutboxError>>),
    /// What was taken is to be forgotten, though nothing is sent.
    Tidy,
}

/// A command to be kept.
pub(crate) struct Keep {
    /// The command, without its number.
    pub(crate) command: wire::Command,
    /// Who waits for its outcome.
    pub(crate) waiter: Waiter,
    /// Who waits for it to be durable.
    pub(crate) kept: oneshot::Sender<Result<Sequence, SendError>>,
}

/// The thread.
#[derive(Debug)]
pub(crate) struct Writer {
    jobs: mpsc::Sender<Job>,
    closed: oneshot::Receiver<Result<(), OutboxError>>,
    path: PathBuf,
}

impl Writer {
    /// Starts it on this outbox.
    pub(crate) fn start(outbox: Outbox, board: Arc<Board>) -> Result<Self, OpenError> {
        let (jobs, waiting) = mpsc::channel(JOBS_MAX);
        let (close, closed) = oneshot::channel();
        let path = outbox.path().to_owned();
        let run = move || {
            let _guard = Guard(Arc::clone(&board));
            let thread = Writing { outbox, board };
            // Whoever closes may not wait for it.
            drop(close.send(thread.run(waiting)));
        };
        let builder = thread::Builder::new().name("meterhouse-outbox".to_owned());
        let started = builder.spawn(run).map_err(|error| OpenError::Thread {
            what: error.to_string(),
        });
        started.map(|_| Self { jobs, closed, path })
    }

    /// Where jobs go.
    pub(crate) const fn jobs(&self) -> &mpsc::Sender<Job> {
        &self.jobs
    }

    /// Lets it finish what waits and close the file. Every other sender of jobs has to be gone, or going.
    pub(crate) async fn close(self) -> Result<(), OutboxError> {
        let Self { jobs, closed, path } = self;
        drop(jobs);
        // One that says nothing has failed.
        closed.await.unwrap_or(Err(OutboxError::Fault { path }))
    }
}

/// The thread's own.
struct Writing {
    outbox: Outbox,
    board: Arc<Board>,
}

impl Writing {
    fn run(self, mut waiting: mpsc::Receiver<Job>) -> Result<(), OutboxError> {
        let mut jobs = Vec::new();
        while waiting.blocking_recv_many(&mut jobs, JOBS_AT_ONCE) > 0 {
            let mut keeps = Vec::new();
            for job in jobs.drain(..) {
                match job {
                    Job::Keep(keep) => keeps.push(*keep),
                    Job::Begin(next, done) => {
                        let begun = self.outbox.begin(next);
                        if begun.is_ok() {
                            self.board.begin(next);
                        }
                        // The stream may have ended; it asks again then.
                        drop(done.send(begun));
                    }
                    Job::Tidy => {}
                }
            }
            self.write(keeps);
        }
        self.write(Vec::new());
        self.outbox.close()
    }

    /// Keeps these commands, as far as there is room.
    fn write(&self, keeps: Vec<Keep>) {
        let mut accepted = Vec::with_capacity(keeps.len());
        for keep in keeps {
            match self.board.accepts(accepted.len()) {
                Ok(()) => accepted.push(keep),
                // Who asked may be gone.
                Err(error) => drop(keep.kept.send(Err(error))),
            }
        }
        let forget = self.board.taken();
        if accepted.is_empty() && forget.is_empty() {
            return;
        }
        let commands = accepted.iter().map(|it| it.command.clone()).collect();
        match self.outbox.change(&forget, commands) {
            Ok(kept) => {
                for (keep, (sequence, command)) in accepted.into_iter().zip(kept) {
                    self.board.keep(sequence, command, keep.waiter);
                    drop(keep.kept.send(Ok(sequence)));
                }
            }
            Err(error) => {
                self.board.stop(Stopped::Outbox(error.clone()));
                for keep in accepted {
                    drop(keep.kept.send(Err(SendError::Outbox(error.clone()))));
                }
            }
        }
    }
}

/// The time of this machine: evidence beside a command, it orders nothing.
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

    use super::Writer;
    use crate::error::OutboxError;

    /// A thread that ended without a word has failed, and who closes hears of it.
    #[tokio::test]
    async fn a_failed_thread_is_told() {
        let (jobs, _) = mpsc::channel(1);
        let (_, closed) = oneshot::channel();
        let writer = Writer {
            jobs,
            closed,
            path: PathBuf::from("C4P-07.outbox"),
        };
        let error = writer.close().await.unwrap_err();
        assert!(matches!(error, OutboxError::Fault { .. }), "{error}");
    }
}
