//! Requests to a committer, and the results of commands.
//!
//! # Limits
//! [`QUEUE_COMMANDS_MAX`] requests wait for one link, each for at most [`QUEUE_WAIT_MAX`].

use std::time::Duration;

use meterhouse_domain::command::Envelope;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::published_state::StateAt;
use crate::answer::{Answer, NotExecuted};
use crate::trace::{self, CallerSpan};

/// Maximum number of commands in a batch. Past a few hundred, a larger batch gains little and costs every caller
/// latency.
pub(crate) const BATCH_COMMANDS_MAX: usize = 1_024;
/// Maximum number of requests that wait for one link. Beyond it a caller gets `busy` immediately (backpressure).
pub(crate) const QUEUE_COMMANDS_MAX: usize = 4 * BATCH_COMMANDS_MAX;
/// Maximum time that a request waits in the queue.
pub(crate) const QUEUE_WAIT_MAX: Duration = Duration::from_secs(2);

const _: () = assert!(BATCH_COMMANDS_MAX <= QUEUE_COMMANDS_MAX);

/// A request to a committer.
pub(crate) enum Request {
    Command(CommandRequest),
    /// A query of the link's state, confirmed after the request arrived.
    State(StateRequest),
}

/// A command that waits for its result.
pub(crate) struct CommandRequest {
    pub(crate) envelope: Envelope,
    /// The moment of arrival.
    pub(crate) received: Instant,
    /// The caller's span.
    pub(crate) caller: CallerSpan,
    /// The channel to the caller.
    pub(crate) reply: oneshot::Sender<Result<CommandResult, NotExecuted>>,
}

/// The channel of a command's result.
pub(crate) type ResultReceiver = oneshot::Receiver<Result<CommandResult, NotExecuted>>;

/// A query that waits for the link's state.
pub(crate) struct StateRequest {
    /// The moment of arrival.
    pub(crate) received: Instant,
    /// The channel to the caller.
    pub(crate) reply: oneshot::Sender<Result<StateAt, NotExecuted>>,
}

/// The result of a decided command.
#[derive(Debug)]
pub(crate) enum CommandResult {
    /// The outcome, or on a replay the first outcome.
    Answer(Answer),
    /// The same decision by the same person was made before.
    DoneBefore,
}

impl Request {
    /// Returns the request of the active span's command, and the channel of its result.
    pub(crate) fn of_command(envelope: Envelope, received: Instant) -> (Self, ResultReceiver) {
        let (reply, reached) = oneshot::channel();
        let request = CommandRequest {
            envelope,
            received,
            caller: trace::caller(),
            reply,
        };
        (Self::Command(request), reached)
    }

    /// Denies the request. A caller that disconnected gets no reply.
    pub(crate) fn deny(self, denied: NotExecuted) {
        match self {
            Self::Command(request) => drop(request.reply.send(Err(denied))),
            Self::State(request) => drop(request.reply.send(Err(denied))),
        }
    }

    /// Returns the moment of arrival.
    pub(crate) const fn received(&self) -> Instant {
        match self {
            Self::Command(request) => request.received,
            Self::State(request) => request.received,
        }
    }

    /// Returns `true` if the request waited longer than [`QUEUE_WAIT_MAX`].
    pub(crate) fn is_overdue(&self, now: Instant) -> bool {
        now.duration_since(self.received()) > QUEUE_WAIT_MAX
    }
}
