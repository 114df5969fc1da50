//! Requests to a committer, and what became of a command.
//!
//! # What bounds it
//! [`QUEUE_COMMANDS_MAX`] requests wait for one link, each for [`QUEUE_WAIT_MAX`].

use std::time::Duration;

use meterhouse_domain::command::Envelope;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::published_state::StateAt;
use crate::answer::{Answer, Denied};

/// Commands in one batch. Past a few hundred a larger batch gains little and costs every caller latency.
pub(crate) const BATCH_COMMANDS_MAX: usize = 1_024;
/// Requests that may wait for one link. Beyond it a caller gets `busy` immediately.
pub(crate) const QUEUE_COMMANDS_MAX: usize = 4 * BATCH_COMMANDS_MAX;
/// Time for which a request may wait in the queue.
pub(crate) const QUEUE_WAIT_MAX: Duration = Duration::from_secs(2);

const _: () = assert!(BATCH_COMMANDS_MAX <= QUEUE_COMMANDS_MAX);

/// A request to a committer.
pub(crate) enum Request {
    /// A command.
    Command(CommandRequest),
    /// A query of the link's state, confirmed after the request arrived.
    State(StateRequest),
}

/// A command that waits for its result.
pub(crate) struct CommandRequest {
    /// The command with its sender.
    pub(crate) envelope: Envelope,
    /// The moment of its arrival.
    pub(crate) received: Instant,
    /// The caller's end.
    pub(crate) reply: oneshot::Sender<Result<CommandResult, Denied>>,
}

/// A query that waits for the link's state.
pub(crate) struct StateRequest {
    /// The moment of its arrival.
    pub(crate) received: Instant,
    /// The caller's end.
    pub(crate) reply: oneshot::Sender<Result<StateAt, Denied>>,
}

/// A result of a command that was decided.
#[derive(Debug)]
pub(crate) enum CommandResult {
    /// The outcome, or the first one again.
    Answer(Answer),
    /// The same person had done it before.
    DoneBefore,
}

impl Request {
    /// Replies that there is no answer. A caller that hung up gets no reply.
    pub(crate) fn deny(self, denied: Denied) {
        match self {
            Self::Command(request) => drop(request.reply.send(Err(denied))),
            Self::State(request) => drop(request.reply.send(Err(denied))),
        }
    }

    /// Returns `true` if the request waited longer than [`QUEUE_WAIT_MAX`].
    pub(crate) fn is_overdue(&self, now: Instant) -> bool {
        let received = match self {
            Self::Command(request) => request.received,
            Self::State(request) => request.received,
        };
        now.duration_since(received) > QUEUE_WAIT_MAX
    }
}
